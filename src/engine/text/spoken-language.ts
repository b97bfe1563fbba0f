import { isRequestWordOf } from './request-words.ts';
import { functionLanguages, isFunctionWordOf } from './stopwords.ts';

/** One word proves nothing: `van`, `mit` and `chi` are function words somewhere and names elsewhere. */
const MIN_EVIDENCE = 2;

/** The languages that more of these folded words are function words or words of asking of than of any other: two that are as
 *  near as Spanish and Portuguese, say; none where none has two of them, or none of them is a function word. */
export function spokenLanguages(words: readonly string[]): string[] {
  const counts = functionLanguages.map((lang) => {
    const functions = words.filter((word) => isFunctionWordOf(word, lang)).length;
    const requests = words.filter((word) => isRequestWordOf(word, lang)).length;
    return functions === 0 ? 0 : functions + requests;
  });
  const most = Math.max(MIN_EVIDENCE, ...counts);
  return functionLanguages.filter((_, l) => counts[l] === most);
}
