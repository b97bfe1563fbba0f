import { describe, expect, test } from 'vitest';
import type { EntryPlace, ImportEntry, ImportRepository } from '../../../src/ports/store/store.ts';
import { readEntriesInOrder } from '../../../src/services/catalogue/imports/entry-order.ts';
import { bodiless, importEntry, withoutBodies } from './import-records.ts';
import type { OpenStore } from './opened-store.ts';
import { awkwardText, longText } from './records.ts';

/** In the order of the store. */
const inOrder: readonly ImportEntry[] = [
  importEntry('z', { kind: 'provider' }),
  importEntry('a'),
  bodiless('a', { importNumber: 2 }),
  importEntry('a', { importNumber: 10 }),
  importEntry('a', { importNumber: 999_999_999 }),
  importEntry('a', { part: ' ' }),
  importEntry('a', { part: 'a' }),
  importEntry('a b', { part: awkwardText }),
  importEntry('a!', { body: {} }),
  importEntry('aa', { body: { text: `${awkwardText}\u0000`, [awkwardText]: longText } }),
  importEntry('🐍'),
  bodiless('a', { kind: 'concept', state: 'seen' }),
];

/** Of other datasets, whose names sort around it. */
const others = ['', 'sprin', 'spring ', 'spring!', 'spring!Q', 'springs', awkwardText].map((dataset) =>
  importEntry('a', { dataset }),
);

async function readAll(imports: ImportRepository, dataset = 'spring', withBodies = true) {
  const pages: (readonly ImportEntry[])[] = [];
  for await (const page of readEntriesInOrder(imports, dataset, { withBodies })) pages.push(page);
  return pages.flat();
}

