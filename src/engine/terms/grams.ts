/** Slots of the table a query's n-grams are marked in. A query has some hundred, so one in 80 others is mistaken for one. */
const SLOTS = 2 ** 13;

/** The character 3- to 5-grams of a folded text. */
export interface Grams {
  readonly marked: Uint8Array;
  /** With repetitions. */
  readonly count: number;
}

export function gramsOf(text: string): Grams {
  const marked = new Uint8Array(SLOTS);
  let count = 0;
  forEachGram(text, (slot) => {
    marked[slot] = 1;
    count++;
  });
  return { marked, count };
}

/** Dice coefficient of the two texts' n-grams, 0 to 1. */
export function similarityOfGrams({ marked, count }: Grams, text: string): number {
  let shared = 0;
  let total = 0;
  forEachGram(text, (slot) => {
    shared += marked[slot]!;
    total++;
  });
  return count + total === 0 ? 0 : Math.min(1, (2 * shared) / (count + total));
}

/** The text's borders count as blanks, so that beginnings and ends of words weigh more than their middles. */
function forEachGram(text: string, visit: (slot: number) => void): void {
  const padded = ` ${text} `;
  for (let start = 0; start + 3 <= padded.length; start++) {
    const end = Math.min(start + 5, padded.length);
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) {
      hash = Math.imul(hash ^ padded.charCodeAt(i), 0x01000193);
      if (i >= start + 2) visit((hash ^ (hash >>> 15)) & (SLOTS - 1));
    }
  }
}
