import {
  beginningWith,
  bytes,
  describeRecord,
  instant,
  integer,
  json,
  nullable,
  type OpenRecords,
  type RecordOf,
  text,
} from './record.ts';
export const fileRecords = describeRecord('files', {
  fields: {
    id: text(),
    /** Several may have the same one. */
    name: text(),
    addedAt: instant,
    /** What its user notes of it. */
    about: text(),
    /** Null while it comes. */
    whole: nullable(json<WholeFile>()),
  },
  loss: 'moments',
});

/** A file that hosts share. It is kept in parts, and counts once it is whole. */
export type StoredFile = RecordOf<typeof fileRecords>;

interface WholeFile {
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

export const filePartRecords = describeRecord('fileParts', {
  fields: {
    fileId: text(),
    number: integer,
    content: bytes,
  },
  key: ['fileId', 'number'],
  indexes: [{ fields: ['fileId'], in: 'mongo' }],
  loss: 'moments',
  hasShortRows: true,
});

export function createFileRepository(open: OpenRecords): FileRepository {
  const files = open(fileRecords);
  const parts = open(filePartRecords);
  return {
    addFile: (file) => files.add([file]),
    putFilePart: (fileId, number, content) => parts.put([{ fileId, number, content }]),
    completeFile: async (id, whole) => (await files.changeIf({ id }, { whole })) === 1,
    listFiles: (prefix) => files.find({ where: { name: beginningWith(prefix) }, order: ['-addedAt', '-id'] }),
    readFilePart: async (fileId, number) => (await parts.get({ fileId, number }))?.content ?? null,
    async removeFile(id) {
      // First what says that the parts are there.
      await files.remove({ id });
      await parts.remove({ fileId: id });
    },
  };
}
