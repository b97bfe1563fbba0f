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
  // As logarithms: the product of many words is more than a number holds.
  const evidence = plan.langs.map((lang, l) => {
    const own = found.map(({ written }) => Math.log((written[l] ?? 0) + 1));
    const functions = plan.functionWords.map((word) =>
      isFunctionWordOf(word, lang) ? Math.log(FUNCTION_WORD_DOCUMENTS + 1) : 0,
    );
    return [...own, ...functions].reduce((sum, value) => sum + value, 0);
  });
  const most = Math.max(...evidence);
  const shares = evidence.map((value) => Math.exp(value - most));
  const sum = shares.reduce((total, share) => total + share, 0);
  return 1 >= LANGUAGE_SHARE * sum ? plan.langs[evidence.indexOf(most)]! : null;
}
