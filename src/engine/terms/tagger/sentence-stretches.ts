import type { TextEncoding } from '#engine/vectors/vectors';

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
  readonly vectors: readonly Float32Array[];
  /** By word: where it stands in the sentence, half-open, in UTF-16 units. */
  readonly spans: readonly (readonly [start: number, end: number])[];
  readonly stretches: readonly Stretch[];
}

/** Words that a label is compared with at once. */
const STRETCH_LENGTHS: readonly number[] = [1, 2, 4, 7];
const LEAST_LENGTH = 1e-6;

export function readSentenceWords(encoder: TextEncoding, text: string): SentenceWords {
  const { dimensions } = encoder;
  const { vectors: all, spans } = encoder.tokens(text);
  const vectors = Array.from({ length: spans.length / 2 }, (_, word) =>
    all.subarray(word * dimensions, (word + 1) * dimensions),
  );
  const places = vectors.map((_, word) => [spans[2 * word]!, spans[2 * word + 1]!] as const);
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
      const length = Math.sqrt(sum.reduce((square, value) => square + value * value, 0));
      // What is less comes from rounding.
      if (length > LEAST_LENGTH) found.push({ from, to, length });
    }
    return found;
  });
}
