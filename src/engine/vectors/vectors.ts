/** Vectors of texts, of which near ones have similar meanings. Stored as consecutive signed bytes.
 *  */
export interface VectorRows {
  /** A multiple of 8. */
  readonly dimensions: number;
  /** `row * dimensions`. */
  readonly bytes: Int8Array;
  /** By row: the factor that converts the product of a vector of length 1 and the bytes of the row
   *  to the cosine; 0 if the row has no vector. */
  readonly scales: Float32Array;
}

/** Converts texts to vectors; see `Encoder` of the ports. */
export interface TextEncoding {
  readonly dimensions: number;
  /** Two-letter codes of the languages that the encoder reads well. */
  readonly langs: readonly string[];
  /** Encodes a text as a vector of length 1; all zeros for a text without words.
   *  @param corrections by folded word: its replacement, unless the encoder reads the word itself
   *  */
  encode(text: string, corrections?: ReadonlyMap<string, string>): Float32Array;
  /** Returns the vectors of the words of a text, at `word * dimensions`, and the range of each word
   *  in the text: two numbers, in UTF-16 units. */
  tokens(text: string): { readonly vectors: Float32Array; readonly spans: Uint32Array };
}
