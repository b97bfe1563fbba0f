import { tokenize } from '../text/tokenize.ts';

/** A stretch of text whose words belong together. */
export interface TextWindow {
  /** Folded, in order. */
  readonly words: readonly string[];
  /** The same without those that are names only in capitals and are not written so. */
  readonly namingWords: readonly string[];
}

const SENTENCE_END = /[.!?;](?=\s)|[\n\r•|]+/;
/** A longer stretch is cut: words far apart do not make a label. */
const MAX_WORDS = 60;

/** English function words that are also names. In a query they are names (`it support`); in a text the capitals decide. */
const NAMES_BY_CAPITALS: ReadonlyMap<string, RegExp> = new Map([
  ['it', /\bIT\b/],
  ['can', /\bCAN\b/],
  ['will', /\bWILL\b/],
  ['go', /\bG[oO]\b/],
]);

/** Sentences of a text. Only within one do words make up a label, so a long text is many short ones. */
export function splitWindows(text: string): TextWindow[] {
  const windows: TextWindow[] = [];
  for (const sentence of text.split(SENTENCE_END)) {
    const words = tokenize(sentence);
    for (let start = 0; start < words.length; start += MAX_WORDS) {
      const part = words.slice(start, start + MAX_WORDS);
      windows.push({ words: part, namingWords: part.filter((word) => isName(word, sentence)) });
    }
  }
  return windows;
}

function isName(word: string, sentence: string): boolean {
  return NAMES_BY_CAPITALS.get(word)?.test(sentence) ?? true;
}
