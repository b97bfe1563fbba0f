/** Files and turns that the hosts of one store share. */
export interface SharedFiles {
  /** Stores a file in place of one of the same name. A chunk has at most `FILE_PART_BYTES`. */
  put(file: NewSharedFile, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Those that are whole and whose names begin with the prefix, newest first. */
  list(prefix: string): Promise<readonly SharedFile[]>;
  /** Errors: FileDamaged, at its end at the latest, where it is not what was put. */
  read(file: SharedFile): AsyncIterable<Uint8Array>;
  remove(file: SharedFile): Promise<void>;
  /** Runs a job that no other host, nor this one, runs under the same name at this time; null where
   *  one does. A host that dies loses its turn within seconds. Where one is held up for longer, two
   *  may run the job, which must allow for that. */
  alone<T>(name: string, job: () => Promise<T>): Promise<T | null>;
}

interface NewSharedFile {
  readonly name: string;
  /** What its user notes of it. */
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
