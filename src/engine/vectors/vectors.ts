/** Vectors of texts as a model gives them, so near ones mean like things; kept as signed bytes, side by side. */
export interface VectorRows {
  readonly dimensions: number;
  /** Where row `n` begins: `n * stride`; at least `dimensions`. */
  readonly stride: number;
  readonly bytes: Int8Array;
  /** By row: what the product of a vector of length 1 with the row's bytes is multiplied by to give the cosine. */
  readonly scales: Float32Array;
}

/** Vectors of the labels of a term index. */
export interface LabelVectors {
  readonly rows: VectorRows;
  /** By label: its row, or NONE while it has no vector. */
  readonly rowOf: Uint32Array;
}
