import type { Expansion, ObjectQuery, Phrase } from '../../../src/engine/objects/types.ts';
import {
  CONTEXT_SHARE,
  FAMILY_BELOW,
  FUNCTION_WORD_DOCUMENTS,
  LANGUAGE_SHARE,
  matchWeights,
  PREFERRED_SHARE,
  RELATED_BELOW,
  REQUEST_SHARE,
  UNSEEN_DOCUMENTS,
} from '../../../src/engine/objects/weights.ts';
import { flagRequestWords, guessRequestLanguages, isRequestWord } from '../../../src/engine/text/request-words.ts';
import { listDerivedStems } from '../../../src/engine/text/stem.ts';
import { isStopword, isStopwordOf } from '../../../src/engine/text/stopwords.ts';
import { nameToTerm, stemToTerm, toFormTerm, toTerm } from '../../../src/engine/text/term.ts';
import { MAX_QUERY_WORDS, tokenize } from '../../../src/engine/text/tokenize.ts';
import { isLetterMoved, isLikelyTypo } from '../../../src/engine/text/typo-table.ts';
import type { NaiveDocument } from './naive-document.ts';

/** One way of finding a word of the query. */
export interface NaiveSource {
  /** 1 to 255 where the document has it, else 0. */
  impactIn(document: NaiveDocument): number;
  readonly weight: number;
  readonly isExact: boolean;
}

export interface NaiveGroup {
  readonly word: string;
  readonly sources: readonly NaiveSource[];
  /** Those of the word itself. */
  readonly own: readonly NaiveSource[];
  readonly frequency: number;
  /** The share of its idf that counts: 1 for a word of the subject. */
  readonly share: number;
  /** Of the phrase of a taxonomy that it is a word of; null where it is of none. */
  readonly phrase: string | null;
}

export interface NaiveQuery {
  readonly groups: readonly NaiveGroup[];
  readonly truncated: boolean;
  /** What was taken for what was meant, by the word that was typed. */
  readonly corrections: ReadonlyMap<string, string>;
  /** The language that the query speaks. */
  readonly lang: string | null;
}

