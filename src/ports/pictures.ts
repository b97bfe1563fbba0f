import type { PictureForm } from '#domain/picture';

/** A cache of small files; the least recently used are removed when there are too many. */
export interface PictureFiles {
  /** @param name letters, digits, `-`, `_` and dots */
  find(name: string): Promise<Uint8Array | null>;
  keep(name: string, bytes: Uint8Array): Promise<void>;
}

export type EncodedPicture = Readonly<Record<PictureForm, Uint8Array>>;

/** Re-encodes pictures of any origin, so that they are safe. */
export interface PictureEncoder {
  /** Returns null for bytes that are no supported picture, too large, broken, or too slow. */
  encode(bytes: Uint8Array): Promise<EncodedPicture | null>;
}
