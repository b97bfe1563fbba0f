import { findCapitalTokens, tokenize } from '#engine/text/tokenize';
import type { ContentWords, Lexicon } from '../lexicon.ts';
import { NO_NAME, NONE } from '../term-data.ts';
import type { ScannedWords } from './word-scanner.ts';
import { createWordScan, finishWordScan, scanTextWords, startWordScan, wordMarks } from './word-scanner.ts';

/** A sentence, or a part of a long one. Only words of the same window make up a label. */
export interface TextWindow {
  /** The range of its words in the text, end exclusive. */
  readonly from: number;
  readonly to: number;
  readonly inCapitals: ReadonlySet<string>;
}

/** A range of words of a text, both ends inclusive. */
export type Place = { readonly from: number; readonly to: number };

export interface WindowContent extends ContentWords {
  readonly lang: number;
  readonly inCapitals: ReadonlySet<string>;
}

/** The words of a text, and its windows. A word that is a name only in capitals (`it`) is
 *  NO_NAME in lower case. */
export type ReadText = ScannedWords & { readonly windows: readonly TextWindow[] };

const SENTENCE_END = /[.!?;](?=\s)|[\n\r•|]+/;
/** Longer sentences are cut, as words far apart do not make up a label. */
export const MAX_WINDOW_WORDS = 60;

/** English function words that are also names (`it support`); in a text the capitals decide. */
const NAMES_BY_CAPITALS: readonly string[] = ['it', 'can', 'will', 'go'];
/** The name of a language or game, unless it begins a request: `Go home`. */
const GO = /\bGo\b(?!\s+[a-z])|\S\s+Go\b/;

/** Two letters that may be part of a word in capitals; a quick test before the exact one. */
const MAY_HAVE_CAPITALS = /[A-ZÀ-ÞĀ-\uffff][A-Z0-9²³¹¼-¾À-ÞĀ-\uffff]/;
const NO_CAPITALS: ReadonlySet<string> = new Set();
const NO_NAMES: readonly string[] = [];
const GO_ALONE: readonly string[] = ['go'];

/** Single letters that are not words of a language. */
const CONSONANTS = 'bcdfghjklmnpqrstvwxz';
/** Words before the letter of a room or another place. */
const PLACES = (
  'room office building block hall gate floor bureau salle bâtiment aula sala edificio raum zimmer gebäude halle ' +
  'vitamin vitamine plan group groupe letter lettre key touche'
).split(' ');
/** Capitals of the name of a person or a room: `Dr. R. Okafor`, `bureau C-204`. */
const NAME_LETTER = new RegExp(
  [
    // After a title or a first name, before a family name; or at the beginning of a line.
    `(?<=(?:\\b(?:Dr|Prof|Mr|Mrs|Ms|M|Mme|Mlle|Frau|Herr|Sr|Sra)\\.?\\s+|^|\\b\\p{Lu}\\p{Ll}+ )(?:\\p{Lu}\\.[\\s-]*)?)\\p{Lu}(?=\\.[\\s-]*\\p{Lu})`,
    // After a word for a place, or before a number with a hyphen.
    `(?<=(?<!\\p{L})(?:${PLACES.map((word) => `[${word[0]}${word[0]!.toUpperCase()}]${word.slice(1)}`).join('|')}) )\\p{Lu}(?![\\p{L}\\p{N}+#])`,
    `(?<![\\p{L}\\p{N}])\\p{Lu}(?=-\\d| keys?\\b)`,
  ].join('|'),
  'muy',
);
/** The character after a word, or none at the end of a text. */
const ENDS_WORD = /^[^a-z0-9]?$/i;

interface NamingWindow extends TextWindow {
  /** Those of NAMES_BY_CAPITALS that are names in the sentence. */
  readonly names: readonly string[];
}

export function createTextReader({ wordTable }: Pick<Lexicon, 'wordTable'>) {
  const scan = createWordScan(wordTable);
  const nameOrdinals = NAMES_BY_CAPITALS.map((name) => wordTable.findWord(name));
  const letterOrdinals = [...CONSONANTS].map((letter) => wordTable.findWord(letter)).filter((word) => word !== NONE);

  /** Finds the index of a word in NAMES_BY_CAPITALS, or -1. */
  function findName({ words, wordAt }: ScannedWords, place: number): number {
    const word = words[place]!;
    return word === NONE ? NAMES_BY_CAPITALS.indexOf(wordAt(place)) : nameOrdinals.indexOf(word);
  }

  function markNoNames(scanned: ScannedWords, windows: readonly NamingWindow[]): void {
    for (const { from, to, names } of windows) {
      for (let place = from; place < to; place++) {
        const name = findName(scanned, place);
        if (name >= 0 && !names.includes(NAMES_BY_CAPITALS[name]!)) scanned.words[place] = NO_NAME;
      }
    }
  }

  return (text: string): ReadText => {
    const windows: NamingWindow[] = [];
    let from = 0;
    startWordScan(scan);
    for (const sentence of text.split(SENTENCE_END)) {
      const to = scanTextWords(scan, sentence);
      const inCapitals = MAY_HAVE_CAPITALS.test(sentence) ? findCapitalTokens(sentence) : NO_CAPITALS;
      const names = findNamesByCapitals(sentence, inCapitals);
      for (; from < to; from += MAX_WINDOW_WORDS) {
        windows.push({ from, to: Math.min(to, from + MAX_WINDOW_WORDS), inCapitals, names });
      }
      from = to;
    }
    const scanned = finishWordScan(scan);
    markNoNames(scanned, windows);
    markNameLetters(text, scanned, letterOrdinals);
    return { ...scanned, windows };
  };
}

