/** How far the vectors of what is searched are. */
export interface EncodingState {
  readonly labels: EncodingProgress;
  readonly objects: EncodingProgress;
  /** Texts a second, of late; null while nothing was encoded. */
  readonly perSecond: number | null;
  /** Null where it cannot be said yet, and where all is done. */
  readonly secondsLeft: number | null;
  /** Bytes of vectors on the disk. */
  readonly bytes: number;
  /** Why none are added for now: the disk is full, the files cannot be read or written, or the model failed. */
  readonly problem: 'disk-full' | 'files' | 'model' | null;
}

/** Texts that have a vector, of those that the model reads. */
export interface EncodingProgress {
  readonly done: number;
  readonly total: number;
}
