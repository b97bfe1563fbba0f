import type { EncoderModel } from './encoder.ts';

/** How far the vectors of what is searched are, for the people who run a host. */
export interface MeaningState {
  /** Null while there is no model that can be used: searches go by words alone. */
  readonly model: EncoderModel | null;
  readonly labels: EncodingProgress;
  readonly objects: EncodingProgress;
  /** Texts a second since the work began; null while none is done. */
  readonly perSecond: number | null;
  /** Null where it cannot be said, and where all is done. */
  readonly secondsLeft: number | null;
  /** Bytes of vectors on the disk. */
  readonly bytes: number;
  /** Why nothing is added for now: the disk is full, the files cannot be read or written, or the model failed. */
  readonly problem: 'disk-full' | 'files' | 'model' | null;
}

/** Texts of the catalogue that is searched. */
export interface EncodingProgress {
  readonly done: number;
  readonly total: number;
}
