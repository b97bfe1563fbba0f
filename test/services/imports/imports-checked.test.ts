import { describe, expect, test } from 'vitest';
import { systemActor } from '../../../src/domain/admin.ts';
import type { ImportRequest, ImportSources } from '../../../src/ports/imports.ts';
import { createImportRepeats } from '../../../src/services/imports/repeat.ts';
import { createStandingClock } from '../../fakes/clock.ts';
import { many, object, openEmptyStore, readAll, sourceOf, startHost } from './import-samples.ts';

const check = { isCheck: true };

describe('an import that is checked', () => {
  test('counts once it is accepted, and not before', async () => {
    const host = startHost(openEmptyStore());
    await host.imports.run(systemActor, sourceOf(many(3)));
    const before = await readAll(host);
    const { record } = await host.imports.run(systemActor, sourceOf([...many(2), object('b')]), check);
    expect(record).toMatchObject({ state: 'checked', isUndoable: false, comparedWith: 1 });
    expect(await readAll(host)).toEqual(before);
    const described = await host.imports.describeChanges(record!);
    expect(described.map(({ fate, name }) => `${fate} ${name}`)).toEqual([
      'added b',
      'removed https://a.example/2',
    ]);
    expect(await host.imports.accept(systemActor, record!.id)).toMatchObject({
      state: 'live',
      isUndoable: true,
    });
    expect((await readAll(host)).map(({ key }) => key)).toEqual([
      'b',
      'https://a.example/0',
      'https://a.example/1',
    ]);
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
    expect(new Set(left.map(({ record }) => record.importNumber))).toEqual(new Set([live.record!.number]));
  });

  test('can be dropped, and leaves nothing', async () => {
    const host = startHost(openEmptyStore());
    const { record } = await host.imports.run(systemActor, sourceOf(many(3)), check);
    expect(await host.imports.stop(systemActor, record!.id)).toMatchObject({
      state: 'stopped',
      position: null,
    });
    await host.imports.close();
    expect(await host.store.transfer.readRecords('importEntries', null, 100)).toEqual([]);
  });
});

describe('an address that repeats', () => {
  const origin = { address: 'https://feeds.example/a', langs: ['en'] };

  function startRepeating() {
    const clock = createStandingClock();
    const host = startHost(openEmptyStore(), { clock });
    const asked: ImportRequest[] = [];
    const problems: unknown[] = [];
    let parts = many(2);
    const sources: ImportSources = {
      async open(request) {
        asked.push(request);
        return sourceOf(parts, { format: request.format, dataset: request.dataset ?? '' });
      },
      listColumns: async () => [],
    };
    const repeats = createImportRepeats({
      ...{ imports: host.store.imports, runs: host.imports, sources, nonces: host.store.nonces, clock },
      onProblem: (error) => problems.push(error),
    });
    const offer = (next: typeof parts) => {
      parts = next;
    };
    return { ...host, clock, repeats, asked, problems, offer };
  }

  test('is imported again when it is time, and says what changed', async () => {
    const host = startRepeating();
    const first = await host.imports.run(systemActor, sourceOf(many(2)), { origin, rhythm: 'daily' });
    expect(await host.repeats.look()).toBe(0);
    host.clock.advance(24 * 3_600_000);
    host.offer(many(3));
    expect(await host.repeats.look()).toBe(1);
    const listStates = async () =>
      (await host.store.imports.listImportsOf('spring')).map(({ state }) => state);
    await expect.poll(listStates).toEqual(['live', 'live']);
    expect(host.asked).toMatchObject([{ dataset: 'spring', location: origin.address, langs: ['en'] }]);
    const [newest] = await host.store.imports.listImportsOf('spring');
    expect(newest).toMatchObject({
      state: 'live',
      origin,
      rhythm: 'daily',
      counts: { added: 1, unchanged: 2 },
    });
    // Only the newest one says so from here on.
    host.clock.advance(3_600_000);
    expect(await host.repeats.look()).toBe(0);
    expect(await host.store.imports.findImport(first.record!.id)).toMatchObject({ rhythm: null });
    await host.imports.close();
    expect(host.problems).toEqual([]);
  });

  test('is left alone once somebody says so; what is not said goes on', async () => {
    const host = startRepeating();
    await host.imports.run(systemActor, sourceOf(many(2)), { origin, rhythm: 'weekly' });
    const { record } = await host.imports.run(systemActor, sourceOf(many(3)));
    expect(record).toMatchObject({ origin, rhythm: 'weekly' });
    await host.imports.setRhythm(systemActor, record!.id, null);
    host.clock.advance(30 * 24 * 3_600_000);
    expect(await host.repeats.look()).toBe(0);
    await host.imports.close();
  });
});
