import { describe, expect, test } from 'vitest';
import { systemActor } from '../../../../src/domain/admin.ts';
import { AppError } from '../../../../src/errors.ts';
import type { ImportSource } from '../../../../src/ports/imports.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { tester } from '../../../helpers/open-services.ts';
import {
  concept,
  item,
  killedAt,
  LEASE_OVER_MS,
  many,
  object,
  openEmptyStore,
  readAll,
  readEverything,
  sourceOf,
  startHost,
} from './import-samples.ts';

const open = (options: Parameters<typeof startHost>[1] = {}) => startHost(openEmptyStore(), options);

const trailOf = async ({ store }: Pick<ReturnType<typeof open>, 'store'>) => {
  const all = { scope: null, action: null, period: { from: null, until: null }, search: '' };
  return (await store.audit.readAuditEntries(all, null, 100)).map(({ action, actor, details }) => ({
    action,
    by: actor.name,
    state: details.state,
  }));
};

describe('an import', () => {
  test('counts from its end on, is in the audit trail, and says what it did', async () => {
    const host = open();
    const before = await host.catalog.version();
    expect(before).toBe('');
    const parts = [object('b'), concept('x', 'fr'), concept('x', 'en'), object('a', 2)];
    const report = await host.imports.run(tester, sourceOf(parts));
    const counts = { rows: 4, rejected: 0, warned: 0, added: 3, changed: 0, unchanged: 0, removed: 0 };
    expect(report).toMatchObject({ counts, isDryRun: false, resumedFrom: null, isShrinking: false });
    expect(report.changes.map(({ fate, key }) => `${fate} ${key}`)).toEqual(['added a', 'added b', 'added x']);
    expect(report.record).toMatchObject({ number: 1, state: 'live', counts, isUndoable: true, done: 4 });
    expect(await host.imports.getImport(report.record!.id)).toEqual(report.record);
    expect(await readAll(host)).toEqual([
      { kind: 'object', key: 'a', parts: [{ value: 2 }] },
      { kind: 'object', key: 'b', parts: [{ value: 1 }] },
      { kind: 'concept', key: 'x', parts: [{ en: 1 }, { fr: 1 }] },
    ]);
    expect(await host.catalog.version()).not.toBe('');
    expect(await trailOf(host)).toEqual([{ action: 'import.ended', by: 'Ada', state: 'live' }]);
  });

  test('of the same source again changes nothing and leaves nothing', async () => {
    const host = open();
    await host.imports.run(tester, sourceOf(many(7)));
    const [before, version] = [await readAll(host), await host.catalog.version()];
    const entries = await host.store.transfer.readRecords('importEntries', null, 100);
    const { record, counts } = await host.imports.run(tester, sourceOf(many(7)));
    expect(record).toMatchObject({ state: 'unchanged', isUndoable: false });
    expect(counts).toMatchObject({ rows: 7, added: 0, changed: 0, unchanged: 7, removed: 0 });
    expect(await host.store.transfer.readRecords('importEntries', null, 100)).toEqual(entries);
    expect(await host.catalog.version()).toBe(version);
    expect(await readAll(host)).toEqual(before);
  });

  test('counts records, of however many parts, by what became of them', async () => {
    const host = open();
    const parts = ['same', 'less', 'other', 'gone'].flatMap((key) => [concept(key, 'en'), concept(key, 'fr')]);
    await host.imports.run(tester, sourceOf(parts));
    const now = [
      ...[concept('same', 'en'), concept('same', 'fr'), concept('less', 'fr'), concept('new', 'en')],
      ...[concept('other', 'en'), concept('other', 'fr', 2), concept('new', 'fr')],
    ];
    const { counts, changes } = await host.imports.run(tester, sourceOf(now));
    expect(counts).toEqual({
      rows: 7,
      rejected: 0,
      kept: 0,
      leftOut: 3,
      warned: 0,
      added: 1,
      changed: 2,
      unchanged: 1,
      removed: 1,
    });
    const described = changes.map(({ fate, key }) => `${fate} ${key}`);
    expect(described).toEqual(['added new', 'changed less', 'changed other', 'removed gone']);
    expect(await readAll(host)).toEqual([
      { kind: 'concept', key: 'less', parts: [{ fr: 1 }] },
      { kind: 'concept', key: 'new', parts: [{ en: 1 }, { fr: 1 }] },
      { kind: 'concept', key: 'other', parts: [{ en: 1 }, { fr: 2 }] },
      { kind: 'concept', key: 'same', parts: [{ en: 1 }, { fr: 1 }] },
    ]);
    const left = await host.store.transfer.readRecords('importEntries', null, 100);
    expect(left.filter(({ record }) => record.state === 'seen')).toEqual([]);
  });

  test('removes only what it covers', async () => {
    const host = open();
    const parts = [concept('a', 'labels:en'), concept('a', 'labels:fr'), concept('b', 'labels:fr')];
    await host.imports.run(tester, sourceOf(parts));
    const french = sourceOf([concept('c', 'labels:fr')], { covers: ['labels:fr'] });
    const { counts } = await host.imports.run(tester, french, { allowRemoval: true });
    expect(counts).toMatchObject({ added: 1, changed: 1, unchanged: 0, removed: 1 });
    expect(await readAll(host)).toEqual([
      { kind: 'concept', key: 'a', parts: [{ 'labels:en': 1 }] },
      { kind: 'concept', key: 'c', parts: [{ 'labels:fr': 1 }] },
    ]);
    const feed = sourceOf([concept('d', 'labels:fr')], { covers: [] });
    expect((await host.imports.run(tester, feed)).counts).toMatchObject({
      added: 1,
      removed: 0,
      unchanged: 0,
    });
    expect(await readAll(host)).toHaveLength(3);
  });

  test('takes the last of the parts that a source gives twice, and counts the record once', async () => {
    const host = open();
    const twice = [object('a', 1), object('a', 2), object('b'), object('c'), object('d'), object('a', 3)];
    expect((await host.imports.run(tester, sourceOf(twice))).counts).toMatchObject({ rows: 6, added: 4 });
    expect((await readAll(host))[0]).toEqual({ kind: 'object', key: 'a', parts: [{ value: 3 }] });
    const again = [object('a', 9), ...twice];
    const { record, counts } = await host.imports.run(tester, sourceOf(again));
    expect([record!.state, counts.unchanged]).toEqual(['unchanged', 4]);
  });

  test('keeps the first 1,000 rejected rows and hands over all', async () => {
    const host = open();
    const rejected = Array.from({ length: 1_030 }, (_, row) => ({
      place: `a.csv:${row}`,
      reason: 'No address.',
    }));
    const source = sourceOf([], {
      async *read() {
        for (const [row, each] of rejected.entries()) yield item(row, { rejected: [each] });
      },
    });
    const heard: unknown[] = [];
    const { record, counts } = await host.imports.run(tester, source, {
      onRejected: (row) => heard.push(row),
    });
    expect(counts).toMatchObject({ rows: 1_030, rejected: 1_030 });
    expect(record).toMatchObject({
      state: 'unchanged',
      rejected: rejected.slice(0, 1_000).map((row) => ({ ...row, isUsed: false })),
    });
    expect(heard).toEqual(rejected);
  });

  test('says how far it is', async () => {
    const host = open();
    const heard: string[] = [];
    await host.imports.run(tester, sourceOf(many(7)), {
      onProgress: ({ phase, done, total, unit, counts }) =>
        heard.push(`${phase} ${done}/${total} ${unit}: ${counts.rows} rows, ${counts.added} added`),
    });
    expect(heard).toEqual([
      'reading 3/7 rows: 3 rows, 0 added',
      'reading 6/7 rows: 6 rows, 0 added',
      'reading 7/7 rows: 7 rows, 0 added',
      'comparing 7/7 rows: 7 rows, 6 added',
      'switching 7/7 rows: 7 rows, 7 added',
    ]);
  });
});