/** What counts as finding each word, worked out by looking through all documents. */
export function naiveGroups(documents: readonly NaiveDocument[], query: ObjectQuery): NaiveQuery {
  const available = [...new Set(documents.map(({ document }) => document.lang))];
  const isGiven = query.filters.lang !== undefined && query.prefer === undefined;
  const lang = isGiven ? null : naiveLanguage(documents, available, query);
  const langs = query.langs ?? (lang === null ? available : [lang]);
  const only = langs.length === 1 ? langs[0] : undefined;
  const given = query.langs?.length === 1 ? query.langs[0] : undefined;
  const all = tokenize(query.keywords);
  const around = tokenize(query.context ?? '');
  const spoken = given === undefined ? guessRequestLanguages([...all, ...around]) : [];
  const isSpoken = (word: string) =>
    (spoken.length > 0 && spoken.every((lang) => isStopwordOf(word, lang))) ||
    (given === undefined && isStopwordOf(word, query.prefer ?? ''));
  const isContent = (word: string) => !isStopword(word, only);
  const isWanted = (word: string) => !isStopword(word, given) && !isSpoken(word);
  const words = [...new Set(all.some(isWanted) ? all.filter(isWanted) : all)];
  const subjects = words.slice(0, MAX_QUERY_WORDS);
  const others = new Set(around.filter((word) => words.length > 0 && isWanted(word) && !words.includes(word)));
  const searched = [...subjects, ...others].slice(0, MAX_QUERY_WORDS);
  const isContext = (i: number) => i >= subjects.length;
  const typoLang = query.prefer ?? lang;
  const termsOf = (word: string) => langs.map((lang) => toTerm(word, lang));
  const isWritten = (word: string) => frequencyOf(documents, sourcesOf(ownTerms(documents, word, langs), 1, true)) > 0;
  const isSpelled = (word: string) => documents.some(({ termsOfWord }) => termsOfWord.has(word));
  const requests = flagRequestWords(subjects, isSpelled);
  const asTyped = query.expand?.(searched, only) ?? [];
  const meant = searched.map((word, i) => {
    const isKnown = asTyped.some((span) => span.start <= i && i < span.end);
    const isBegun = query.prefix === true && i === subjects.length - 1;
    if (query.model !== 'extended' || isKnown || isBegun || isContext(i)) return word;
    if (requests[i]! && isRequestWord(word)) return word;
    if (isWritten(word) || frequencyOf(documents, sourcesOf(familyOf(word, langs), 1, true)) > 0) return word;
    return commonestTypo(documents, word, typoLang) ?? word;
  });
  const corrections = new Map(searched.map((word, i) => [word, meant[i]!] as const).filter(([a, b]) => a !== b));
  const expansions = query.expand?.(meant, only) ?? [];
  const groups = searched.map((word, i): NaiveGroup => {
    const isWithin = ({ start, end }: Expansion) => end <= subjects.length || start >= subjects.length;
    const here = expansions.filter((span) => span.start <= i && i < span.end && isWithin(span));
    const isGuess = (span: Expansion) =>
      searched.some((one, at) => span.start <= at && at < span.end && one !== meant[at]);
    const spans = here.filter((span) => !isGuess(span));
    const isNamed = here.some(({ start, end }) => end - start > 1);
    const isRequest = !isContext(i) && requests[i]! && requests.includes(false) && !isNamed;
    const phrases = (lists: readonly Phrase[], weight: number, isExact: boolean) =>
      lists
        .map(({ words: own, lang }) => {
          const content = own.filter(isContent);
          return content.map((one) => [...phraseTerms(documents, one, { lang, isAlone: content.length === 1 })]);
        })
        .filter((phrase) => phrase.length > 0)
        .flatMap((phrase) => findPhraseSources(phrase, weight, isExact));
    const at = all.indexOf(word);
    const neighbours = at < 0 ? [] : [all.slice(at - 1, at).concat(word), [word, ...all.slice(at + 1, at + 2)]];
    const joined = neighbours
      .filter((pair) => pair.length === 2 && pair.every((one) => one === word || isWanted(one)))
      .map((pair) => pair.join(''));
    const own = ownTerms(documents, word, langs);
    const stems = langs.filter((lang) => toFormTerm(word, lang) !== '').map((lang) => toTerm(word, lang));
    const ownSources = [...own].flatMap((term) =>
      sourcesOf([term], stems.includes(term) ? matchWeights.stem : 1, true),
    );
    const ownForms = sourcesOf(
      new Set(langs.map((lang) => toFormTerm(word, lang)).filter((term) => term !== '')),
      1,
      true,
    );
    const isGuessed = query.model === 'extended' && frequencyOf(documents, ownSources) === 0;
    const isBegun = query.prefix === true && i === subjects.length - 1 && word.length >= 2;
    const begun = isBegun ? termsOfSpellings(documents, (other) => other.startsWith(word)) : [];
    const mistyped = isGuessed ? termsOfSpellings(documents, isTypoIn(documents, word, typoLang)) : [];
    const exact = [
      ...ownForms,
      ...ownSources,
      ...joined.flatMap((one) => sourcesOf(new Set(termsOf(one)), matchWeights.joined, true)),
      ...phrases(
        spans.flatMap((span) => span.synonyms),
        matchWeights.synonym,
        true,
      ),
    ];
    const isExtended = query.model === 'extended';
    const isKnown = frequencyOf(documents, ownSources) >= RELATED_BELOW;
    const related = isExtended && !isKnown && !isContext(i) ? here.flatMap((span) => span.related) : [];
    const guessed = isKnown ? [] : here.filter(isGuess).flatMap((span) => span.synonyms);
    const isTyping = query.prefix === true && i === subjects.length - 1;
    const hasFamily = isExtended && !isRequest && !isTyping && frequencyOf(documents, ownSources) < FAMILY_BELOW;
    const sources = [
      ...exact,
      ...sourcesOf(begun, matchWeights.prefix, false),
      ...sourcesOf(mistyped, matchWeights.typo, false),
      ...phrases(related, matchWeights.related, false),
      ...phrases(guessed, matchWeights.synonym * matchWeights.typo, false),
      ...(hasFamily ? familyOf(word, langs) : []).flatMap((term) => sourcesOf([term], matchWeights.derived, false)),
    ];
    return {
      word,
      sources,
      own: ownSources,
      frequency: frequencyOf(documents, ownSources) || frequencyOf(documents, exact) || frequencyOf(documents, sources),
      share: isContext(i) ? CONTEXT_SHARE : isRequest ? REQUEST_SHARE : 1,
      phrase: isContext(i) ? null : phraseOf(here),
    };
  });
  return { groups: withFrames(documents, groups), corrections, lang, truncated: subjects.length < words.length };
}

