import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { getOrAdd } from '../maps.ts';
import { fold } from './fold.ts';

/** A map, as callers may pass any text as a language, and objects have a `constructor`. */
const STEMMERS: ReadonlyMap<string, (word: string) => string> = new Map([
  ['de', german],
  ['en', english],
  ['es', spanish],
  ['fr', french],
  ['it', italian],
  ['nl', dutch],
  ['pt', portuguese],
]);

/** The languages with a stemmer; words of other languages are matched unchanged. */
export const stemmedLanguages: readonly string[] = [...STEMMERS.keys()];

/** The Snowball rules expect accented endings, but words are folded before they are stemmed. So the
 *  endings that matter get their accents back, in queries and documents alike. */
const ACCENTED_ENDINGS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  fr: [
    [/iere(s?)$/, 'ière$1'],
    [/ee(s?)$/, 'ée$1'],
    [/ite(s?)$/, 'ité$1'],
  ],
  es: [
    [/cion$/, 'ción'],
    [/logia(s?)$/, 'logía$1'],
  ],
  pt: [
    [/cao$/, 'ção'],
    [/coes$/, 'ções'],
  ],
};

const HAS_DIGIT_OR_SIGN = /[\d+#]/;

/** Returns the stem of a folded word by the Snowball stemmer of its language, folded again.
 *  Source: Porter, "Snowball: a language for stemming algorithms", 2001.
 *  @example stem('running', 'en') // 'run' */
export function stem(word: string, lang: string): string {
  if (!STEMMERS.has(lang) || word.length < 3 || HAS_DIGIT_OR_SIGN.test(word)) return word;
  return cachedStem(word, lang);
}

const cachedStem = cacheByWord((word, lang) => fold(STEMMERS.get(lang)?.(restoreAccents(word, lang)) ?? word) || word);

function restoreAccents(word: string, lang: string): string {
  for (const [ending, accented] of ACCENTED_ENDINGS[lang] ?? []) {
    if (ending.test(word)) return word.replace(ending, accented);
  }
  return word;
}

/** Endings of the stems of one word family: `soud` (souder), `soudag` (soudage), `soudeur`. They
 *  are exchanged after stemming, so one ending covers all its inflections. `minRoot` is the least
 *  number of letters before the ending, as unrelated words share endings too (`flow`, `flower`). */
const FAMILIES: Readonly<Record<string, readonly { endings: readonly string[]; minRoot: number }[]>> = {
  en: [
    { endings: ['', 'i', 'ist'], minRoot: 4 },
    { endings: ['', 'ician'], minRoot: 4 },
    { endings: ['', 'er', 'or'], minRoot: 5 },
  ],
  fr: [
    { endings: ['', 'ag', 'ur', 'eur', 'i', 'eri'], minRoot: 4 },
    { endings: ['', 'icien', 'iqu'], minRoot: 4 },
  ],
};

/** Lists the stems of other words of the family, such as a trade and its practitioner, for a word.
 *  Many of them are no words. */
export function listDerivedStems(word: string, lang: string): ReadonlySet<string> {
  const wordStem = stem(word, lang);
  const families = STEMMERS.has(lang) ? (FAMILIES[lang] ?? []) : [];
  const stems = new Set<string>();
  for (const { endings, minRoot } of families) {
    for (const ending of endings) {
      if (!wordStem.endsWith(ending) || wordStem.length - ending.length < minRoot) continue;
      const root = wordStem.slice(0, wordStem.length - ending.length);
      for (const familyEnding of endings) stems.add(root + familyEnding);
    }
  }
  stems.delete(wordStem);
  return stems;
}

/** Each part of a compound has at least so many letters. */
const MIN_PART = 4;
/** Linking letters between the parts of a German compound: `Arbeitsschutz`. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er'];

/** Splits a German compound into two words that documents have, with the longest second one, which
 *  carries the meaning; none if there are no such words. @param word folded
 *  @example splitCompound('projektmanagement', isWritten) // ['projekt', 'management'] */
export function splitCompound(word: string, isWritten: (word: string) => boolean): readonly string[] {
  for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
    const head = word.slice(at);
    if (!isWritten(head)) continue;
    for (const link of LINKS) {
      const first = word.slice(0, at - link.length);
      if (first.length >= MIN_PART && word.startsWith(link, first.length) && isWritten(first)) return [first, head];
    }
  }
  return [];
}

/** Derives a string, such as a stem, from a word and its language. */
export type ReadWord = (word: string, lang: string) => string;

/** Words in a cache, which take about 2.5 MB. */
const MAX_CACHED_WORDS = 20_000;

/** Caches the strings that a function derives, so that the same word gives the same string object.
 *  The limit counts all languages together, as callers may pass any text as a language. Words that
 *  were not read among the last 10,000 are removed. */
export function cacheByWord(readWord: ReadWord): ReadWord {
  let recent = new Map<string, Map<string, string>>();
  let earlier: typeof recent = new Map();
  let size = 0;

  function readAndCache(word: string, lang: string): string {
    const copy = copyString(word);
    const result = earlier.get(lang)?.get(word) ?? readWord(copy, lang);
    if (size >= MAX_CACHED_WORDS / 2) {
      earlier = recent;
      recent = new Map();
      size = 0;
    }
    getOrAdd(recent, lang, () => new Map<string, string>()).set(copy, result);
    size++;
    return result;
  }

  return (word, lang) => recent.get(lang)?.get(word) ?? readAndCache(word, lang);
}

/** V8 makes a long substring a reference into its text; a cached word would keep the text alive. */
const copyString = (word: string): string => ` ${word}`.slice(1);