describe('an import that would take most away', () => {
  test('is refused, and goes on from its end once it is allowed', async () => {
    const host = open({ batchSize: 100 });
    await host.imports.run(tester, sourceOf(many(210)));
    const before = await readAll(host);
    const small = sourceOf(many(104));
    await expect(host.imports.run(tester, small)).rejects.toMatchObject({
      code: 'IMPORT_SHRINKS',
      data: { counts: { removed: 106 } },
    });
    expect(await readAll(host)).toEqual(before);
    const { items } = await host.imports.listImports({ page: 0, pageSize: 1 });
    expect(items[0]).toMatchObject({ state: 'failed', problem: expect.stringContaining('106 records') });
    const dry = await host.imports.run(tester, small, { dryRun: true });
    expect(dry).toMatchObject({ isShrinking: true, counts: { removed: 106 } });
    small.rowsRead.length = 0;
    const { record, resumedFrom } = await host.imports.run(tester, small, { allowRemoval: true });
    expect(record).toMatchObject({ id: items[0]!.id, state: 'live', counts: { rows: 104, removed: 106 } });
    expect([resumedFrom, small.rowsRead]).toEqual(['103', []]);
    expect(await readAll(host)).toHaveLength(104);
  });

  test('is refused where all of it would go, however little it is', async () => {
    const host = open();
    await host.imports.run(tester, sourceOf(many(2)));
    for (const parts of [[], [object('x')]]) {
      const run = host.imports.run(tester, sourceOf(parts));
      await expect(run).rejects.toMatchObject({ code: 'IMPORT_SHRINKS', data: { counts: { removed: 2 } } });
    }
    const { record } = await host.imports.run(tester, sourceOf([]), { allowRemoval: true });
    expect(record).toMatchObject({ state: 'live', counts: { removed: 2 } });
    expect((await host.imports.run(tester, sourceOf([]))).record!.state).toBe('unchanged');
  });

  test('is not refused where it is half, or few', async () => {
    const host = open({ batchSize: 100 });
    await host.imports.run(tester, sourceOf(many(204)));
    expect((await host.imports.run(tester, sourceOf(many(102)))).counts.removed).toBe(102);
    expect((await host.imports.run(tester, sourceOf(many(2)))).counts.removed).toBe(100);
  });
});