/** Marks single letters of the names of people and rooms as NO_NAME, as single letters are also
 *  programming languages. @param letterOrdinals words of a single letter */
function markNameLetters(text: string, scanned: ScannedWords, letterOrdinals: readonly number[]): void {
  const { words, marks } = scanned;
  const places: number[] = [];
  for (let place = 0; place < words.length; place++)
    if ((marks[place]! & wordMarks.capital) !== 0 && letterOrdinals.includes(words[place]!)) places.push(place);
  if (places.length === 0) return;
  const starts = listNameLetters(text);
  if (starts.size === 0) return;
  const locate = createWordLocator(text, scanned);
  for (const place of places) {
    const start = locate({ from: place, to: place })?.[0];
    if (start !== undefined && starts.has(start)) words[place] = NO_NAME;
  }
}

/** Lists the offsets of capitals in the names of people and rooms. It tries the pattern only
 *  where a capital ends a word, as it takes long on a whole text. */
function listNameLetters(text: string): ReadonlySet<number> {
  const starts = new Set<number>();
  for (let at = 0; at < text.length; at++) {
    if (!mayBeCapital(text.charCodeAt(at)) || !ENDS_WORD.test(text.charAt(at + 1))) continue;
    NAME_LETTER.lastIndex = at;
    if (NAME_LETTER.test(text)) starts.add(at);
  }
  return starts;
}

const mayBeCapital = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || code >= 0xc0;

export interface TextSentence {
  readonly text: string;
  /** Its offset in the text, in UTF-16 units. */
  readonly start: number;
}

/** Lists the sentences of a text, trimmed and not empty. */
export function listTextSentences(text: string): readonly TextSentence[] {
  let end = 0;
  return text.split(SENTENCE_END).flatMap((sentence) => {
    const trimmed = sentence.trim();
    const start = text.indexOf(trimmed, text.indexOf(sentence, end));
    if (trimmed !== '') end = start + trimmed.length;
    return trimmed === '' ? [] : [{ text: trimmed, start }];
  });
}

function findNamesByCapitals(sentence: string, inCapitals: ReadonlySet<string>): readonly string[] {
  const isGo = sentence.includes('Go') && GO.test(sentence);
  if (inCapitals.size === 0) return isGo ? GO_ALONE : NO_NAMES;
  return NAMES_BY_CAPITALS.filter((name) => inCapitals.has(name) || (isGo && name === 'go'));
}

/** A range of a text, end exclusive, in UTF-16 units. */
export type Span = readonly [start: number, end: number];

/** A run of letters, digits and marks: a word, several (`½`), or none (the `l` of `l'analyse`). */
const RUN = /[\p{L}\p{N}\p{M}\p{Cf}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu;
/** The most words to skip because they belong to no run (`™`). */
const MAX_SKIPPED = 3;

/** Creates a function that finds the span of words. All spans are determined at its first call, as
 *  most texts need none. */
export function createWordLocator(text: string, { words, wordAt }: Pick<ScannedWords, 'words' | 'wordAt'>) {
  let starts: Uint32Array | null = null;
  const ends = new Uint32Array(words.length);

  function locateAll(): Uint32Array {
    const runStarts = new Uint32Array(words.length);
    let next = 0;
    for (const { 0: run, index } of text.matchAll(RUN)) {
      const tokens = tokenize(run);
      const at = findTokens(tokens, next);
      if (at < 0) continue;
      for (let k = 0; k < tokens.length; k++) {
        runStarts[at + k] = index;
        ends[at + k] = index + run.length;
      }
      next = at + tokens.length;
    }
    return runStarts;
  }

  function findTokens(tokens: readonly string[], next: number): number {
    if (tokens.length === 0) return -1;
    for (let at = next; at <= next + MAX_SKIPPED && at + tokens.length <= words.length; at++) {
      if (tokens.every((word, k) => wordAt(at + k) === word)) return at;
    }
    return -1;
  }

  return (place: Place | undefined): Span | null => {
    if (place === undefined) return null;
    starts ??= locateAll();
    const start = starts[place.from]!;
    const end = ends[place.to]!;
    return end > start ? [start, end] : null;
  };
}
