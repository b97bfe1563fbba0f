/** Slots for n-grams. 60,000 words have some 100,000 of them: two in three have a slot for themselves, and of two words that share one
 *  by chance the others differ. */
export const GRAM_SLOTS = 2 ** 17;

const SHORTEST = 3;
const LONGEST = 4;

/** The slots of the character 3- and 4-grams of a folded word, with repetitions. The word's borders count as blanks, so that
 *  its beginning and end weigh more than its middle. */
export function gramsOf(word: string): number[] {
  const padded = ` ${word} `;
  const slots: number[] = [];
  for (let start = 0; start + SHORTEST <= padded.length; start++) {
    const end = Math.min(start + LONGEST, padded.length);
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) {
      hash = Math.imul(hash ^ padded.charCodeAt(i), 0x01000193);
      if (i >= start + SHORTEST - 1) slots.push((hash ^ (hash >>> 15)) & (GRAM_SLOTS - 1));
    }
  }
  return slots;
}

/** Length of the vector that some words have together: each n-gram is a dimension, its weight squared is given by slot.
 *  `count` is scratch of GRAM_SLOTS, clean before and after. */
export function lengthOfGrams(
  gramsByWord: Iterable<ArrayLike<number>>,
  weight: Float32Array,
  count: Uint16Array,
): number {
  let squares = 0;
  const lists = [...gramsByWord];
  for (const grams of lists) {
    for (let i = 0; i < grams.length; i++) {
      // (n + 1)² - n²: what this occurrence adds to the square of the count.
      squares += weight[grams[i]!]! * (2 * count[grams[i]!]!++ + 1);
    }
  }
  for (const grams of lists) for (let i = 0; i < grams.length; i++) count[grams[i]!] = 0;
  return Math.sqrt(squares);
}
