/** Turns texts into vectors, so that texts with similar meanings are near each other. */
export interface Embedder {
  /** Shape:  one vector for each text, in the order of the texts, each of length 1 and all of the same dimension.
   *  Units:  the product of two of them is their cosine, -1 to 1.
   *  Errors: UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT after a second at the most (asked again later, it may be there by then), UPSTREAM_KEY_REFUSED, UPSTREAM_THROTTLED,
   *          UPSTREAM_FAILED, UPSTREAM_PAUSED, UPSTREAM_BUSY, PARAMETERS_INVALID where a text or the model is refused, and
   *          RESPONSE_INVALID; the reason of the signal.
   *  @param texts none of them empty
   *  @param signal aborted when nobody waits for the vectors any more */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
