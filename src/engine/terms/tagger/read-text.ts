import { findCapitalWords, tokenize } from '#engine/text/tokenize';
import type { ContentWords, Lexicon } from '../lexicon.ts';
import { NO_NAME, NONE } from '../term-data.ts';
import type { TextSentence } from '../types.ts';
import { createWordScanner, type ScannedWords } from './word-scanner.ts';

/** A stretch of text whose words belong together. */
export interface TextWindow {
  /** Places of its words among those of the text, half-open. */
  readonly from: number;
  readonly to: number;
  /** Words that the sentence writes in capitals. */
  readonly inCapitals: ReadonlySet<string>;
}

/** A range of words of a text, both ends inclusive. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** The words of a window as one language reads them. */
export interface WindowContent extends ContentWords {
  readonly lang: number;
  readonly inCapitals: ReadonlySet<string>;
}

/** The words of a text, NO_NAME for those that are names only in capitals and are not written so; and which belong together. */
export interface ReadText extends ScannedWords {
  readonly windows: readonly TextWindow[];
}

const SENTENCE_END = /[.!?;](?=\s)|[\n\r•|]+/;
/** A longer stretch is cut: words far apart do not make a label. */
export const MAX_WINDOW_WORDS = 60;

/** English function words that are also names. In a query they are names (`it support`); in a text the capitals decide. */
const NAMES_BY_CAPITALS: readonly string[] = ['it', 'can', 'will', 'go'];
/** A language or game, unless it begins a request: `Go home`. */
const GO = /\bGo\b(?!\s+[a-z])|\S\s+Go\b/;

/** Two letters side by side that may be of a word in capitals; looked for in a fraction of the time. */
const MAY_HAVE_CAPITALS = /[A-ZÀ-ÞĀ-\uffff][A-Z0-9²³¹¼-¾À-ÞĀ-\uffff]/;
const NO_CAPITALS: ReadonlySet<string> = new Set();
const NO_NAMES: readonly string[] = [];
const GO_ALONE: readonly string[] = ['go'];

interface NamingWindow extends TextWindow {
  /** Those of NAMES_BY_CAPITALS that the sentence has as names. */
  readonly names: readonly string[];
}

/** Sentences of a text. Only within one do words make up a label, so a long text is many short ones. One for all calls. */
export function createTextReader({ wordTable }: Pick<Lexicon, 'wordTable'>) {
  const scanner = createWordScanner(wordTable);
  const nameOrdinals = NAMES_BY_CAPITALS.map((name) => wordTable.findWord(name));

  /** Which of NAMES_BY_CAPITALS a word is, or -1. */
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
    scanner.start();
    for (const sentence of text.split(SENTENCE_END)) {
      const to = scanner.scan(sentence);
      const inCapitals = MAY_HAVE_CAPITALS.test(sentence) ? findCapitalWords(sentence) : NO_CAPITALS;
      const names = namesOf(sentence, inCapitals);
      for (; from < to; from += MAX_WINDOW_WORDS) {
        windows.push({ from, to: Math.min(to, from + MAX_WINDOW_WORDS), inCapitals, names });
      }
      from = to;
    }
    const scanned = scanner.finish();
    markNoNames(scanned, windows);
    return { ...scanned, windows };
  };
}

/** The sentences of a text, without the blanks around them; those of blanks alone left out. */
export function listSentences(text: string): readonly TextSentence[] {
  let end = 0;
  return text.split(SENTENCE_END).flatMap((sentence) => {
    const trimmed = sentence.trim();
    const start = text.indexOf(trimmed, text.indexOf(sentence, end));
    if (trimmed !== '') end = start + trimmed.length;
    return trimmed === '' ? [] : [{ text: trimmed, start }];
  });
}

/** What a sentence writes in capitals is found once, not again for each word. */
function namesOf(sentence: string, inCapitals: ReadonlySet<string>): readonly string[] {
  const isGo = sentence.includes('Go') && GO.test(sentence);
  if (inCapitals.size === 0) return isGo ? GO_ALONE : NO_NAMES;
  return NAMES_BY_CAPITALS.filter((name) => inCapitals.has(name) || (isGo && name === 'go'));
}

/** Half-open, in UTF-16 units. */
export type Span = readonly [start: number, end: number];

/** Letters, digits and what is drawn with them; of such a run come one word, several (`½`), or none (the `l` of `l'analyse`). */
const RUN = /[\p{L}\p{N}\p{M}\p{Cf}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu;
/** Words of the text that may be passed over, because they came of no run (`™`). */
const MOST_PASSED = 3;

/** Finds words of a text that was read where they stand in it. Only what is asked for costs: reading does not keep places. */
export function createWordLocator(text: string, { words, wordAt }: Pick<ScannedWords, 'words' | 'wordAt'>) {
  let starts: Uint32Array | null = null;
  const ends = new Uint32Array(words.length);

  function locateAll(): Uint32Array {
    const found = new Uint32Array(words.length);
    let next = 0;
    for (const { 0: run, index } of text.matchAll(RUN)) {
      const read = tokenize(run);
      const at = findRead(read, next);
      if (at < 0) continue;
      for (let k = 0; k < read.length; k++) {
        found[at + k] = index;
        ends[at + k] = index + run.length;
      }
      next = at + read.length;
    }
    return found;
  }

  function findRead(read: readonly string[], next: number): number {
    if (read.length === 0) return -1;
    for (let at = next; at <= next + MOST_PASSED && at + read.length <= words.length; at++) {
      if (read.every((word, k) => wordAt(at + k) === word)) return at;
    }
    return -1;
  }

  return (place: Place | undefined): Span | null => {
    if (place === undefined) return null;
    starts ??= locateAll();
    const [start, end] = [starts[place.from]!, ends[place.to]!];
    return end > start ? [start, end] : null;
  };
}
