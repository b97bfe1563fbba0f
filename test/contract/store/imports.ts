import { describe, expect, test } from 'vitest';
import type { ImportRecord, Store } from '../../../src/ports/store/store.ts';
import { importRecord } from './import-records.ts';
import { ids, type OpenStore, race, readPages } from './opened-store.ts';
import { at, awkwardText, longText } from './records.ts';

/** Adds it under the number that the store gives. */
async function add({ imports }: Store, id: string, changes: Partial<ImportRecord> = {}) {
  const { number: _, ...record } = importRecord(id, changes);
  return imports.addImport(record);
}

const next = (record: ImportRecord, changes: Partial<ImportRecord>): ImportRecord => ({
  ...record,
  ...changes,
  version: record.version + 1,
});

export function describeImports(open: OpenStore): void {
  describe('imports', () => {
    test('come back as they were added, under the next number', async () => {
      const { store } = await open();
      const odd: Partial<ImportRecord> = {
        title: awkwardText,
        dataset: awkwardText,
        position: longText,
        fingerprint: null,
        endedAt: null,
        total: null,
        problem: awkwardText,
        actor: { kind: 'system', id: null, name: awkwardText, address: null },
        rejected: [],
        isUndoable: false,
        state: 'running',
      };
      expect(await add(store, 'a')).toEqual(importRecord('a'));
      expect(await add(store, 'b', odd)).toEqual(importRecord('b', { ...odd, number: 2 }));
      expect(await store.imports.findImport('a')).toStrictEqual(importRecord('a'));
      expect(await store.imports.findImport('b')).toStrictEqual(importRecord('b', { ...odd, number: 2 }));
      expect(await store.imports.findImport('c')).toBeNull();
    });

    test('of a dataset run one at a time', async () => {
      const { store } = await open();
      const first = (await add(store, 'a', { state: 'running' }))!;
      const stopped = (await add(store, 'b', { state: 'stopped' }))!;
      expect(await add(store, 'c', { state: 'running' })).toBeNull();
      expect(await store.imports.saveImport(next(stopped, { state: 'running' }))).toBe(false);
      expect(await add(store, 'd', { state: 'running', dataset: 'autumn' })).toMatchObject({ number: 3 });
      expect(await store.imports.saveImport(next(first, { done: 4 }))).toBe(true);
      expect(await store.imports.saveImport(next(next(first, { state: 'live' }), {}))).toBe(true);
      expect(await store.imports.saveImport(next(stopped, { state: 'running' }))).toBe(true);
      expect(await store.imports.findImport('b')).toEqual(next(stopped, { state: 'running' }));
    });

    test('that repeat are found, by number', async () => {
      const { store } = await open();
      await add(store, 'a', { dataset: 'a', rhythm: 'weekly' });
      await add(store, 'b', { dataset: 'b' });
      const daily = (await add(store, 'c', { dataset: 'c', rhythm: 'daily' }))!;
      const listIds = async () => (await store.imports.listRhythmic()).map(({ id }) => id);
      expect(await listIds()).toEqual(['a', 'c']);
      await store.imports.saveImport(next(daily, { rhythm: null }));
      expect(await listIds()).toEqual(['a']);
    });

    test('are replaced by the next version only', async () => {
      const { store } = await open();
      const added = (await add(store, 'a'))!;
      const second = next(added, { state: 'undone', problem: 'x', counts: { ...added.counts, rows: 0 } });
      expect(await store.imports.saveImport({ ...second, version: 3 })).toBe(false);
      expect(await store.imports.saveImport({ ...second, id: 'b' })).toBe(false);
      expect(await store.imports.findImport('a')).toEqual(added);
      expect(await store.imports.saveImport(second)).toBe(true);
      expect(await store.imports.saveImport(second)).toBe(false);
      expect(await store.imports.findImport('a')).toEqual(second);
    });

    test('begun at once get a number each, and of one dataset only one begins', async () => {
      const { store, openAnother } = await open();
      const handles = [store, await openAnother()] as const;
      const added = await race(handles, 10, (each, number) => add(each, `a${number}`, { dataset: `${number}` }));
      expect(added.map((record) => record?.number).toSorted((a, b) => a! - b!)).toEqual(
        Array.from({ length: 10 }, (_, number) => number + 1),
      );
      const running = await race(handles, 10, (each, number) => add(each, `b${number}`, { state: 'running' }));
      expect(running.filter((record) => record !== null)).toHaveLength(1);
      const saved = await race(handles, 10, ({ imports }, number) =>
        imports.saveImport(next(added[0]!, { done: number })),
      );
      expect(saved.filter((done) => done)).toHaveLength(1);
    });

    test('are listed newest first, all and those of a dataset', async () => {
      const { store } = await open();
      for (const id of ['b', 'a', 'd', 'c']) {
        await add(store, id, { dataset: id < 'c' ? 'spring' : 'autumn', startedAt: at(-Number(id === 'd')) });
      }
      const { items, sizes, total } = await readPages((page) => store.imports.listImports(page), 3);
      expect([ids(items), sizes, total]).toEqual([['c', 'd', 'a', 'b'], [3, 1, 0], 4]);
      expect(await store.imports.listImportsOf('spring')).toEqual([
        importRecord('a', { number: 2 }),
        importRecord('b'),
      ]);
      expect(ids(await store.imports.listImportsOf('spring', 1))).toHaveLength(1);
      expect(await store.imports.listImportsOf('')).toEqual([]);
    });

    test('that count are listed by number, and those of a dataset newest first', async () => {
      const { store } = await open();
      const states = ['live', 'undone', 'live', 'unchanged', 'live', 'live', 'running', 'failed'] as const;
      for (const [number, state] of states.entries())
        await add(store, `${number}`, { state, dataset: number === 4 ? 'autumn' : 'spring' });
      expect(await store.imports.listLive()).toEqual([
        { id: '0', number: 1, dataset: 'spring' },
        { id: '2', number: 3, dataset: 'spring' },
        { id: '4', number: 5, dataset: 'autumn' },
        { id: '5', number: 6, dataset: 'spring' },
      ]);
      const listed = async (skip: number, limit: number) =>
        ids(await store.imports.listLiveOf('spring', { skip, limit }));
      expect(await listed(0, 2)).toEqual(['5', '2']);
      expect(await listed(1, 9)).toEqual(['2', '0']);
      expect(await listed(3, 1)).toEqual([]);
      const [newest] = await store.imports.listLiveOf('autumn', { skip: 0, limit: 1 });
      expect(newest).toEqual(importRecord('4', { number: 5, dataset: 'autumn' }));
    });
  });
}
