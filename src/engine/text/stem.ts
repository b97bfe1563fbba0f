import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { fold } from './fold.ts';

/** A map and not an object, because a caller may write any text for a language, and every object has a `constructor`. */
const STEMMERS: ReadonlyMap<string, (word: string) => string> = new Map([
  ['de', german],
  ['en', english],
  ['es', spanish],
  ['fr', french],
  ['it', italian],
  ['nl', dutch],
  ['pt', portuguese],
]);

/** Languages with a stemmer; words of any other language are matched as they are. */
export const stemmedLanguages: readonly string[] = [...STEMMERS.keys()];

/** The Snowball rules look for accented endings, but queries are typed without accents and words are folded before.
 *  So the endings that matter get their accents back: a query and a document always take the same way. */
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

/** Stem of a folded word by the Snowball stemmer of its language, folded again.
 *  Source: Porter, "Snowball: a language for stemming algorithms", 2001.
 *  @example stem('running', 'en') // 'run' */
export function stem(word: string, lang: string): string {
  if (!STEMMERS.has(lang) || word.length < 3 || HAS_DIGIT_OR_SIGN.test(word)) return word;
  return cachedStem(word, lang);
}

const cachedStem = cacheWords(
  (word, lang) => fold(STEMMERS.get(lang)?.(withAccents(word, lang)) ?? word) || word,
);

function withAccents(word: string, lang: string): string {
  for (const [ending, accented] of ACCENTED_ENDINGS[lang] ?? []) {
    if (ending.test(word)) return word.replace(ending, accented);
  }
  return word;
}

/** Endings that tell the stems of one word family apart: `soud` (souder), `soudag` (soudage), `soudeur`. They are taken off and
 *  put on after stemming, so one ending stands for all its inflections.
 *  `minRoot`: letters that must be left, for endings that unrelated words have, too (`flow`, `flower`). */
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

/** Stems of words of the same family as a folded word (a trade, who has it, what they do), without its own. They are guesses;
 *  many are not words. */
export function listDerivedStems(word: string, lang: string): ReadonlySet<string> {
  const own = stem(word, lang);
  const stems = new Set<string>();
  for (const { endings, minRoot } of (Object.hasOwn(FAMILIES, lang) && FAMILIES[lang]) || []) {
    for (const ending of endings) {
      if (!own.endsWith(ending) || own.length - ending.length < minRoot) continue;
      const root = own.slice(0, own.length - ending.length);
      for (const other of endings) stems.add(root + other);
    }
  }
  stems.delete(own);
  return stems;
}

/** What a word becomes in a language. */
export type ReadWord = (word: string, lang: string) => string;

/** In one heap for all that is searched: some 5 MB. */
const MAX_CACHED_WORDS = 50_000;

/** The same function with a cache of at most 50,000 words, of all languages together: callers may write any text for a language.
 *  They are forgotten together. Gives the same string each time. */
export function cacheWords(read: ReadWord): ReadWord {
  const caches = new Map<string, Map<string, string>>();
  let size = 0;

  function keep(word: string, lang: string): string {
    if (size >= MAX_CACHED_WORDS) {
      caches.clear();
      size = 0;
    }
    const own = copyWord(word);
    const made = read(own, lang);
    let cache = caches.get(lang);
    if (cache === undefined) {
      cache = new Map();
      caches.set(lang, cache);
    }
    cache.set(own, made);
    size++;
    return made;
  }

  return (word, lang) => caches.get(lang)?.get(word) ?? keep(word, lang);
}

/** V8 cuts a long word out of a text without copying it, so that who keeps the word keeps the whole text. */
function copyWord(word: string): string {
  return ` ${word}`.slice(1);
}
