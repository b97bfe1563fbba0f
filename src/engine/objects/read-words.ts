import { MAX_QUERY_WORDS } from '../query-words.ts';
import { spokenLanguages } from '../text/spoken-language.ts';
import { isFunctionWordOf, isStopword } from '../text/stopwords.ts';
import { tokenize } from '../text/tokenize.ts';

/** The keywords of a query, word by word. */
export interface QueryWords {
  /** Those that are looked for, each once; function words are not, unless there is nothing else. */
  readonly searched: readonly string[];
  /** Those that were left out for being function words, each once. */
  readonly functionWords: readonly string[];
  /** Whether words were left out because there were too many. */
  readonly truncated: boolean;
  /** The word written as one with the word before it, and with the one behind: `crypto currency`, but not `the rapist`. */
  joinedWith(word: string): readonly string[];
}

/** @param only the language of the query, where it has but one */
export function readWords(keywords: string, only: string | undefined): QueryWords {
  const all = tokenize(keywords);
  const spoken = only === undefined ? spokenLanguages(all) : [];
  const isFunctionWord = (word: string) =>
    isStopword(word, only) || (spoken.length > 0 && spoken.every((lang) => isFunctionWordOf(word, lang)));
  const meaningful = all.filter((word) => !isFunctionWord(word));
  const words = [...new Set(meaningful.length > 0 ? meaningful : all)];
  const searched = words.slice(0, MAX_QUERY_WORDS);
  const isPart = (word: string | undefined) => word !== undefined && !isFunctionWord(word);
  return {
    searched,
    functionWords: meaningful.length > 0 ? [...new Set(all.filter(isFunctionWord))] : [],
    truncated: searched.length < words.length,
    joinedWith(word) {
      const at = all.indexOf(word);
      const [before, after] = [all[at - 1], all[at + 1]];
      return [...(isPart(before) ? [before + word] : []), ...(isPart(after) ? [word + after] : [])];
    },
  };
}
