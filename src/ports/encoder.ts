/** The vectors of the words of a text; that of a part of the text is their sum. */
interface TokenVectors {
  /** The vector of word `n` begins at `n * dimensions`; it is not normalized. */
  readonly vectors: Float32Array;
  /** Start and end (exclusive) of each word in the text, in UTF-16 units. */
  readonly spans: Uint32Array;
}

/** Turns texts into vectors, so that texts of similar meaning are close to each other. Synchronous;
 *  the same text always has the same vector. */
export interface Encoder {
  readonly dimensions: number;
  /** Two-letter codes of the languages that the encoder supports. */
  readonly langs: readonly string[];
  /** Returns a vector of length 1, so that a dot product is a cosine; all zeros without words.
   *  @param corrections folded word → replacement, for words that the encoder does not have */
  encode(text: string, corrections?: ReadonlyMap<string, string>): Float32Array;
  tokens(text: string): TokenVectors;
}
