import { tokenize } from '#engine/text/tokenize';
import type { Place } from './sentence-signs.ts';
import type { ScannedWords } from './word-scanner.ts';

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