/** Of four words or more, those that most documents only mention count less. */
function withFrames(documents: readonly NaiveDocument[], groups: readonly NaiveGroup[]): readonly NaiveGroup[] {
  if (groups.filter(({ share }) => share === 1).length < 4) return groups;
  const isFrame = ({ share, phrase, own }: NaiveGroup) => {
    const impacts = own.flatMap((source) => documents.map((document) => source.impactIn(document)));
    const topical = impacts.filter((impact) => impact >= 128).length;
    return share === 1 && phrase === null && topical < impacts.filter((impact) => impact > 0).length / 2;
  };
  const framed = groups.map((group) => (isFrame(group) ? { ...group, share: REQUEST_SHARE } : group));
  return framed.some(({ share }) => share === 1) ? framed : groups;
}

function naiveLanguage(
  documents: readonly NaiveDocument[],
  langs: readonly string[],
  { keywords, prefer }: ObjectQuery,
): string | null {
  const all = tokenize(keywords);
  const spoken = guessRequestLanguages(all);
  const isWanted = (word: string) =>
    !isStopword(word, undefined) &&
    !isStopwordOf(word, prefer ?? '') &&
    !(spoken.length > 0 && spoken.every((lang) => isStopwordOf(word, lang)));
  const searched = [...new Set(all.some(isWanted) ? all.filter(isWanted) : all)].slice(0, MAX_QUERY_WORDS);
  const left = [...new Set(all.some(isWanted) ? all.filter((word) => !isWanted(word)) : [])];
  const evidence = langs.map((lang) => {
    const documentsWith = (word: string) => {
      const term = toTerm(word, lang);
      if (!termsOfSpellings(documents, (other) => other === word).includes(term)) return 0;
      return documents.filter(({ impacts }) => impacts.has(term)).length;
    };
    const functions = left.map((word) => (isStopwordOf(word, lang) ? FUNCTION_WORD_DOCUMENTS : 0));
    return [...searched.map(documentsWith), ...functions].map((count) => count + UNSEEN_DOCUMENTS);
  });
  const preferred = langs.indexOf(prefer ?? '');
  // The last one is that of a single function word.
  const counted = searched.length + (left.length === 1 ? 0 : left.length);
  const isAtHome = (own: readonly number[]) =>
    own.slice(0, counted).every((value, i) => evidence.every((other) => value >= PREFERRED_SHARE * other[i]!));
  if (preferred >= 0 && isAtHome(evidence[preferred]!)) return langs[preferred]!;
  const products = evidence.map((own) => own.reduce((product, value) => product * value, 1));
  const sum = products.reduce((total, value) => total + value, 0);
  const clear = langs[products.findIndex((value) => value >= LANGUAGE_SHARE * sum)];
  return clear ?? langs[preferred] ?? null;
}

function phraseOf(spans: readonly Expansion[]): string | null {
  const named = spans.find(({ start, end }) => end - start > 1);
  return named === undefined ? null : `${named.start} ${named.end}`;
}

function familyOf(word: string, langs: readonly string[]): string[] {
  return langs.flatMap((lang) => [...listDerivedStems(word, lang)].map((derived) => stemToTerm(derived, lang)));
}

