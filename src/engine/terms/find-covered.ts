import type { OpenTerms } from './concept-view.ts';
import { isNamedBy, type WindowContent } from './name-check.ts';
import type { AddFound } from './tag-collector.ts';
import { NONE } from './term-data.ts';
import { coverageStrength } from './weights.ts';

/** Finds labels of whose idf mass enough is in a window, wherever. Their strength is the share that is there, cubed, times
 *  the label's mass. One for all calls. */
export function createCoverageFinder(terms: OpenTerms) {
  const { labels, vocabulary } = terms;
  const { rareStart, rareTerms, mayMiss, eitherTerm, orTerm, postings } = terms.coverage;
  // A byte a term, wiped after each window: it stays in the processor's cache, and it is read for every posting.
  const isInWindow = new Uint8Array(vocabulary.idf.length);
  const checkedInWindow = new Uint32Array(labels.conceptOf.length);
  const isWordInWindow = new Uint8Array(terms.lexicon.words.length);
  let stamp = 0;
  /** Of the label that `shareInWindow` looked at last. */
  let termsFound = 0;

  const hasWord = (word: number) => isWordInWindow[word] === 1;

  function mark({ words, terms: sequence }: WindowContent, value: 0 | 1): void {
    for (const term of sequence) if (term !== NONE) isInWindow[term] = value;
    for (const word of words) if (word !== NONE) isWordInWindow[word] = value;
  }

  /** Share of a label's idf mass in the window, or 0 when too little of it is there. */
  function shareInWindow(label: number): number {
    const limit = mayMiss[label]!;
    let missing = 0;
    termsFound = 0;
    for (let at = rareStart[label]!, end = rareStart[label + 1]!; at < end; at++) {
      const term = rareTerms[at]!;
      if (isInWindow[term] === 1) {
        termsFound++;
        continue;
      }
      missing += vocabulary.idf[term]!;
      if (missing > limit) return 0;
    }
    return 1 - missing / labels.mass[label]!;
  }

  function check(label: number, content: WindowContent, add: AddFound): void {
    const share = shareInWindow(label);
    if (share === 0) return;
    const isOneWord = termsFound === 1;
    if (isOneWord && !isNamedBy(terms, label, { inCapitals: content.inCapitals, hasWord })) return;
    const mass = labels.mass[label]! / vocabulary.maxIdf[content.lang]!;
    add({ label, strength: coverageStrength(share, mass), whole: false, isOneWord });
  }

  return (content: WindowContent, add: AddFound): void => {
    stamp = stamp === 0xffffffff ? wipe(checkedInWindow) : stamp + 1;
    const distinct = new Set(content.terms);
    distinct.delete(NONE);
    mark(content, 1);
    for (const term of distinct) {
      for (let at = postings.start[term]!, end = postings.start[term + 1]!; at < end; at++) {
        // Read in order, and most often enough to see that the label is not there: the tables by label are not.
        if ((isInWindow[eitherTerm[at]!]! | isInWindow[orTerm[at]!]!) === 0) continue;
        const label = postings.labels[at]!;
        if (checkedInWindow[label] === stamp) continue;
        checkedInWindow[label] = stamp;
        check(label, content, add);
      }
    }
    mark(content, 0);
  };
}

function wipe(array: Uint32Array): 1 {
  array.fill(0);
  return 1;
}
