import { MAX_QUERY_WORDS } from '../query-words.ts';
import { derivedStems } from '../text/derived-forms.ts';
import { isRequestWord } from '../text/request-words.ts';
import { functionLanguage, isStopword } from '../text/stopwords.ts';
import { termOf, termOfName, termOfStem } from '../text/term.ts';
import { tokenize } from '../text/tokenize.ts';
import { expandWords } from './expand-words.ts';
import type { ObjectQuery } from './types.ts';
import { matchWeights } from './weights.ts';

/** A phrase that stands for one or more words of the query: all its words must be in the document. */
export interface Alternative {
  /** For each word of the phrase, its terms by language, of which any will do. */
  readonly words: readonly (readonly string[])[];
  readonly weight: number;
}

/** One word of the query and everything that counts as finding it. */
export interface Group {
  readonly word: string;
  /** The word itself, by language and as a name; equal worth. */
  readonly terms: readonly string[];
  /** Synonyms, of this word alone or of a span it is part of. */
  readonly synonyms: readonly Alternative[];
  /** Guesses, for the extended model: terms of words of its family. */
  derived(): readonly string[];
  /** Guesses, for the extended model: what is near in meaning, synonyms of what it is a typo of. */
  readonly related: readonly Alternative[];
  readonly isPrefix: boolean;
  /** Asks for learning, beside other words that say about what: it adds to what is found and need not be found. */
  readonly isRequest: boolean;
}

export interface QueryPlan {
  readonly groups: readonly Group[];
  /** Languages whose stemmers are tried. */
  readonly langs: readonly string[];
  /** Words that nobody wrote, with the word that was taken for what was meant. */
  readonly corrections: ReadonlyMap<string, string>;
  /** Function words that were left out. */
  readonly functionWords: readonly string[];
  /** Whether words were left out because there were too many. */
  readonly truncated: boolean;
}

/** Gives what a word is a typo of; null where a document has one of the terms, or nothing is like it.
 *  @param derived further terms, only asked for where no document has the first */
export type Corrector = (
  word: string,
  terms: readonly string[],
  derived: () => readonly string[],
) => string | null;

/** Split the keywords into groups. Function words are left out, unless there is nothing else.
 *  @param langs languages whose stemmers are tried */
export function planQuery(query: ObjectQuery, langs: readonly string[], correct: Corrector): QueryPlan {
  const only = langs.length === 1 ? langs[0] : undefined;
  const all = tokenize(query.keywords);
  const spoken = only ?? functionLanguage(all);
  const isFunctionWord = (word: string) =>
    isStopword(word, only) || (spoken !== null && isStopword(word, spoken));
  const meaningful = all.filter((word) => !isFunctionWord(word));
  const words = [...new Set(meaningful.length > 0 ? meaningful : all)];
  const searched = words.slice(0, MAX_QUERY_WORDS);
  const requests = searched.map(isRequestWord);
  const hasSubject = requests.includes(false);
  const termsOf = (word: string) => langs.map((lang) => termOf(word, lang));
  const derivedOf = (word: string) =>
    langs.flatMap((lang) => Array.from(derivedStems(word, lang), (derived) => termOfStem(derived, lang)));
  const isExtended = query.model === 'extended';
  const isBegun = (i: number) => query.prefix === true && i === searched.length - 1;
  const { spans: expansions, corrections } = expandWords(searched, {
    query,
    only,
    termsOf,
    correct: (word) =>
      !isExtended || isRequestWord(word) || isBegun(searched.indexOf(word))
        ? null
        : correct(word, [...termsOf(word), termOfName(word)], () => derivedOf(word)),
  });
  const groups = searched.map((word, i): Group => {
    const spans = expansions.filter(({ start, end }) => start <= i && i < end);
    const joined = joinedWith(word, all).map((one) => ({
      words: [termsOf(one)],
      weight: matchWeights.joined,
    }));
    const isRequest = hasSubject && requests[i]!;
    return {
      word,
      terms: [...termsOf(word), termOfName(word)],
      synonyms: [...joined, ...spans.flatMap((span) => span.synonyms)],
      derived: () => (isExtended && !isRequest && !isBegun(i) ? derivedOf(word) : []),
      related: spans.flatMap((span) => span.related),
      isPrefix: isBegun(i) && word.length >= 2,
      isRequest,
    };
  });
  const functionWords = meaningful.length > 0 ? all.filter(isFunctionWord) : [];
  return { groups, langs, corrections, functionWords, truncated: searched.length < words.length };
}

/** The word written as one with the word before it, and with the one behind: `crypto currency`. */
function joinedWith(word: string, all: readonly string[]): string[] {
  const at = all.indexOf(word);
  const [before, after] = [all[at - 1], all[at + 1]];
  return [...(before === undefined ? [] : [before + word]), ...(after === undefined ? [] : [word + after])];
}
