import type { PictureForm } from '#domain/picture';

/** Stores small files, and removes the least recently used of them when there are too many. */
export interface PictureFiles {
  /** Null where there is none. @param name letters, digits, `-`, `_` and dots */
  find(name: string): Promise<Uint8Array | null>;
  keep(name: string, bytes: Uint8Array): Promise<void>;
}

export type EncodedPicture = Readonly<Record<PictureForm, Uint8Array>>;

/** Makes safe pictures out of bytes of any origin. */
export interface PictureEncoder {
  /** Null for bytes that are not a supported picture, too large or broken, or take too much time or
   *  memory. */
  encode(bytes: Uint8Array): Promise<EncodedPicture | null>;
}
