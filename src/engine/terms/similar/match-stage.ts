import type { OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';
import type { MatchStage } from '../types.ts';
import type { ReadQuery } from './parse-query.ts';

/** Worst last. */
const STAGES = ['partial', 'typo', 'ngram'] as const;

/** How a label was found. */
export function findMatchStage(terms: OpenTerms, label: number, query: ReadQuery): MatchStage {
  if (hasMatchingWords(terms, label, query.words)) return 'exact';
  return hasMatchingTerms(terms, label, query) ? 'stem' : describeMatch(terms, label, query);
}

/** How a label that is not the query itself was found: by the least similar of its words that were found. */
function describeMatch(terms: OpenTerms, label: number, query: ReadQuery): MatchStage {
  const { labels, lexicon } = terms;
  const lang = labels.langOf[label]!;
  const own = new Set(labels.words.subarray(labels.wordStart[label], labels.wordStart[label + 1]));
  const ownTerms = labels.terms.subarray(labels.termStart[label], labels.termStart[label + 1]);
  let worst = 0;
  let isFound = false;
  for (const { word, near, isIgnoredIn } of query.slots) {
    if (isIgnoredIn[lang]) continue;
    const term = lexicon.findTerm(word, lang);
    const isSame = term !== NONE && ownTerms.includes(term);
    const found = near.find((other) => own.has(other.word));
    if (!isSame && found === undefined) continue;
    isFound = true;
    if (!isSame && found?.by !== 'same') worst = Math.max(worst, found?.by === 'typo' ? 1 : 2);
  }
  return isFound ? STAGES[worst]! : 'ngram';
}

/** Whether the label is these very words. */
export function hasMatchingWords(
  { labels, lexicon }: OpenTerms,
  label: number,
  words: readonly string[],
): boolean {
  const start = labels.wordStart[label]!;
  if (labels.wordStart[label + 1]! - start !== words.length) return false;
  return words.every((word, i) => lexicon.words[labels.words[start + i]!] === word);
}

/** Whether the label's terms are the query's, in order. */
export function hasMatchingTerms({ labels }: OpenTerms, label: number, { termsByLang }: ReadQuery): boolean {
  const own = termsByLang[labels.langOf[label]!]!;
  const start = labels.termStart[label]!;
  return (
    labels.termStart[label + 1]! - start === own.length &&
    own.every((term, i) => labels.terms[start + i] === term)
  );
}
