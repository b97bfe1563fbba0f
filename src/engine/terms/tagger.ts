import { fold } from '../text/fold.ts';
import { idOf, type OpenTerms, preferredLabel, sourceOf, textOf } from './concept-view.ts';
import { pruneTags, type TagCandidate } from './prune-tags.ts';
import { descend, endOfOwners, enterTrie } from './sequence-trie.ts';
import { createTagCollector, type Found } from './tag-collector.ts';
import { NONE } from './term-data.ts';
import type { Tag, TagAnswer, TagQuery } from './types.ts';
import { confidenceOf, coverageStrength, FOREIGN_PHRASE_FACTOR, PHRASE_BONUS } from './weights.ts';
import { splitWindows } from './windows.ts';

/** Candidates that pruning looks at, for each tag that is returned. */
const CANDIDATES_PER_TAG = 8;

/** Concepts a text is about. Two ways to find one, in each window of the text: its label's stems stand there one after
 *  the other, or enough of the label's idf mass is there. */
export function createTagger(terms: OpenTerms) {
  const { lexicon, labels, vocabulary, concepts } = terms;
  // A byte a term, wiped after each window: it stays in the processor's cache, and it is read for every posting.
  const isInWindow = new Uint8Array(vocabulary.idf.length);
  const checkedInWindow = new Uint32Array(labels.conceptOf.length);
  const { rareStart, rareTerms, mayMiss, eitherTerm, orTerm } = terms.coverage;
  const collector = createTagCollector(terms);
  let stamp = 0;

  /** The share of a label's mass that is in the window, squared, times that mass. */
  function addCovered(sequence: readonly number[], lang: number, add: AddFound): void {
    const { start, labels: listed } = terms.coverage.postings;
    const maxIdf = vocabulary.maxIdf[lang]!;
    const distinct = new Set(sequence);
    distinct.delete(NONE);
    for (const term of distinct) isInWindow[term] = 1;
    for (const term of distinct) {
      const end = start[term + 1]!;
      for (let at = start[term]!; at < end; at++) {
        // Read in order, and most often enough to see that the label is not there: the tables by label are not.
        if ((isInWindow[eitherTerm[at]!]! | isInWindow[orTerm[at]!]!) === 0) continue;
        const label = listed[at]!;
        if (checkedInWindow[label] === stamp) continue;
        checkedInWindow[label] = stamp;
        const share = shareInWindow(label);
        if (share === 0) continue;
        add({ label, strength: coverageStrength(share, labels.mass[label]! / maxIdf), whole: false });
      }
    }
    for (const term of distinct) isInWindow[term] = 0;
  }

  /** Share of a label's idf mass in the window, or 0 when too little of it is there. */
  function shareInWindow(label: number): number {
    const limit = mayMiss[label]!;
    let missing = 0;
    for (let at = rareStart[label]!, end = rareStart[label + 1]!; at < end; at++) {
      const term = rareTerms[at]!;
      if (isInWindow[term] === 1) continue;
      missing += vocabulary.idf[term]!;
      if (missing > limit) return 0;
    }
    return 1 - missing / labels.mass[label]!;
  }

  /** Labels whose stems are a stretch of the window. */
  function addPhrases(sequence: readonly number[], lang: number, add: AddFound): void {
    const { phrases } = terms;
    for (let start = 0; start < sequence.length; start++) {
      const first = sequence[start]!;
      if (first === NONE) continue;
      let node = enterTrie(phrases, first);
      for (let at = start + 1; node.low < node.high; at++) {
        const end = endOfOwners(phrases, node);
        for (let entry = node.low; entry < end; entry++) {
          const label = phrases.owner[entry]!;
          const mass = labels.mass[label]! / vocabulary.maxIdf[lang]!;
          add({ label, strength: mass + PHRASE_BONUS * Math.min(1, mass), whole: true });
        }
        const next = sequence[at];
        if (next === undefined || next === NONE) break;
        node = descend(phrases, node, next);
      }
    }
  }

  /** A text takes English words for new things; a foreign word that is also a word of the text's language is no evidence. */
  function addForeignPhrases(words: readonly string[], lang: number, add: AddFound): void {
    const english = lexicon.findLang('en');
    if (english < 0 || english === lang) return;
    addPhrases(lexicon.contentTerms(words, english), english, (found) => {
      const { label, strength } = found;
      const isLong = labels.termStart[label + 1]! - labels.termStart[label]! > 1;
      if (isLong || !hasLabelIn(labels.conceptOf[label]!, lang)) {
        add({ ...found, strength: strength * FOREIGN_PHRASE_FACTOR });
      }
    });
  }

  /** A text of a language without labels can still name things in English. */
  function labelLangFor(lang: string): number {
    const known = lexicon.findLang(lang);
    return known >= 0 ? known : Math.max(lexicon.findLang('en'), 0);
  }

  function hasLabelIn(concept: number, lang: number): boolean {
    return labels.langOf
      .subarray(concepts.labelStart[concept], concepts.labelStart[concept + 1])
      .includes(lang);
  }

  return ({ text, lang, source, max }: TagQuery): TagAnswer => {
    const windows = splitWindows(text);
    const tokenizedText = windows.map(({ words }) => words.join(' ')).join(' ');
    const langOrdinal = labelLangFor(lang);
    if (source !== undefined && !concepts.sources.includes(source)) return { tokenizedText, tags: [] };
    collector.start(source === undefined ? -1 : concepts.sources.indexOf(source));
    for (const [i, { namingWords }] of windows.entries()) {
      stamp = stamp === 0xffffffff ? wipe(checkedInWindow) : stamp + 1;
      const sequence = lexicon.contentTerms(namingWords, langOrdinal);
      const add = (found: Found) => collector.add(found, i);
      addCovered(sequence, langOrdinal, add);
      addPhrases(sequence, langOrdinal, add);
      addForeignPhrases(namingWords, langOrdinal, add);
    }
    const best = collector.best(max * CANDIDATES_PER_TAG);
    const tags = pruneTags(terms, best, (window) =>
      lexicon.contentTerms(windows[window]!.namingWords, langOrdinal),
    );
    return { tokenizedText, tags: toTags(terms, tags, { lang, max }) };
  };
}

type AddFound = (found: Found) => void;

function toTags(
  terms: OpenTerms,
  candidates: readonly TagCandidate[],
  { lang, max }: { lang: string; max: number },
): Tag[] {
  const tags = new Map<string, Tag>();
  for (const { concept, strength } of candidates) {
    const label = textOf(terms, preferredLabel(terms, concept, lang));
    const key = fold(label);
    if (tags.size >= max) break;
    if (tags.has(key)) continue;
    tags.set(key, {
      label,
      conceptId: idOf(terms, concept),
      source: sourceOf(terms, concept),
      score: confidenceOf(strength),
    });
  }
  return [...tags.values()];
}

function wipe(array: Uint32Array): 1 {
  array.fill(0);
  return 1;
}
