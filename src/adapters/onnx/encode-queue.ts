import type { EncodedItem, EncodeItem } from './session.ts';

/** A text that waits for its vectors. */
export interface QueuedItem extends EncodeItem {
  readonly isBackground: boolean;
  /** Whether nobody waits for it any more. */
  isGone(): boolean;
  settle(encoded: EncodedItem): void;
  fail(error: unknown): void;
}

export interface EncodeQueue {
  /** How many wait, of each kind. */
  readonly sizes: { readonly foreground: number; readonly background: number };
  add(items: readonly QueuedItem[]): void;
  /** What is to be encoded next, together; empty where nothing waits. */
  take(): readonly QueuedItem[];
  /** Empties it. */
  takeAll(): readonly QueuedItem[];
}

/** Measured: more texts in a batch gain nothing on one core, and somebody may come meanwhile. */
const MAX_ITEMS = 8;
/** All texts of a batch are filled up to the longest: short ones gain from going together, sentences do not. */
const MAX_CHARACTERS = 400;

/** Texts in order of their arrival, those that somebody waits for before all others. */
export function createEncodeQueue(): EncodeQueue {
  let foreground: QueuedItem[] = [];
  let background: QueuedItem[] = [];

  function takeFrom(queue: QueuedItem[]): QueuedItem[] {
    const batch: QueuedItem[] = [];
    let longest = 0;
    let taken = 0;
    for (const item of queue) {
      const length = Math.max(longest, item.text.length);
      const isFull = batch.length === MAX_ITEMS || length * (batch.length + 1) > MAX_CHARACTERS;
      if (batch.length > 0 && isFull) break;
      taken += 1;
      if (item.isGone()) continue;
      batch.push(item);
      longest = length;
    }
    queue.splice(0, taken);
    return batch;
  }

  return {
    get sizes() {
      return { foreground: foreground.length, background: background.length };
    },
    add(items) {
      // Neighbours of like length: less is filled up.
      const sorted = items.toSorted((one, other) => one.text.length - other.text.length);
      for (const item of sorted) (item.isBackground ? background : foreground).push(item);
    },
    take() {
      const batch = takeFrom(foreground);
      return batch.length > 0 ? batch : takeFrom(background);
    },
    takeAll() {
      const all = [...foreground, ...background];
      [foreground, background] = [[], []];
      return all;
    },
  };
}
