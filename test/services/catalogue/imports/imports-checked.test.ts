import { describe, expect, test } from 'vitest';
import { systemActor } from '../../../../src/domain/admin.ts';
import {
  createGate,
  type ImportHost,
  many,
  object,
  openEmptyStore,
  readAll,
  sourceOf,
  startHost,
} from './import-samples.ts';

const check = { isCheck: true };

const readEntries = ({ store }: ImportHost) => store.transfer.readRecords('importEntries', null, 100);

describe('an import that is checked', () => {
  test('counts once it is accepted, and not before', async () => {
    const host = startHost(openEmptyStore());
    await host.imports.run(systemActor, sourceOf(many(3)));
    const before = await readAll(host);
    const { record } = await host.imports.run(systemActor, sourceOf([...many(2), object('b')]), check);
    expect(record).toMatchObject({ state: 'checked', isUndoable: false, comparedWith: 1 });
    expect(await readAll(host)).toEqual(before);
    const described = await host.imports.describeChanges(record!);
    expect(described.map(({ fate, name }) => `${fate} ${name}`)).toEqual(['added b', 'removed https://a.example/2']);
    expect(await host.imports.accept(systemActor, record!.id)).toMatchObject({
      state: 'live',
      isUndoable: true,
    });
    expect((await readAll(host)).map(({ key }) => key)).toEqual(['b', 'https://a.example/0', 'https://a.example/1']);
    await host.imports.undo(systemActor, record!.id);
    expect(await readAll(host)).toEqual(before);
    await host.imports.close();
  });

  test('may remove everything, as somebody looks at it first', async () => {
    const host = startHost(openEmptyStore());
    await host.imports.run(systemActor, sourceOf(many(3)));
    const { record } = await host.imports.run(systemActor, sourceOf([]), check);
    expect(record).toMatchObject({ state: 'checked', counts: { removed: 3 } });
    await host.imports.close();
  });

  test('is given up where the dataset is imported or undone meanwhile, and leaves nothing', async () => {
    const host = startHost(openEmptyStore());
    const live = await host.imports.run(systemActor, sourceOf(many(3)));
    const waits = await host.imports.run(systemActor, sourceOf(many(4)), check);
    await host.imports.run(systemActor, sourceOf(many(5)));
    await expect(host.imports.accept(systemActor, waits.record!.id)).rejects.toMatchObject({
      code: 'CHANGED_MEANWHILE',
    });
    expect(await host.imports.getImport(waits.record!.id)).toMatchObject({ state: 'stopped' });
    const again = await host.imports.run(systemActor, sourceOf(many(2)), check);
    const [newest] = await host.store.imports.listLiveOf('spring', { skip: 0, limit: 1 });
    await host.imports.undo(systemActor, newest!.id);
    await expect(host.imports.accept(systemActor, again.record!.id)).rejects.toMatchObject({
      code: 'CHANGED_MEANWHILE',
    });
    await host.imports.close();
    const left = await host.store.transfer.readRecords('importEntries', null, 100);
    const said = left.filter(({ record }) => record.state === 'put');
    expect(new Set(said.map(({ record }) => record.importNumber))).toEqual(new Set([live.record!.number]));
  });

  test('can be dropped, and leaves nothing', async () => {
    const host = startHost(openEmptyStore());
    const { record } = await host.imports.run(systemActor, sourceOf(many(3)), check);
    expect(await host.imports.stop(systemActor, record!.id)).toMatchObject({
      state: 'stopped',
      position: null,
    });
    await host.imports.close();
    expect(await readEntries(host)).toEqual([]);
  });

  test('can be dropped while what others left is cleared', async () => {
    const store = openEmptyStore();
    const clearing = createGate();
    const goOn = createGate();
    const host = startHost(store, {
      repository: {
        ...store.imports,
        async listLiveOf(dataset, page) {
          if (page.skip > 0) {
            clearing.open();
            await goOn.opened;
          }
          return store.imports.listLiveOf(dataset, page);
        },
      },
    });
    const { id } = await host.imports.start(systemActor, sourceOf(many(3)), check);
    await clearing.opened;
    const stopping = host.imports.stop(systemActor, id);
    goOn.open();
    expect(await stopping).toMatchObject({ state: 'stopped' });
    await host.imports.close();
    expect(await readEntries(host)).toEqual([]);
  });

  test('is accepted while another host undoes what it was compared with: only one of the two happens', async () => {
    const store = openEmptyStore();
    const host = startHost(store);
    let between: (() => Promise<unknown>) | null = null;
    const another = startHost(store, {
      repository: {
        ...store.imports,
        async listImportsOf(dataset, limit) {
          const now = between;
          between = null;
          await now?.();
          return store.imports.listImportsOf(dataset, limit);
        },
      },
    });
    const { record: first } = await host.imports.run(systemActor, sourceOf(many(3)));
    const { record } = await host.imports.run(systemActor, sourceOf(many(4)), check);
    between = () => host.imports.accept(systemActor, record!.id);
    await expect(another.imports.undo(systemActor, first!.id)).rejects.toMatchObject({
      code: 'IMPORT_NOT_NEWEST',
    });
    expect(await readAll(host)).toHaveLength(4);
    await host.imports.close();
  });
});

describe('what an import changes', () => {
  const page = (fields: Record<string, unknown>) => [{ ...object('a'), body: fields }];

  test('names fields that are gone, and compares with what counts only', async () => {
    const host = startHost(openEmptyStore());
    await host.imports.run(systemActor, sourceOf(page({ title: 'A', lang: 'en' })));
    const { record: wrong } = await host.imports.run(systemActor, sourceOf(page({ title: 'B' })));
    await host.imports.run(systemActor, sourceOf(page({ title: 'C' })));
    const { record } = await host.imports.run(systemActor, sourceOf(page({ title: 'C', level: 1 })), check);
    await host.imports.close();
    expect(await host.imports.describeChanges(record!)).toMatchObject([{ name: 'C', fields: ['level'] }]);
    // As where it was undone and is not cleared yet.
    const [, second] = await host.store.imports.listLiveOf('spring', { skip: 0, limit: 2 });
    const described = await host.imports.describeChanges({ ...record!, comparedWith: second!.number });
    expect(described).toMatchObject([{ fields: ['title', 'level'] }]);
    const undone = { ...second!, state: 'undone' as const, version: second!.version + 1 };
    expect(await host.store.imports.saveImport(undone)).toBe(true);
    const later = await host.imports.describeChanges({ ...record!, comparedWith: wrong!.number });
    expect(later).toMatchObject([{ fields: ['title', 'level', 'lang'] }]);
  });

  test('names the fields of every part, however large they are together', async () => {
    const host = startHost(openEmptyStore());
    const parts = (level: number) =>
      ['one', 'two', 'three'].map((part) => ({
        ...object('a'),
        part,
        body: { title: 'A', text: 'x'.repeat(600_000), [part]: level },
      }));
    await host.imports.run(systemActor, sourceOf(parts(1)));
    const { record } = await host.imports.run(systemActor, sourceOf(parts(2)), check);
    await host.imports.close();
    const [described] = await host.imports.describeChanges(record!);
    expect(described?.fields.toSorted()).toEqual(['one', 'three', 'two']);
  });
});