export function describeImportEntries(open: OpenStore): void {
  const openFilled = async () => {
    const { store } = await open();
    await store.imports.putEntries([...inOrder, ...others].toReversed());
    return store.imports;
  };

  describe('entries of imports', () => {
    test('are read in their order, those of one dataset', async () => {
      const imports = await openFilled();
      expect(await readAll(imports)).toStrictEqual(inOrder);
      expect(await readAll(imports, 'spring', false)).toStrictEqual(withoutBodies(inOrder));
      for (const other of others) expect(await readAll(imports, other.dataset)).toEqual([other]);
      expect(await readAll(imports, 'none')).toEqual([]);
    });

    test('are read on after any of them, whether it is there or not, so many as are asked for', async () => {
      const imports = await openFilled();
      const read = (after: EntryPlace | null, limit: number) =>
        imports.readEntries({ dataset: 'spring', after, limit, withBodies: true });
      expect(await read(null, 2)).toEqual(inOrder.slice(0, 2));
      for (const [number, after] of inOrder.entries())
        expect(await read(after, 3)).toEqual(inOrder.slice(number + 1, number + 4));
      expect(await read(importEntry('a', { importNumber: 3 }), 1)).toEqual([inOrder[3]]);
      expect(await read(importEntry('', { kind: 'concept' }), 9)).toEqual(inOrder.slice(-1));
    });

    test('of some parts are found, of all imports, without bodies', async () => {
      const imports = await openFilled();
      const find = async (...parts: ImportEntry[]) =>
        (await imports.findEntries('spring', parts)).toSorted((a, b) => inOrderOf(a) - inOrderOf(b));
      expect(await find(importEntry('a'))).toStrictEqual(withoutBodies(inOrder.slice(1, 5)));
      expect(await find(inOrder[7]!, inOrder[0]!, importEntry('none'))).toEqual(
        withoutBodies([inOrder[0]!, inOrder[7]!]),
      );
      expect(await find(importEntry('z'), importEntry('🐍', { part: 'a' }))).toEqual([]);
      expect(await imports.findEntries('spring ', [importEntry('a')])).toEqual(withoutBodies([others[2]!]));
      expect(await find()).toEqual([]);
    });

    test('of some parts are found with their bodies where they are asked for', async () => {
      const imports = await openFilled();
      const found = await imports.findEntries('spring', [inOrder[1]!, inOrder[9]!], { withBodies: true });
      expect(found.toSorted((a, b) => inOrderOf(a) - inOrderOf(b))).toStrictEqual([...inOrder.slice(1, 5), inOrder[9]]);
      const large = importEntry('large', { body: { text: 'a'.repeat(1_000_000) } });
      await imports.putEntries([large]);
      expect(await imports.findEntries('spring', [large], { withBodies: true })).toEqual([{ ...large, body: {} }]);
    });

    test('of one import are found, but for what was only seen', async () => {
      const { store } = await open();
      const { imports } = store;
      const own = (['put', 'seen', 'removed', 'put'] as const).map((state, number) =>
        bodiless(`${number}`, { state, importNumber: 7, dataset: number === 3 ? 'autumn' : 'spring' }),
      );
      await imports.putEntries([...own, importEntry('other', { importNumber: 8 })]);
      const found = (await imports.findEntriesOf(7, 10)).toSorted((a, b) => (a.key < b.key ? -1 : 1));
      expect(found).toStrictEqual([own[0], own[2], own[3]]);
      expect(await imports.findEntriesOf(7, 2)).toHaveLength(2);
      expect(await imports.findEntriesOf(9, 10)).toEqual([]);
    });

    test('are replaced by others of the same place', async () => {
      const imports = await openFilled();
      const seen = bodiless('a', { state: 'seen' });
      const put = bodiless('a', { importNumber: 2, state: 'put', hash: 'h', body: { new: true } });
      await imports.putEntries([seen, put]);
      await imports.putEntries([]);
      expect(await readAll(imports)).toEqual([inOrder[0], seen, put, ...inOrder.slice(3)]);
    });

    test('are removed one by one', async () => {
      const imports = await openFilled();
      await imports.removeEntries([inOrder[2]!, inOrder[7]!, importEntry('none'), others[2]!]);
      await imports.removeEntries([]);
      expect(await readAll(imports)).toEqual(inOrder.filter((_, number) => number !== 2 && number !== 7));
      expect(await readAll(imports, 'spring ')).toEqual([]);
      expect(await readAll(imports, 'spring!')).toEqual([others[3]]);
    });

    test('of one import are removed in steps, all or those of a state', async () => {
      const { store } = await open();
      const { imports } = store;
      const states = ['put', 'seen', 'removed', 'seen', 'put', 'seen'] as const;
      const kept = importEntry('a', { importNumber: 10 });
      await imports.putEntries([...states.map((state, number) => bodiless(`${number}`, { state })), kept]);
      expect(await imports.removeEntriesOf(1, 2, 'seen')).toBe(2);
      expect(await imports.removeEntriesOf(1, 2, 'seen')).toBe(1);
      expect(await imports.removeEntriesOf(1, 2, 'seen')).toBe(0);
      const left = await readAll(imports);
      expect(left.map(({ state }) => state)).toEqual(['put', 'removed', 'put', 'put']);
      expect(await imports.removeEntriesOf(1, 1_000)).toBe(3);
      expect(await imports.removeEntriesOf(1, 1_000)).toBe(0);
      expect(await readAll(imports)).toEqual([kept]);
    });

    test('are read in pages of about so many characters, and of one entry at least', async () => {
      const { store } = await open();
      const large = (key: string, length: number) => importEntry(key, { body: { text: 'é'.repeat(length) } });
      const all = [large('a', 10), large('b', 900), large('c', 10), large('d', 10), large('e', 10)];
      await store.imports.putEntries(all);
      const read = async (after: EntryPlace | null, withBodies = true) =>
        (await store.imports.readEntries({ dataset: 'spring', after, limit: 9, chars: 100, withBodies })).map(
          ({ key }) => key,
        );
      expect(await read(null)).toEqual(['a']);
      expect(await read(all[0]!)).toEqual(['b']);
      expect((await read(all[1]!)).slice(0, 2)).toEqual(['c', 'd']);
      expect(await read(all[4]!)).toEqual([]);
      expect(await read(null, false)).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    test('that are larger than any is now are given without their fields', async () => {
      const { store } = await open();
      const old = importEntry('old', { body: { text: 'a'.repeat(1_000_000) } });
      const others = ['new', 'older'].map((key) => importEntry(key));
      await store.imports.putEntries([old, ...others]);
      expect(await readAll(store.imports)).toEqual([others[0], { ...old, body: {} }, others[1]]);
    });

    test('are read in the order of the bytes of their keys', async () => {
      const { store } = await open();
      // U+FF21 comes before U+1F40D in UTF-8, and after it in UTF-16.
      const keys = ['A', 'a', 'é', '\uff21', '🐍'];
      await store.imports.putEntries(keys.toReversed().map((key) => importEntry(key)));
      expect((await readAll(store.imports)).map(({ key }) => key)).toEqual(keys);
    });

    test('are written and found a thousand at a time', async () => {
      const { store } = await open();
      const many = Array.from({ length: 1_000 }, (_, number) => importEntry(`${number}`.padStart(4, '0')));
      await store.imports.putEntries(many);
      expect(await readAll(store.imports)).toEqual(many);
      expect(await store.imports.findEntries('spring', many)).toHaveLength(1_000);
      await store.imports.removeEntries(many);
      expect(await readAll(store.imports)).toEqual([]);
    });
  });
}

const inOrderOf = (place: EntryPlace): number =>
  inOrder.findIndex(
    (each) =>
      each.kind === place.kind &&
      each.key === place.key &&
      each.part === place.part &&
      each.importNumber === place.importNumber,
  );
