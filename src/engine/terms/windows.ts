import { wordsInCapitals } from '../text/capitals.ts';
import { tokenize } from '../text/tokenize.ts';

/** A stretch of text whose words belong together. */
export interface TextWindow {
  /** Folded, in order. */
  readonly words: readonly string[];
  /** The same without those that are names only in capitals and are not written so. */
  readonly namingWords: readonly string[];
  /** Words that the sentence writes in capitals. */
  readonly inCapitals: ReadonlySet<string>;
}

const SENTENCE_END = /[.!?;](?=\s)|[\n\r•|]+/;
/** A longer stretch is cut: words far apart do not make a label. */
export const MAX_WINDOW_WORDS = 60;

/** English function words that are also names. In a query they are names (`it support`); in a text the capitals decide. */
const NAMES_BY_CAPITALS: readonly string[] = ['it', 'can', 'will', 'go'];
/** A language or game, unless it begins a request: `Go home`. */
const GO = /\bGo\b(?!\s+[a-z])|\S\s+Go\b/;

/** Sentences of a text. Only within one do words make up a label, so a long text is many short ones. */
export function splitWindows(text: string): TextWindow[] {
  return text.split(SENTENCE_END).flatMap(windowsOfSentence);
}

/** What a sentence writes in capitals is found once, not again for each word. */
function windowsOfSentence(sentence: string): TextWindow[] {
  const words = tokenize(sentence);
  const inCapitals = wordsInCapitals(sentence);
  const noNames = NAMES_BY_CAPITALS.filter(
    (name) => !inCapitals.has(name) && !(name === 'go' && GO.test(sentence)),
  );
  const windows: TextWindow[] = [];
  for (let start = 0; start < words.length; start += MAX_WINDOW_WORDS) {
    const part = words.slice(start, start + MAX_WINDOW_WORDS);
    windows.push({ words: part, namingWords: part.filter((word) => !noNames.includes(word)), inCapitals });
  }
  return windows;
}