function ownTerms(documents: readonly NaiveDocument[], word: string, langs: readonly string[]): Set<string> {
  const spelled = termsOfSpellings(documents, (other) => other === word);
  return new Set([...langs.map((lang) => toTerm(word, lang)), nameToTerm(word), ...spelled]);
}

/** A synonym of one word matches as itself, and not by a stem that it shares with other words. */
function phraseTerms(
  documents: readonly NaiveDocument[],
  word: string,
  { lang, isAlone }: { readonly lang: string; readonly isAlone: boolean },
): Set<string> {
  const terms = ownTerms(documents, word, [lang]);
  const form = isAlone ? toFormTerm(word, lang) : '';
  if (form === '') return terms;
  terms.delete(toTerm(word, lang));
  return terms.add(form);
}

const wordsOf = (documents: readonly NaiveDocument[]) =>
  new Set(documents.flatMap(({ termsOfWord }) => [...termsOfWord.keys()]));

/** Likely typos in the language, or in any if it has none. */
function isTypoIn(documents: readonly NaiveDocument[], word: string, lang: string | null): (other: string) => boolean {
  const isNear = (other: string) => isTypo(word, other) && (/\d/.test(word) || isLikelyTypo(word, other));
  const isInLanguage = (other: string) =>
    termsOfSpellings(documents, (one) => one === other).some((term) => term.endsWith(`/${lang}`));
  const near = [...wordsOf(documents)].filter(isNear);
  const inLanguage = near.filter(isInLanguage);
  const typos = new Set(inLanguage.length > 0 ? inLanguage : near);
  return (other) => typos.has(other);
}

function commonestTypo(documents: readonly NaiveDocument[], word: string, lang: string | null): string | null {
  const ranked = [...wordsOf(documents)]
    .filter(isTypoIn(documents, word, lang))
    .sort()
    .map((other) => ({
      other,
      count: frequencyOf(
        documents,
        sourcesOf(
          termsOfSpellings(documents, (one) => one === other),
          1,
          true,
        ),
      ),
    }));
  return ranked.sort((a, b) => b.count - a.count)[0]?.other ?? null;
}

function frequencyOf(documents: readonly NaiveDocument[], sources: readonly NaiveSource[]): number {
  return sources.reduce((sum, source) => sum + documents.filter((document) => source.impactIn(document) > 0).length, 0);
}

function termsOfSpellings(documents: readonly NaiveDocument[], isWanted: (word: string) => boolean): string[] {
  const terms = documents.flatMap(({ termsOfWord }) =>
    [...termsOfWord].filter(([word]) => isWanted(word)).flatMap(([, own]) => [...own]),
  );
  return [...new Set(terms)];
}

function sourcesOf(terms: Iterable<string>, weight: number, isExact: boolean): NaiveSource[] {
  return Array.from(terms, (term) => ({
    impactIn: ({ impacts }) => impacts.get(term) ?? 0,
    weight,
    isExact,
  }));
}

/** A phrase of one word is found like that word; of several, where all are, with the least. */
function findPhraseSources(phrase: readonly string[][], weight: number, isExact: boolean): NaiveSource[] {
  if (phrase.length === 1) return sourcesOf(phrase[0]!, weight, isExact);
  const impactIn = ({ impacts }: NaiveDocument): number => {
    const best = phrase.map((stems) => Math.max(...stems.map((text) => impacts.get(text) ?? 0)));
    return Math.min(...best);
  };
  return [{ impactIn, weight, isExact }];
}

function isTypo(word: string, other: string): boolean {
  if (/\d/.test(word) && word.replace(/\d/g, '') !== other.replace(/\d/g, '')) return false;
  const mayBe = (text: string) => text.length >= 4 && text.length <= 24;
  const isNear = distance(word, other) <= 1 || (word.length > 5 && isLetterMoved(word, other));
  return mayBe(word) && mayBe(other) && !/\d/.test(other) && isNear;
}

/** Optimal string alignment, the whole matrix. */
export function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      }
      rows[i]![j] = least;
    }
  }
  return rows[a.length]![b.length]!;
}
