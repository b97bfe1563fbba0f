import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { type ImportSource, PositionLost } from '../../../../src/ports/imports.ts';
import { findImportState } from '../../../../src/services/catalogue/imports/import-records.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { tester } from '../../../helpers/open-services.ts';
import {
  item,
  killedAt,
  LEASE_OVER_MS,
  many,
  object,
  openEmptyStore,
  readAll,
  sourceOf,
  startHost,
} from './import-samples.ts';

const open = (options: Parameters<typeof startHost>[1] = {}) => startHost(openEmptyStore(), options);

const DAY_MS = 86_400_000;

/** Says the same of itself, whatever it has. */
const onTheWeb = (count: number, changes: Parameters<typeof sourceOf>[1] = {}) =>
  sourceOf(many(count), { fingerprint: 'web', resumableForMs: DAY_MS, ...changes });

const failsAt = (broken: number) => (row: number) => {
  if (row === broken) throw new AppError('SOURCE_UNAVAILABLE', 'It does not answer.');
};

describe('a source that does not say whether its content has changed', () => {
  test('is read anew once it was read to its end, also where that was refused', async () => {
    const host = open({ batchSize: 100 });
    await host.imports.run(tester, onTheWeb(150));
    await expect(host.imports.run(tester, onTheWeb(20))).rejects.toMatchObject({ code: 'IMPORT_SHRINKS' });
    const whole = onTheWeb(150);
    const { record, resumedFrom } = await host.imports.run(tester, whole);
    expect([record!.state, record!.number, resumedFrom]).toEqual(['unchanged', 3, null]);
    expect(whole.rowsRead).toHaveLength(150);
  });

  test('is read anew where its process was killed after its end', async () => {
    const clock = createStandingClock();
    const host = open({ clock });
    const dying = startHost(host.store, {
      clock,
      repository: { ...host.store.imports, readEntries: killedAt(host.store.imports, 0).readEntries },
    });
    await expect(dying.imports.run(tester, onTheWeb(4))).rejects.toThrow('killed');
    clock.advance(LEASE_OVER_MS);
    expect(await host.imports.run(tester, onTheWeb(5))).toMatchObject({ resumedFrom: null });
    expect(await readAll(host)).toHaveLength(5);
  });

  test('is gone on with for as long as it says', async () => {
    const clock = createStandingClock();
    const host = open({ clock });
    const broken = onTheWeb(9, { beforeRow: failsAt(7) });
    await expect(host.imports.run(tester, broken)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    clock.advance(DAY_MS);
    await expect(host.imports.run(tester, broken)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    expect(broken.rowsRead.slice(-2)).toEqual([6, 6]);
    clock.advance(DAY_MS + LEASE_OVER_MS);
    expect(await host.imports.run(tester, onTheWeb(9))).toMatchObject({
      resumedFrom: null,
      record: { number: 2 },
    });
  });
});

describe('a source whose position is lost', () => {
  /** From the second time on it has other rows, and does not know where it was. */
  const forgetful = (losses: number, changes: Partial<ImportSource> = {}) => {
    let left = losses;
    return onTheWeb(0, {
      async *read({ after }) {
        if (after !== null && left-- > 0) throw new PositionLost();
        yield item(0, { parts: many(4, 2) });
        if (left-- > 0) throw new PositionLost();
      },
      ...changes,
    });
  };

  test('is read anew as an import of its own, and nothing is left of what was read', async () => {
    const host = open();
    const broken = onTheWeb(9, { beforeRow: failsAt(7) });
    await expect(host.imports.run(tester, broken)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    const begun: unknown[] = [];
    const { record, counts, resumedFrom } = await host.imports.run(tester, forgetful(1), {
      onBegin: (each) => begun.push(each.resumedFrom),
    });
    expect([record!.number, resumedFrom, begun]).toEqual([2, null, ['5', null]]);
    expect(counts).toMatchObject({ rows: 1, added: 4 });
    expect(await readAll(host)).toHaveLength(4);
    const { items } = await host.imports.listImports({ page: 0, pageSize: 9 });
    expect(items[1]).toMatchObject({ state: 'failed', position: null });
    expect(items[1]!.problem).toContain('read again');
    expect((await host.imports.findNext(items[1]!))?.id).toBe(record!.id);
    expect(await host.imports.findNext(record!)).toBeNull();
    expect(await host.store.imports.removeEntriesOf(1, 100)).toBe(0);
  });

  test('over and over is given up', async () => {
    const host = open();
    const run = host.imports.run(tester, forgetful(9));
    await expect(run).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    const { items } = await host.imports.listImports({ page: 0, pageSize: 9 });
    expect(items.map(({ state, position }) => [state, position])).toEqual(Array(3).fill(['failed', null]));
  });
});

describe('a dataset of one format', () => {
  test('is not replaced by another one', async () => {
    const host = open();
    const { record } = await host.imports.run(tester, sourceOf(many(4)));
    const other = sourceOf([...many(4), object('x')], { format: 'crosswalk' });
    for (const dryRun of [true, false]) {
      const run = host.imports.run(tester, other, { dryRun, allowRemoval: true });
      await expect(run).rejects.toMatchObject({
        code: 'IMPORT_INVALID',
        message: expect.stringContaining('--name'),
      });
    }
    await expect(host.imports.start(tester, other)).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
    expect(await readAll(host)).toHaveLength(4);
    await host.imports.undo(tester, record!.id);
    expect((await host.imports.run(tester, other)).counts.added).toBe(5);
  });

  test('that was broken off is not gone on with by another one', async () => {
    const host = open();
    const broken = onTheWeb(9, { beforeRow: failsAt(7) });
    await expect(host.imports.run(tester, broken)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    const other = onTheWeb(9, { format: 'lrmi' });
    expect(await host.imports.run(tester, other)).toMatchObject({ resumedFrom: null });
  });
});

describe('a row that cannot be used', () => {
  const rejecting = (key: string, more: ReturnType<typeof many> = []) =>
    sourceOf([], {
      fingerprint: `${key} ${more.length}`,
      async *read() {
        yield item(0, { parts: many(3).slice(1) });
        const of = { kind: 'object', key } as const;
        yield item(1, { rejected: [{ place: 'a.csv:2', reason: 'No title.', of }] });
        yield item(2, { parts: more, rows: more.length });
      },
    });
  const known = 'https://a.example/0';

  test('leaves what is known of its record as it is', async () => {
    const host = open();
    await host.imports.run(tester, sourceOf(many(3)));
    const before = await readAll(host);
    for (const dryRun of [true, false]) {
      const { counts } = await host.imports.run(tester, rejecting(known), { dryRun });
      expect(counts).toEqual({
        rows: 2,
        rejected: 1,
        kept: 1,
        leftOut: 0,
        warned: 0,
        added: 0,
        changed: 0,
        unchanged: 2,
        removed: 0,
      });
    }
    expect(await readAll(host)).toEqual(before);
  });

  test('says nothing of a record that is not there, was removed, or that another row tells of', async () => {
    const host = open();
    await host.imports.run(tester, sourceOf(many(3)));
    await host.imports.run(tester, sourceOf(many(3).slice(1)));
    for (const key of ['https://a.example/9', known]) {
      const { counts } = await host.imports.run(tester, rejecting(key));
      expect(counts).toMatchObject({ added: 0, unchanged: 2, removed: 0 });
    }
    const told = await host.imports.run(tester, rejecting('https://a.example/1', [object(known, 2)]));
    expect(told.counts).toMatchObject({ added: 1, unchanged: 2 });
    const changed = rejecting('https://a.example/1', [object('https://a.example/1', 2), object(known, 2)]);
    expect((await host.imports.run(tester, changed)).counts).toMatchObject({ changed: 1, unchanged: 2 });
  });
});

describe('an import whose process has ended', () => {
  test('is shown as broken off', async () => {
    const clock = createStandingClock();
    const host = open({ clock });
    const hung = sourceOf(many(9), { beforeRow: () => new Promise(() => undefined) });
    const record = await host.imports.start(tester, hung);
    expect(findImportState(record, clock.now())).toBe('running');
    expect(findImportState(record, new Date(clock.now().getTime() + LEASE_OVER_MS))).toBe('brokenOff');
    await host.imports.stop(tester, record.id);
    expect(findImportState(await host.imports.getImport(record.id), clock.now())).toBe('stopped');
  });
});

describe('an import that counts', () => {
  test('has not failed where the audit trail cannot be written', async () => {
    const store = openEmptyStore();
    const error = new Error('The disk is full.');
    const audit = { ...store.audit, addAuditEntry: () => Promise.reject(error) };
    const host = startHost({ ...store, audit });
    expect((await host.imports.run(tester, sourceOf(many(4)))).record!.state).toBe('live');
    expect(host.problems).toEqual([error]);
  });
});