describe('a dry run', () => {
  test('writes nothing, also where it is stopped', async () => {
    const host = open();
    await host.imports.run(tester, sourceOf(many(4)));
    const before = await readEverything(host.store);
    await host.imports.run(tester, sourceOf(many(9, 2)), { dryRun: true });
    const [stopper, reason] = [new AbortController(), new Error('enough')];
    const source = sourceOf(many(9), { beforeRow: (row) => (row === 5 ? stopper.abort(reason) : undefined) });
    const stopped = host.imports.run(tester, source, { dryRun: true, signal: stopper.signal });
    await expect(stopped).rejects.toBe(reason);
    expect(await readEverything(host.store)).toEqual(before);
  });
});

describe('an import that fails', () => {
  test('says why, and changes nothing', async () => {
    const host = open();
    await host.imports.run(tester, sourceOf(many(4)));
    const before = await readAll(host);
    const error = new AppError('IMPORT_INVALID', 'The file has no column `url`.');
    const source = sourceOf(many(9, 2), {
      beforeRow(row) {
        if (row === 7) throw error;
      },
    });
    await expect(host.imports.run(tester, source)).rejects.toBe(error);
    const { items } = await host.imports.listImports({ page: 0, pageSize: 1 });
    expect(items[0]).toMatchObject({ state: 'failed', problem: error.message, position: null });
    expect(await readAll(host)).toEqual(before);
    expect(await host.store.imports.removeEntriesOf(2, 100)).toBe(0);
    expect((await trailOf(host)).at(-1)).toMatchObject({ action: 'import.failed', state: 'failed' });
  });

  test('because its source is away for now is gone on with', async () => {
    const host = open();
    let isAway = true;
    const source = sourceOf(many(9), {
      beforeRow(row) {
        if (row === 7 && isAway) throw new AppError('SOURCE_UNAVAILABLE', 'It does not answer.');
      },
    });
    await expect(host.imports.run(tester, source)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    isAway = false;
    expect(await host.imports.run(tester, source)).toMatchObject({
      resumedFrom: '5',
      counts: { rows: 9, added: 9 },
    });
    expect(source.rowsRead.slice(-3)).toEqual([6, 7, 8]);
  });

  test('in a way that nobody foresaw is told of, in general words', async () => {
    const host = open();
    const error = new TypeError('x is not a function');
    const source = sourceOf(many(9), {
      beforeRow(row) {
        if (row === 4) throw error;
      },
    });
    const { id } = await host.imports.start(tester, source);
    await expect.poll(async () => (await host.imports.getImport(id)).state).toBe('failed');
    await expect.poll(() => host.problems).toEqual([error]);
    expect((await host.imports.getImport(id)).problem).not.toContain('function');
  });
});

describe('whoever began an import', () => {
  test('hears that it has ended, however it did, also before anything was read', async () => {
    const store = openEmptyStore();
    const ends: string[] = [];
    const begin = async (name: string, source: ImportSource, repository = store.imports) => {
      const onEnd = async () => void ends.push(name);
      await startHost(store, { repository }).imports.start(tester, source, { onEnd });
      await expect.poll(() => ends.at(-1)).toBe(name);
    };
    await begin('live', sourceOf([object('a')]));
    await begin('unchanged', sourceOf([object('a')]));
    const beforeRow = () => Promise.reject(new AppError('IMPORT_INVALID', 'Broken.'));
    await begin('failed', sourceOf([object('b')], { beforeRow }));
    const removeEntriesOf = () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'Away.'));
    const unread = sourceOf([object('b')]);
    await begin('unread', unread, { ...store.imports, removeEntriesOf });
    expect(unread.rowsRead).toEqual([]);
    expect(ends).toEqual(['live', 'unchanged', 'failed', 'unread']);
  });
});

