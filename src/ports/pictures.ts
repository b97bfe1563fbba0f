import type { PictureForm } from '#domain/picture';

/** Keeps small files, the least recently used of which go when they are too many. */
export interface PictureFiles {
  /** Null where there is none. @param name letters, digits, `-`, `_` and dots */
  find(name: string): Promise<Uint8Array | null>;
  keep(name: string, bytes: Uint8Array): Promise<void>;
}

/** Makes pictures that browsers may be given out of bytes that anybody may have made. */
export interface PictureEncoder {
  /** Null for what is no picture of a kind that is read, too large, or broken. */
  encode(bytes: Uint8Array): Promise<Readonly<Record<PictureForm, Uint8Array>> | null>;
}
