import type { SentenceMeaning } from '../types.ts';

/** Some words of a sentence, one after the other. */
export interface Stretch {
  /** Words, half-open. */
  readonly from: number;
  readonly to: number;
  /** Length of the sum of its words' vectors. */
  readonly length: number;
}

/** Vectors of the words of a sentence. That of a stretch is their sum, made of length 1: so what is near to a stretch comes out of
 *  sums of what is near to its words, without a vector for each of a hundred stretches. */
export interface SentenceWords {
  /** By word: the sum of the vectors of its tokens. */
  readonly vectors: readonly Float32Array[];
  /** By word: where it stands in the sentence, half-open, in UTF-16 units. */
  readonly spans: readonly (readonly [start: number, end: number])[];
  readonly stretches: readonly Stretch[];
}

/** Words that a label is compared with at once. */
const STRETCH_LENGTHS: readonly number[] = [1, 2, 4, 7];
const WORD = /[\p{L}\p{N}\p{M}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu;

export function readSentenceWords(text: string, { vector, tokens, spans }: SentenceMeaning): SentenceWords {
  const dimensions = vector.length;
  const vectors: Float32Array[] = [];
  const places: (readonly [number, number])[] = [];
  let token = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const end = index + word.length;
    const sum = new Float32Array(dimensions);
    // A token may have the blank before it.
    while (token < spans.length / 2 && spans[2 * token + 1]! <= index) token++;
    if (token === spans.length / 2) break;
    for (; token < spans.length / 2 && spans[2 * token]! < end; token++) {
      for (let k = 0; k < dimensions; k++) sum[k]! += tokens[token * dimensions + k]!;
    }
    vectors.push(sum);
    places.push([index, end]);
  }
  return { vectors, spans: places, stretches: listStretches(vectors, dimensions) };
}

function listStretches(vectors: readonly Float32Array[], dimensions: number): Stretch[] {
  return STRETCH_LENGTHS.flatMap((count) => {
    const sum = new Float64Array(dimensions);
    const found: Stretch[] = [];
    for (let to = 1; to <= vectors.length; to++) {
      const from = to - count;
      for (let k = 0; k < dimensions; k++) {
        sum[k]! += vectors[to - 1]![k]! - (from > 0 ? vectors[from - 1]![k]! : 0);
      }
      if (from < 0) continue;
      const length = lengthOf(sum);
      if (length > 0) found.push({ from, to, length });
    }
    return found;
  });
}

function lengthOf(vector: Float64Array): number {
  let square = 0;
  for (let k = 0; k < vector.length; k++) square += vector[k]! * vector[k]!;
  return Math.sqrt(square);
}