describe('an import that is stopped', () => {
  test('ends where it is, and goes on from there', async () => {
    const host = open();
    const source = sourceOf(many(9), {
      beforeRow: (row) => (row === 7 ? new Promise(() => undefined) : undefined),
    });
    const { id, state } = await host.imports.start(tester, source);
    expect(state).toBe('running');
    await expect.poll(async () => (await host.imports.getImport(id)).done).toBe(6);
    const stopped = await host.imports.stop({ ...tester, name: 'Bob' }, id);
    expect(stopped).toMatchObject({ id, state: 'stopped', position: '5', problem: 'It was stopped by Bob.' });
    expect(await readAll(host)).toEqual([]);
    await expect(host.imports.stop(tester, id)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    const whole = sourceOf(many(9));
    const report = await host.imports.run(tester, whole);
    expect(report).toMatchObject({ resumedFrom: '5', record: { id, state: 'live', problem: null } });
    expect(report.counts).toMatchObject({ rows: 9, added: 9 });
    expect(whole.rowsRead).toEqual([6, 7, 8]);
    expect(await trailOf(host)).toEqual([
      { action: 'import.stopped', by: 'Bob', state: 'stopped' },
      { action: 'import.ended', by: 'Ada', state: 'live' },
    ]);
  });

  test('by another host ends as well', async () => {
    const host = open();
    const other = startHost(host.store);
    let go: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const running = host.imports.run(tester, sourceOf(many(9), { beforeRow: (row) => (row === 7 ? gate : undefined) }));
    await expect.poll(async () => (await host.store.imports.listImportsOf('spring'))[0]?.done).toBe(6);
    const [record] = await host.store.imports.listImportsOf('spring');
    await other.imports.stop(systemActor, record!.id);
    go!();
    expect((await running).record).toMatchObject({ state: 'stopped', position: '5' });
    expect(await readAll(host)).toEqual([]);
    expect(await trailOf(host)).toHaveLength(1);
  });

  test('by its signal, or with its host, can be gone on with', async () => {
    const host = open();
    const stopper = new AbortController();
    const source = sourceOf(many(9), { beforeRow: (row) => (row === 5 ? stopper.abort() : undefined) });
    const report = await host.imports.run(tester, source, { signal: stopper.signal });
    expect(report.record).toMatchObject({ state: 'stopped', position: '2' });
    const waiting = sourceOf(many(9), {
      beforeRow: (row) => (row === 7 ? new Promise(() => undefined) : undefined),
    });
    const { id } = await host.imports.start(tester, waiting);
    expect(id).toBe(report.record!.id);
    await expect.poll(async () => (await host.imports.getImport(id)).done).toBe(6);
    await host.imports.close();
    expect(await host.imports.getImport(id)).toMatchObject({ state: 'stopped', position: '5' });
    const { counts } = await startHost(host.store).imports.run(tester, sourceOf(many(9)));
    expect(counts).toMatchObject({ rows: 9, added: 9 });
  });

  test('begins anew with another source, and nothing is left of what it read', async () => {
    const host = open();
    const stopper = new AbortController();
    const source = sourceOf(many(9), { beforeRow: (row) => (row === 7 ? stopper.abort() : undefined) });
    await host.imports.run(tester, source, { signal: stopper.signal });
    const { record, resumedFrom } = await host.imports.run(tester, sourceOf(many(5, 2)));
    expect([record!.number, resumedFrom]).toEqual([2, null]);
    expect(await host.store.imports.removeEntriesOf(1, 100)).toBe(0);
    expect(await readAll(host)).toHaveLength(5);
  });
});

describe('one dataset', () => {
  test('is imported by one host at a time; others go on beside it', async () => {
    const host = open();
    const hosts = [host, startHost(host.store)];
    const runs = Array.from({ length: 6 }, (_, number) =>
      hosts[number % 2]!.imports.run(tester, sourceOf(many(9, number))),
    );
    const other = hosts[1]!.imports.run(tester, sourceOf([object('z')], { dataset: 'autumn' }));
    const ended = await Promise.allSettled(runs);
    const refused = ended.filter((each) => each.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(5).fill('IMPORT_RUNNING'));
    expect((await other).counts.added).toBe(1);
    expect(await readAll(host)).toHaveLength(10);
  });

  test('is taken over from a process that died once it is believed dead', async () => {
    const clock = createStandingClock();
    const store = openEmptyStore();
    const first = startHost(store, { clock });
    const hung = sourceOf(many(9), {
      beforeRow: (row) => (row === 7 ? new Promise(() => undefined) : undefined),
    });
    const { id } = await first.imports.start(tester, hung);
    await expect.poll(async () => (await first.imports.getImport(id)).done).toBe(6);
    const second = startHost(store, { clock });
    const again = sourceOf(many(9));
    await expect(second.imports.run(tester, again)).rejects.toMatchObject({ code: 'IMPORT_RUNNING' });
    clock.advance(LEASE_OVER_MS);
    const { record, resumedFrom } = await second.imports.run(tester, again);
    expect([record!.id, record!.state, resumedFrom]).toEqual([id, 'live', '5']);
    expect(again.rowsRead).toEqual([6, 7, 8]);
    await first.imports.close();
    expect(await second.imports.getImport(id)).toMatchObject({ state: 'live' });
  });
});

describe('an import that is killed', () => {
  test('at any of its calls of the store goes on, and ends the same', async () => {
    const [clock, store] = [createStandingClock(), openEmptyStore()];
    const host = startHost(store, { clock });
    const first = [concept('a', 'en'), concept('a', 'fr'), ...['b', 'c', 'd'].map((key) => concept(key, 'en'))];
    const second = [concept('a', 'en', 2), concept('c', 'en'), ...['x', 'y', 'z'].map((key) => concept(key, 'en'))];
    const entriesOf = async (dataset: string) => {
      const options = { dataset, after: null, limit: 100, withBodies: true };
      const first = (await store.imports.listImportsOf(dataset)).at(-1)!.number;
      return (await store.imports.readEntries(options)).map(({ dataset: _, importNumber, ...rest }) => ({
        ...rest,
        isFirst: importNumber === first,
      }));
    };
    const runBoth = async (dataset: string, calls: number) => {
      await host.imports.run(tester, sourceOf(first, { dataset }));
      const dying = startHost(store, { clock, repository: killedAt(store.imports, calls) });
      const isKilled = await dying.imports.run(tester, sourceOf(second, { dataset })).then(
        () => dying.problems.length > 0,
        () => true,
      );
      clock.advance(LEASE_OVER_MS);
      if (isKilled) await host.imports.run(tester, sourceOf(second, { dataset }));
      return isKilled;
    };
    expect(await runBoth('whole', 1_000)).toBe(false);
    const expected = await entriesOf('whole');
    let calls = 0;
    while (await runBoth(`killed-${calls}`, calls)) {
      expect(await entriesOf(`killed-${calls}`), `${calls}`).toEqual(expected);
      calls++;
    }
    expect(calls).toBeGreaterThan(15);
  });
});

describe('undoing', () => {
  test('brings back what was before, import by import', async () => {
    const host = open();
    const states = [await readAll(host)];
    const versions = [await host.catalog.version()];
    for (const parts of [many(5), [...many(3, 2), object('x')], [object('x', 2)]]) {
      const { record } = await host.imports.run(tester, sourceOf(parts));
      expect(await host.imports.canUndo(record!)).toBe(true);
      states.push(await readAll(host));
      versions.push(await host.catalog.version());
    }
    const { items } = await host.imports.listImports({ page: 0, pageSize: 9 });
    expect(await host.imports.canUndo(items[1]!)).toBe(false);
    await expect(host.imports.undo(tester, items[1]!.id)).rejects.toMatchObject({
      code: 'IMPORT_NOT_NEWEST',
    });
    for (const { id, number } of items) {
      expect(await host.imports.undo(tester, id)).toMatchObject({ state: 'undone', isUndoable: false });
      expect(await readAll(host)).toEqual(states[number - 1]);
      expect(await host.catalog.version()).toBe(versions[number - 1]);
      await expect(host.imports.undo(tester, id)).rejects.toMatchObject({
        code: 'IMPORT_NOT_NEWEST',
        message: `Import ${number} was already taken back: there is nothing to do.`,
      });
    }
    await host.imports.close();
    // Which records they were of, and nothing that they said.
    const left = (await host.store.transfer.readRecords('importEntries', null, 99)).map(({ record }) => record);
    expect(left.map(({ state, body }) => [state, body])).toEqual(left.map(() => ['removed', null]));
    expect([1, 2, 3].map((n) => left.filter(({ importNumber }) => importNumber === n).length)).toEqual([5, 6, 4]);
    expect((await trailOf(host)).slice(3).map(({ action }) => action)).toEqual(Array(3).fill('import.undone'));
  });

  test('leaves nothing of large imports, of concepts, and of those that ten newer ones came after', async () => {
    const host = open();
    for (const parts of [many(2_001), [concept('c', 'l')], [object('x')]]) {
      const { record } = await host.imports.run(tester, sourceOf(parts, { covers: [] }));
      await host.imports.undo(tester, record!.id);
    }
    for (let value = 0; value < 10; value++) await host.imports.run(tester, sourceOf([object('y', value)]));
    await host.imports.close();
    const left = await host.store.transfer.readRecords('importEntries', null, 99);
    expect(left.every(({ record }) => Number(record.importNumber) > 3)).toBe(true);
  });

  test('is possible for the last five; what lies under older ones goes, and nothing that counts', async () => {
    const host = open();
    const imported = [
      [object('a'), object('b')],
      [object('a', 2), object('b')],
      [object('a', 2)],
      ...[3, 4, 5, 6, 7].map((value) => [object('a', 2), object('c', value)]),
    ];
    const [states, ids]: [unknown[], string[]] = [[], []];
    for (const parts of imported) {
      ids.push((await host.imports.run(tester, sourceOf(parts))).record!.id);
      states.push(await readAll(host));
    }
    // Nothing is left of the first one; the second one has one of its entries still.
    const live = await host.store.imports.listLive();
    expect(live.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(await host.imports.getImport(ids[0]!)).toMatchObject({ state: 'replaced', isUndoable: false });
    const kept = await host.store.transfer.readRecords('importEntries', null, 100);
    expect(kept.map(({ record: { key, importNumber } }) => `${key}${importNumber}`)).toEqual([
      'a2',
      'c4',
      'c5',
      'c6',
      'c7',
      'c8',
    ]);
    for (const number of [7, 6, 5, 4, 3]) {
      await host.imports.undo(tester, ids[number]!);
      expect(await readAll(host)).toEqual(states[number - 1]);
    }
    await expect(host.imports.undo(tester, ids[2]!)).rejects.toMatchObject({ code: 'IMPORT_NOT_NEWEST' });
    expect(await readAll(host)).toEqual(states[2]);
  });

  test('waits for no import of the dataset, and does not let one go on that was compared with it', async () => {
    const host = open();
    const { record } = await host.imports.run(tester, sourceOf(many(9)));
    const stopper = new AbortController();
    const changed = sourceOf(many(9, 2), {
      beforeRow: (row) => (row === 7 ? new Promise(() => undefined) : undefined),
    });
    const running = host.imports.run(tester, changed, { signal: stopper.signal });
    await expect.poll(async () => (await host.store.imports.listImportsOf('spring'))[0]?.done).toBe(6);
    await expect(host.imports.undo(tester, record!.id)).rejects.toMatchObject({ code: 'IMPORT_RUNNING' });
    stopper.abort();
    expect((await running).record).toMatchObject({ state: 'stopped', position: '5' });
    await host.imports.undo(tester, record!.id);
    const again = await host.imports.run(tester, sourceOf(many(9, 2)));
    expect(again).toMatchObject({ resumedFrom: null, counts: { added: 9, changed: 0 } });
  });

  test('is overtaken by an import that began meanwhile, which needs what would go', async () => {
    const store = openEmptyStore();
    const host = startHost(store);
    const { record } = await host.imports.run(tester, sourceOf(many(9)));
    let isOvertaken = false;
    const repository = {
      ...store.imports,
      async listImportsOf(dataset: string) {
        const found = await store.imports.listImportsOf(dataset);
        if (!isOvertaken) {
          isOvertaken = true;
          await host.imports.run(tester, sourceOf([...many(9), object('x')]));
        }
        return found;
      },
    };
    const late = startHost(store, { repository }).imports.undo(tester, record!.id);
    await expect(late).rejects.toMatchObject({ code: 'IMPORT_NOT_NEWEST' });
    expect(await readAll(host)).toHaveLength(10);
  });

  test('of what nobody has is refused', async () => {
    const host = open();
    for (const call of [host.imports.undo(tester, 'x'), host.imports.stop(tester, 'x'), host.imports.getImport('x')])
      await expect(call).rejects.toMatchObject({ code: 'IMPORT_UNKNOWN' });
  });
});
