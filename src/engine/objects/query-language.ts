import { isFunctionWordOf } from '../text/stopwords.ts';
import type { FoundGroup } from './posting-sources.ts';
import type { QueryPlan } from './query-plan.ts';
import { FUNCTION_WORD_DOCUMENTS, LANGUAGE_SHARE } from './weights.ts';

/** The language that the words of a query speak for, by how many documents of each have them; null where they leave it
 *  open, as names of products do.
 *  @param found the groups of the plan */
export function findQueryLanguage(
  plan: QueryPlan,
  found: readonly Pick<FoundGroup, 'written'>[],
): string | null {
  const evidence = plan.langs.map((lang, l) => {
    const own = found.map(({ written }) => (written[l] ?? 0) + 1);
    const functions = plan.functionWords.map((word) =>
      isFunctionWordOf(word, lang) ? FUNCTION_WORD_DOCUMENTS + 1 : 1,
    );
    return [...own, ...functions].reduce((product, count) => product * count, 1);
  });
  const sum = evidence.reduce((total, value) => total + value, 0);
  const best = evidence.findIndex((value) => value >= LANGUAGE_SHARE * sum);
  return best < 0 ? null : plan.langs[best]!;
}
