/** A file that hosts share. It is kept in parts, and counts once it is whole. */
export interface StoredFile {
  readonly id: string;
  /** Several may have the same one. */
  readonly name: string;
  readonly addedAt: Date;
  /** What its user notes of it. */
  readonly about: string;
  /** Null while it comes. */
  readonly whole: WholeFile | null;
}

export interface WholeFile {
  readonly bytes: number;
  /** SHA-256 of the content, base64url. */
  readonly hash: string;
}

/** Of a part, at most. */
export const FILE_PART_BYTES = 1_048_576;

/** Files that can be made or sent again: they are not copied into another store. */
export interface FileRepository {
  /** Without parts. */
  addFile(file: StoredFile): Promise<void>;
  /** @param number 0, 1, 2 … in the order of the content */
  putFilePart(id: string, number: number, content: Uint8Array): Promise<void>;
  /** False where it was removed meanwhile. */
  completeFile(id: string, whole: WholeFile): Promise<boolean>;
  /** Those whose names begin with the prefix, newest first; few are kept at a time. */
  listFiles(prefix: string): Promise<readonly StoredFile[]>;
  /** Null where there is none. */
  readFilePart(id: string, number: number): Promise<Uint8Array | null>;
  /** With its parts. */
  removeFile(id: string): Promise<void>;
}
