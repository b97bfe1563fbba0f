import { describeRecord, field, is, type OpenRecords, type RecordOf } from './record.ts';
export const fileRecords = describeRecord('files', {
  fields: {
    id: field.text(),
    /** Not unique. */
    name: field.text(),
    addedAt: field.instant,
    /** Free text of the caller. */
    about: field.text(),
    /** Null during the upload. */
    whole: field.nullable(field.json<WholeFile>()),
  },
  loss: 'moments',
});

/** A file that hosts share, stored in parts; valid once it is complete. */
export type StoredFile = RecordOf<typeof fileRecords>;

interface WholeFile {
  readonly bytes: number;
  /** SHA-256 of the content, base64url. */
  readonly hash: string;
}

export const FILE_PART_BYTES = 1_048_576;

/** Files can be created or uploaded again, so they are not copied into another store. */
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
    addFile: (file: StoredFile) => files.add([file]),
    /** @param number 0, 1, 2 … in the order of the content */
    putFilePart: (fileId: string, number: number, content: Uint8Array) => parts.put([{ fileId, number, content }]),
    /** False where it was removed meanwhile. */
    completeFile: async (id: string, whole: WholeFile) => (await files.changeIf({ id }, { whole })) === 1,
    /** Names with this prefix, newest first; there are few. */
    listFiles: (prefix: string) =>
      files.find({ where: { name: is.beginningWith(prefix) }, order: ['-addedAt', '-id'] }),
    readFilePart: async (fileId: string, number: number) => (await parts.get({ fileId, number }))?.content ?? null,
    async removeFile(id: string): Promise<void> {
      // Before the parts, so that no file is listed without them.
      await files.remove({ id });
      await parts.remove({ fileId: id });
    },
  };
}
