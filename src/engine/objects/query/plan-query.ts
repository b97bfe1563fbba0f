import { getOrAdd } from '#engine/maps';
import { flagRequestWords, guessRequestLanguages, isRequestWord } from '#engine/text/request-words';
import { listDerivedStems, splitCompound } from '#engine/text/stem';
import { isStopword, isStopwordOf } from '#engine/text/stopwords';
import { nameToTerm, stemToTerm, toFormTerm, toTerm } from '#engine/text/term';
import { MAX_QUERY_WORDS, tokenize } from '#engine/text/tokenize';
import type { ObjectQuery } from '../types.ts';
import { CONTEXT_SHARE, matchWeights, REQUEST_SHARE } from '../weights.ts';
import { expandWords, type Phrases } from './expand-words.ts';
import type { WrittenWords } from './guess-words.ts';

/** A searched word with everything that matches it. */
export interface Group {
  readonly word: string;
  /** Terms of the word itself, in each language and as a name. */
  readonly terms: readonly string[];
  /** Terms of its own form, where its stem has other words as well … */
  readonly forms: readonly string[];
  /** … and the terms of those stems. */
  readonly stems: readonly string[];
  /** Terms of the word joined with a neighbour. */
  readonly joined: readonly string[];
  readonly synonyms: readonly Phrases[];
  /** Lists the terms of words of the same family, in the extended model. */
  derived(): readonly string[];
  /** Related phrases, and synonyms of corrections, in the extended model. */
  readonly related: readonly Phrases[];
  readonly isPrefix: boolean;
  /** The range of query words (end exclusive) that a taxonomy names together with this one. */
  readonly phrase: readonly [start: number, end: number] | null;
  /** The share of its idf that counts: 1 for a word of the subject; others are not required. */
  readonly share: number;
}

export interface QueryPlan {
  readonly groups: readonly Group[];
  /** Words that no document has → the words that are searched for instead. */
  readonly corrections: ReadonlyMap<string, string>;
  /** Tells that words were left out because there were too many. */
  readonly truncated: boolean;
}

/** Plans a group for each searched word. @param langs languages whose stemmers are applied */
export function planQuery(
  query: ObjectQuery,
  langs: readonly string[],
  { written, words }: { readonly written: WrittenWords; readonly words: QueryWords },
): QueryPlan {
  const { searched, subjects, truncated, joinedWith } = words;
  const termsOf = cacheTerms(langs);
  const termsOfWord = (word: string) => [...termsOf(word), nameToTerm(word)];
  const derivedOf = (word: string) =>
    langs.flatMap((lang) => Array.from(listDerivedStems(word, lang), (derived) => stemToTerm(derived, lang)));
  const requests = flagRequestWords(searched.slice(0, subjects), written.isWritten);
  const hasSubject = requests.includes(false);
  const isExtended = query.model === 'extended';
  const isPrefix = (i: number) => query.prefix === true && i === subjects - 1;
  const isContext = (i: number) => i >= subjects;
  const { spans: expansions, corrections } = expandWords(searched, {
    query,
    langs,
    correct: (word, i) =>
      !isExtended || isContext(i) || isPrefix(i) || (requests[i]! && isRequestWord(word))
        ? null
        : written.correct(word, termsOfWord(word), () => derivedOf(word)),
  });
  const partsOf = (word: string) => (langs.includes('de') ? splitCompound(word, written.isWritten) : []);
  const phraseOf = (parts: readonly string[]): Phrases => [
    { words: parts.map((part) => ({ word: part, terms: termsOfWord(part) })), weight: matchWeights.joined },
  ];
  const groups = searched.map((word, i): Group => {
    const parts = partsOf(word);
    // Words of the subject and of the context make no phrase.
    const spans = expansions.filter(
      ({ start, end }) => start <= i && i < end && (end <= subjects || start >= subjects),
    );
    // A label of several words names a subject: `formation professionnelle`.
    const phrase = spans.find(({ start, end }) => end - start > 1);
    const isRequest = !isContext(i) && hasSubject && requests[i]! && phrase === undefined;
    const subjectShare = isRequest ? REQUEST_SHARE : 1;
    return {
      word,
      terms: termsOfWord(word),
      ...findForms(word, langs),
      joined: joinedWith(word).flatMap(termsOf),
      synonyms: [...spans.flatMap((span) => span.synonyms), ...(parts.length > 0 ? [phraseOf(parts)] : [])],
      derived: () => (isExtended && !isRequest && !isPrefix(i) ? derivedOf(word) : []),
      related: isContext(i) ? [] : spans.flatMap((span) => span.related),
      isPrefix: isPrefix(i) && word.length >= 2,
      phrase: isContext(i) || phrase === undefined ? null : [phrase.start, phrase.end],
      share: isContext(i) ? CONTEXT_SHARE : subjectShare,
    };
  });
  return { groups, corrections, truncated };
}

function findForms(word: string, langs: readonly string[]): Pick<Group, 'forms' | 'stems'> {
  const [forms, stems]: [string[], string[]] = [[], []];
  for (const lang of langs) {
    const form = toFormTerm(word, lang);
    if (form === '') continue;
    forms.push(form);
    stems.push(toTerm(word, lang));
  }
  return { forms, stems };
}

/** Creates a function that returns the terms of a word, one for each language, with a cache, as
 *  each word is looked up several times. */
function cacheTerms(langs: readonly string[]): (word: string) => readonly string[] {
  const cache = new Map<string, readonly string[]>();
  return (word) => getOrAdd(cache, word, () => langs.map((lang) => toTerm(word, lang)));
}

export type QueryWords = ReturnType<typeof readQueryWords>;

/** Splits a query into words, and finds function words. @param only its language, if known */
export function readQueryWords(
  { keywords, context = '', prefer }: Pick<ObjectQuery, 'keywords' | 'context' | 'prefer'>,
  only: string | undefined,
) {
  const typed = tokenize(keywords);
  const contextWords = tokenize(context);
  const requestLanguages = only === undefined ? guessRequestLanguages([...typed, ...contextWords]) : [];
  const isFunctionWord = (word: string) =>
    isStopword(word, only) ||
    (only === undefined && prefer !== undefined && isStopwordOf(word, prefer)) ||
    (requestLanguages.length > 0 && requestLanguages.every((lang) => isStopwordOf(word, lang)));
  const meaningful = typed.filter((word) => !isFunctionWord(word));
  const words = [...new Set(meaningful.length > 0 ? meaningful : typed)];
  const subjects = words.slice(0, MAX_QUERY_WORDS);
  const furtherWords = contextWords.filter((word) => !isFunctionWord(word) && !words.includes(word));
  const isPart = (word: string | undefined) => word !== undefined && !isFunctionWord(word);
  return {
    /** The distinct words without function words, unless the query has only function words. */
    searched: words.length === 0 ? [] : [...subjects, ...new Set(furtherWords)].slice(0, MAX_QUERY_WORDS),
    /** The number of leading words that belong to the keywords, not to the context. */
    subjects: subjects.length,
    functionWords: meaningful.length > 0 ? [...new Set(typed.filter(isFunctionWord))] : [],
    truncated: subjects.length < words.length,
    /** Joins a word with each neighbour but function words: `crypto currency`, not `the rapist`. */
    joinedWith(word: string): readonly string[] {
      const at = typed.indexOf(word);
      if (at < 0) return [];
      const before = typed[at - 1];
      const after = typed[at + 1];
      return [...(isPart(before) ? [before + word] : []), ...(isPart(after) ? [word + after] : [])];
    },
  };
}
