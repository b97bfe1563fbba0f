/** Vectors of texts, so near ones mean like things; kept as signed bytes, side by side. */
export interface VectorRows {
  /** A multiple of 8. */
  readonly dimensions: number;
  /** `row * dimensions`. */
  readonly bytes: Int8Array;
  /** By row: what the product of a vector of length 1 with the row's bytes is multiplied by to give
   *  the cosine; 0 where the row has no vector. */
  readonly scales: Float32Array;
}

/** Turns texts into vectors; see `Encoder` of the ports. */
export interface TextEncoding {
  readonly dimensions: number;
  /** Two-letter codes of what it reads well. */
  readonly langs: readonly string[];
  /** Of length 1; all zeros for a text without words.
   *  @param corrections by folded word: what stands for it, unless the encoder reads the word
   *  itself */
  encode(text: string, corrections?: ReadonlyMap<string, string>): Float32Array;
  /** Those of its words, `word * dimensions`, and two numbers for each: where it stands in the
   *  text, in UTF-16 units. */
  tokens(text: string): { readonly vectors: Float32Array; readonly spans: Uint32Array };
}
