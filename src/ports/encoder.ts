/** A text as something that is asked, or as something that is found: some models tell the two apart. */
export type TextKind = 'query' | 'passage';

/** Which model encodes; vectors of two models cannot be compared. */
export interface EncoderModel {
  /** Shown to people: `all-MiniLM-L6-v2`. */
  readonly name: string;
  /** The same for the same files and settings, and for nothing else; up to 64 hexadecimal digits. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Two-letter codes of what it reads well; null for a model of many languages. */
  readonly langs: readonly string[] | null;
}

/** Vectors of the tokens of one text, so that any stretch of it has one: their mean. */
export interface TokenVectors {
  /** `token * dimensions`; not of length 1. */
  readonly vectors: Float32Array;
  /** Two numbers for each token: where it stands in the text, half-open, in UTF-16 units. What a model cuts off is missing. */
  readonly spans: Uint32Array;
}

export interface EncodedText {
  /** Of length 1, so the product of two of them is their cosine. */
  readonly vector: Float32Array;
  /** Absent where they were not asked for, or the encoder has none. */
  readonly tokens?: TokenVectors;
}

export interface EncodeOptions {
  readonly kind: TextKind;
  /** Also the vectors of tokens, for an encoder that has them. */
  readonly tokens?: boolean;
  /** Work that nobody waits for: it comes after all that somebody waits for. */
  readonly isBackground?: boolean;
  /** Aborted when nobody waits for the vectors any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Turns texts into vectors, so that texts of like meaning are near each other. */
export interface Encoder {
  /** Null while there is no model that can be used; then nothing can be encoded. It may change while the host runs. */
  readonly model: EncoderModel | null;
  /** Shape:  one for each text, in their order.
   *  Errors: MODEL_UNAVAILABLE where there is no model, it is damaged, overloaded, or too late; searches then go by words alone. The
   *          reason of the signal.
   *  @param texts none of them empty */
  encode(texts: readonly string[], options: EncodeOptions): Promise<readonly EncodedText[]>;
  close(): Promise<void>;
}
