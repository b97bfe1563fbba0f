import { flagRequestWords, guessRequestLanguages } from '#engine/text/request-words';
import { listDerivedStems } from '#engine/text/stem';
import { isFunctionWordOf, isStopword } from '#engine/text/stopwords';
import { nameToTerm, stemToTerm, toTerm } from '#engine/text/term';
import { MAX_QUERY_WORDS, tokenize } from '#engine/text/tokenize';
import type { ObjectQuery } from '../types.ts';
import { type ExpandedSpan, expandWords, type Phrases } from './expand-words.ts';
import type { WrittenWords } from './guess-words.ts';

/** One word of the query and everything that counts as finding it. */
export interface Group {
  readonly word: string;
  /** The word itself, by language and as a name, with equal worth. */
  readonly terms: readonly string[];
  /** Terms of the word written as one with a neighbour. */
  readonly joined: readonly string[];
  /** Synonyms, of this word alone or of a span it is part of. */
  readonly synonyms: readonly Phrases[];
  /** Guesses, for the extended model: terms of words of its family. */
  derived(): readonly string[];
  /** Guesses, for the extended model: what is near in meaning, synonyms of what it is a typo of. */
  readonly related: readonly Phrases[];
  readonly isPrefix: boolean;
  /** The words of the query that a taxonomy names together with it, half-open by index; null where it names this one alone. */
  readonly phrase: readonly [start: number, end: number] | null;
  /** Only asks for learning, beside other words that name the subject: it adds to the score but need not be found. */
  readonly isRequest: boolean;
}

export interface QueryPlan {
  readonly groups: readonly Group[];
  /** Languages whose stemmers are tried. */
  readonly langs: readonly string[];
  /** Words that no document has, with the word that was taken for what was meant. */
  readonly corrections: ReadonlyMap<string, string>;
  /** Whether words were left out because there were too many. */
  readonly truncated: boolean;
}

/** Split the keywords into groups. Function words are left out, unless there is nothing else.
 *  @param langs languages whose stemmers are tried */
export function planQuery(
  query: ObjectQuery,
  langs: readonly string[],
  { written, words }: { readonly written: WrittenWords; readonly words: QueryWords },
): QueryPlan {
  const { searched, truncated, joinedWith } = words;
  const termsOf = rememberTerms(langs);
  const ownTerms = (word: string) => [...termsOf(word), nameToTerm(word)];
  const derivedOf = (word: string) =>
    langs.flatMap((lang) => Array.from(listDerivedStems(word, lang), (derived) => stemToTerm(derived, lang)));
  const requests = flagRequestWords(searched, written.isWritten);
  const hasSubject = requests.includes(false);
  const isExtended = query.model === 'extended';
  const isBegun = (i: number) => query.prefix === true && i === searched.length - 1;
  const { spans: expansions, corrections } = expandWords(searched, {
    query,
    langs,
    correct: (word, i) =>
      !isExtended || requests[i]! || isBegun(i)
        ? null
        : written.correct(word, ownTerms(word), () => derivedOf(word)),
  });
  const groups = searched.map((word, i): Group => {
    const spans = expansions.filter(({ start, end }) => start <= i && i < end);
    // What a taxonomy names by several words is a subject: `formation professionnelle`.
    const isNamed = spans.some(({ start, end }) => end - start > 1);
    const isRequest = hasSubject && requests[i]! && !isNamed;
    return {
      word,
      terms: ownTerms(word),
      joined: joinedWith(word).flatMap(termsOf),
      synonyms: spans.flatMap((span) => span.synonyms),
      derived: () => (isExtended && !isRequest && !isBegun(i) ? derivedOf(word) : []),
      related: spans.flatMap((span) => span.related),
      isPrefix: isBegun(i) && word.length >= 2,
      phrase: findPhrase(spans),
      isRequest,
    };
  });
  return { groups, langs, corrections, truncated };
}

function findPhrase(spans: readonly ExpandedSpan[]): Group['phrase'] {
  const named = spans.find(({ start, end }) => end - start > 1);
  return named === undefined ? null : [named.start, named.end];
}

/** Terms of a word by language; each word of a query is asked for several times. */
function rememberTerms(langs: readonly string[]): (word: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (word) => {
    let terms = known.get(word);
    if (terms === undefined) {
      terms = langs.map((lang) => toTerm(word, lang));
      known.set(word, terms);
    }
    return terms;
  };
}

/** The keywords of a query, word by word. */
export interface QueryWords {
  /** Words to look for, each once; without function words, unless there is nothing else. */
  readonly searched: readonly string[];
  /** Function words that were left out, each once. */
  readonly functionWords: readonly string[];
  /** Whether words were left out because there were too many. */
  readonly truncated: boolean;
  /** The word joined with the one before it, and with the one after it: `crypto currency`, but not `the rapist`. */
  joinedWith(word: string): readonly string[];
}

/** @param only the language of the query, where it has only one */
export function readQueryWords(keywords: string, only: string | undefined): QueryWords {
  const all = tokenize(keywords);
  const spoken = only === undefined ? guessRequestLanguages(all) : [];
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
