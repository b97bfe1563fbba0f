import { describeRecord, field, is, type OpenRecords, type RecordOf } from './record.ts';
export const fileRecords = describeRecord('files', {
  fields: {
    id: field.text(),
    /** Several may have the same one. */
    name: field.text(),
    addedAt: field.instant,
    /** What its user notes of it. */
    about: field.text(),
    /** Null while it comes. */
    whole: field.nullable(field.json<WholeFile>()),
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
export type FileRepository = ReturnType<typeof createFileRepository>;

export const filePartRecords = describeRecord('fileParts', {
  fields: {
    fileId: field.text(),
    number: field.integer,
    content: field.bytes,
  },
  key: ['fileId', 'number'],
  indexes: [{ fields: ['fileId'], in: 'mongo' }],
  loss: 'moments',
  hasShortRows: true,
});

export function createFileRepository(open: OpenRecords) {
  const files = open(fileRecords);
  const parts = open(filePartRecords);
  return {
    /** Without parts. */
    addFile: (file: StoredFile) => files.add([file]),
    /** @param number 0, 1, 2 … in the order of the content */
    putFilePart: (fileId: string, number: number, content: Uint8Array) => parts.put([{ fileId, number, content }]),
    /** False where it was removed meanwhile. */
    completeFile: async (id: string, whole: WholeFile) => (await files.changeIf({ id }, { whole })) === 1,
    /** Those whose names begin with the prefix, newest first; few are kept at a time. */
    listFiles: (prefix: string) =>
      files.find({ where: { name: is.beginningWith(prefix) }, order: ['-addedAt', '-id'] }),
    /** Null where there is none. */
    readFilePart: async (fileId: string, number: number) => (await parts.get({ fileId, number }))?.content ?? null,
    /** With its parts. */
    async removeFile(id: string): Promise<void> {
      // First what says that the parts are there.
      await files.remove({ id });
      await parts.remove({ fileId: id });
    },
  };
}
