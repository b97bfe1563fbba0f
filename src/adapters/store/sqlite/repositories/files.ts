import type Database from 'libsql';
import type { FileRepository, StoredFile } from '../../../../ports/store/store.ts';
import { instant, json, text } from '../columns.ts';
import { defineTable } from '../table.ts';

const files = defineTable<StoredFile>('files', {
  columns: { id: text(), name: text(), addedAt: instant, about: text(), whole: json() },
});

export function createFileRepository(database: Database.Database): FileRepository {
  const insert = database.prepare(files.insert);
  const putPart = database.prepare(
    'INSERT OR REPLACE INTO file_parts (file_id, number, content) VALUES (?, ?, ?)',
  );
  const complete = database.prepare('UPDATE files SET whole = ? WHERE id = ?');
  const list = database.prepare(files.select('WHERE instr(name, ?) = 1 ORDER BY added_at DESC, id DESC'));
  const listAll = database.prepare(files.select('ORDER BY added_at DESC, id DESC'));
  const readPart = database.prepare('SELECT content FROM file_parts WHERE file_id = ? AND number = ?');
  const remove = database.prepare('DELETE FROM files WHERE id = ?');
  const removeParts = database.prepare('DELETE FROM file_parts WHERE file_id = ?');
  return {
    async addFile(file) {
      insert.run(files.toValues(file));
    },
    async putFilePart(id, number, content) {
      // In a list: given one by one, bytes end the process (libsql 0.5). It takes no other views of memory than Buffers.
      putPart.run([id, number, Buffer.from(content.buffer, content.byteOffset, content.byteLength)]);
    },
    completeFile: async (id, whole) => complete.run(JSON.stringify(whole), id).changes === 1,
    listFiles: async (prefix) =>
      (prefix === '' ? listAll.all() : list.all(prefix)).map((row) => files.toRecord(row)),
    async readFilePart(id, number) {
      const row = readPart.get([id, number]) as { readonly content: Uint8Array } | undefined;
      return row === undefined ? null : row.content;
    },
    async removeFile(id) {
      remove.run(id);
      removeParts.run(id);
    },
  };
}
