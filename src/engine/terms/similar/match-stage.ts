import type { OpenTerms } from '../concept-view.ts';
import type { ReadQuery } from './score-concepts.ts';
import { NONE } from '../term-data.ts';
import type { MatchStage } from '../types.ts';

/** Worst last. */
const STAGES = ['partial', 'typo', 'ngram'] as const;

/** How a label was found that is not the query itself: by the farthest of the words that were found of it. */
export function describeMatch(terms: OpenTerms, label: number, query: ReadQuery): MatchStage {
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
