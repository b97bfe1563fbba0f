/** Vectors of the words of one text, so that any stretch of it has one: their sum. */
interface TokenVectors {
  /** `word * dimensions`; not of length 1. */
  readonly vectors: Float32Array;
  /** Two numbers for each word: where it stands in the text, half-open, in UTF-16 units. */
  readonly spans: Uint32Array;
}

/** Turns texts into vectors, so that texts of similar meaning are close to each other. Synchronous;
 *  the same text always has the same vector. */
export interface Encoder {
  readonly dimensions: number;
  /** Two-letter codes of what it reads well. */
  readonly langs: readonly string[];
  /** Of length 1, so that the product of two of them is their cosine; all zeros for a text without
   *  words.
   *  @param corrections by folded word: what stands for it, unless the encoder reads the word
   *  itself */
  encode(text: string, corrections?: ReadonlyMap<string, string>): Float32Array;
  tokens(text: string): TokenVectors;
}
