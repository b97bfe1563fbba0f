import type { Connection } from 'mongoose';
import type { FileRepository, StoredFile } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { bytes, instant, integer, json, text } from '../fields.ts';
import { matchListBeginning } from '../list-page.ts';

export const files = defineCollection<StoredFile>('files', {
  fields: { name: text, addedAt: instant, about: text, whole: json },
  indexes: [],
});

interface FilePart {
  readonly fileId: string;
  readonly number: number;
  readonly content: Uint8Array;
}

export const fileParts = defineCollection<FilePart>('fileParts', {
  fields: { fileId: text, number: integer, content: bytes },
  key: ({ fileId, number }) => `${fileId} ${number}`,
  indexes: [{ key: { fileId: 1 } }],
});

export function createFileRepository(connection: Connection): FileRepository {
  const model = openCollection(connection, files);
  const parts = openCollection(connection, fileParts);
  return {
    async addFile(file) {
      await model.insertOne(files.toDocument(file));
    },
    async putFilePart(fileId, number, content) {
      const part = fileParts.toDocument({ fileId, number, content });
      await parts.replaceOne({ _id: part._id }, part, { upsert: true });
    },
    async completeFile(id, whole) {
      const { matchedCount } = await model.updateOne({ _id: id }, { $set: { whole: JSON.stringify(whole) } });
      return matchedCount === 1;
    },
    async listFiles(prefix) {
      const found = model.find(matchListBeginning('name', prefix)).sort({ addedAt: -1, _id: -1 });
      return (await found.lean<Document[]>()).map(files.toRecord);
    },
    async readFilePart(id, number) {
      const found = await parts.findOne({ _id: `${id} ${number}` }).lean<Document | null>();
      return fileParts.toRecordOrNull(found)?.content ?? null;
    },
    async removeFile(id) {
      // First what says that the parts are there.
      await model.deleteOne({ _id: id });
      await parts.deleteMany({ fileId: id });
    },
  };
}
