/** Files and locks that the hosts of one store share. */
export interface SharedFiles {
  /** Stores a file in place of one of the same name. Chunks have at most `FILE_PART_BYTES`. */
  put(file: NewSharedFile, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Lists the complete files whose names have this prefix, newest first. */
  list(prefix: string): Promise<readonly SharedFile[]>;
  /** Reads a file in chunks. Errors: FileDamaged, at the end at the latest. */
  read(file: SharedFile): AsyncIterable<Uint8Array>;
  remove(file: SharedFile): Promise<void>;
  /** Runs a job under a lock on its name; returns null if another run has the lock. A host that
   *  dies loses it within seconds. A host that stalls for longer loses it, too: two hosts may then
   *  run the job, which must allow for that. */
  alone<T>(name: string, job: () => Promise<T>): Promise<T | null>;
}

interface NewSharedFile {
  readonly name: string;
  /** Text of any content, for the caller. */
  readonly about: string;
}

export interface SharedFile extends NewSharedFile {
  readonly id: string;
  readonly addedAt: Date;
  readonly bytes: number;
  readonly hash: string;
}

export class FileDamaged extends Error {
  override readonly name = 'FileDamaged';
}
