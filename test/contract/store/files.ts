import { describe, expect, test } from 'vitest';
import { FILE_PART_BYTES, type StoredFile } from '../../../src/ports/store/store.ts';
import { ids, type OpenStore } from './opened-store.ts';
import { at, awkwardText } from './records.ts';

const file = (id: string, changes: Partial<StoredFile> = {}): StoredFile => ({
  id,
  name: `name of ${id}`,
  addedAt: at(0),
  about: '',
  whole: null,
  ...changes,
});

/** Every byte there is, and so long as a part may be. */
const content = Uint8Array.from({ length: FILE_PART_BYTES }, (_, place) => place * 7);
const whole = { bytes: 3, hash: 'hash' };

export function describeFiles(open: OpenStore): void {
  const openFiles = async () => (await open()).store.files;

  describe('shared files', () => {
    test('give their parts back byte by byte, to every host', async () => {
      const { store, openAnother } = await open();
      const other = (await openAnother()).files;
      await store.files.addFile(file('a'));
      await store.files.putFilePart('a', 0, content);
      // A view into memory that others share.
      await store.files.putFilePart('a', 1, content.subarray(5, 8));
      await store.files.putFilePart('a', 2, new Uint8Array());
      expect(Buffer.compare((await other.readFilePart('a', 0))!, content)).toBe(0);
      expect([...(await other.readFilePart('a', 1))!]).toEqual([35, 42, 49]);
      expect([...(await other.readFilePart('a', 2))!]).toEqual([]);
      expect(await other.readFilePart('a', 3)).toBeNull();
      expect(await other.readFilePart('b', 0)).toBeNull();
      await store.files.putFilePart('a', 0, content.subarray(0, 1));
      expect([...(await other.readFilePart('a', 0))!]).toEqual([0]);
    });

    test('are whole once that is said', async () => {
      const files = await openFiles();
      const noted = file('a', { about: awkwardText, name: awkwardText });
      await files.addFile(noted);
      expect(await files.listFiles(awkwardText)).toEqual([noted]);
      expect(await files.completeFile('a', whole)).toBe(true);
      expect(await files.listFiles(awkwardText)).toEqual([{ ...noted, whole }]);
      expect(await files.completeFile('b', whole)).toBe(false);
    });

    test('are listed by the beginning of their names, newest first', async () => {
      const files = await openFiles();
      await files.addFile(file('a', { name: 'one/x', addedAt: at(1) }));
      await files.addFile(file('b', { name: 'one/x', addedAt: at(3) }));
      await files.addFile(file('c', { name: 'One/x', addedAt: at(2) }));
      await files.addFile(file('d', { name: 'one%', addedAt: at(4) }));
      expect(ids(await files.listFiles('one/'))).toEqual(['b', 'a']);
      expect(ids(await files.listFiles('one%'))).toEqual(['d']);
      expect(ids(await files.listFiles('.*'))).toEqual([]);
      expect(ids(await files.listFiles(''))).toEqual(['d', 'b', 'c', 'a']);
    });

    test('go with all their parts, and with no other', async () => {
      const files = await openFiles();
      for (const id of ['a', 'b']) {
        await files.addFile(file(id));
        await files.putFilePart(id, 0, content.subarray(0, 9));
        await files.putFilePart(id, 1, content.subarray(0, 9));
      }
      await files.removeFile('a');
      await files.removeFile('a');
      expect(ids(await files.listFiles(''))).toEqual(['b']);
      expect(await files.readFilePart('a', 0)).toBeNull();
      expect(await files.readFilePart('a', 1)).toBeNull();
      expect((await files.readFilePart('b', 1))?.length).toBe(9);
      expect(await files.completeFile('a', whole)).toBe(false);
    });
  });
}
