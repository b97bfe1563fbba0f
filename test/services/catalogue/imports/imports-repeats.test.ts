import { describe, expect, test } from 'vitest';
import { systemActor } from '../../../../src/domain/admin.ts';
import { AppError } from '../../../../src/errors.ts';
import type { ImportRequest, ImportSources } from '../../../../src/ports/imports.ts';
import { createImportRepeats } from '../../../../src/services/catalogue/imports/repeats.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { createGate, many, openEmptyStore, sourceOf, startHost } from './import-samples.ts';

const check = { isCheck: true };

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
      nameDataset: ({ dataset = '' }) => dataset,
    };
    const repeats = createImportRepeats({
      imports: host.store.imports,
      runs: host.imports,
      sources,
      nonces: host.store.nonces,
      clock,
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
    expect(await host.repeats.beginDue()).toBe(0);
    host.clock.advance(24 * 3_600_000);
    host.offer(many(3));
    expect(await host.repeats.beginDue()).toBe(1);
    const listStates = async () => (await host.store.imports.listImportsOf('spring')).map(({ state }) => state);
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
    expect(await host.repeats.beginDue()).toBe(0);
    expect(await host.store.imports.findImport(first.record!.id)).toMatchObject({ rhythm: null });
    await host.imports.close();
    expect(host.problems).toEqual([]);
  });

  test('is left alone once somebody says so; what is not said goes on', async () => {
    const host = startRepeating();
    await host.imports.run(systemActor, sourceOf(many(2)), { origin, rhythm: 'weekly' });
    const { record } = await host.imports.run(systemActor, sourceOf(many(3)), { origin });
    expect(record).toMatchObject({ origin, rhythm: 'weekly' });
    await host.imports.setRhythm(systemActor, record!.id, null);
    host.clock.advance(30 * 24 * 3_600_000);
    expect(await host.repeats.beginDue()).toBe(0);
    await host.imports.close();
  });

  const DAY_MS = 24 * 3_600_000;
  const daily = { origin, rhythm: 'daily' } as const;

  test('is not begun by an import that does not count', async () => {
    const host = startRepeating();
    const { record } = await host.imports.run(systemActor, sourceOf(many(2)), { ...daily, ...check });
    await host.imports.stop(systemActor, record!.id);
    host.clock.advance(2 * DAY_MS);
    expect(await host.repeats.beginDue()).toBe(0);
    // One whose process died.
    const again = await host.imports.run(systemActor, sourceOf(many(2)), { ...daily, ...check });
    const died = { ...again.record!, state: 'running', position: '0', endedAt: null } as const;
    await host.store.imports.saveImport({ ...died, version: died.version + 1 });
    host.clock.advance(2 * DAY_MS);
    expect(await host.repeats.beginDue()).toBe(0);
    await host.imports.close();
  });

  test('is not ended by an import that does not count, and is ended by a file that does', async () => {
    const host = startRepeating();
    await host.imports.run(systemActor, sourceOf(many(2)), daily);
    const { record } = await host.imports.run(systemActor, sourceOf(many(3)), check);
    host.clock.advance(2 * DAY_MS);
    expect(await host.repeats.beginDue()).toBe(0);
    expect((await host.imports.listNewestOfRepeats()).map(({ id }) => id)).toEqual([record!.id]);
    await host.imports.stop(systemActor, record!.id);
    host.clock.advance(DAY_MS);
    expect(await host.repeats.beginDue()).toBe(1);
    await expect.poll(async () => (await host.store.imports.listImportsOf('spring'))[0]!.state).toBe('unchanged');
    const file = await host.imports.run(systemActor, sourceOf(many(4)));
    expect(file.record).toMatchObject({ state: 'live', origin: null, rhythm: null });
    host.clock.advance(2 * DAY_MS);
    expect(await host.repeats.beginDue()).toBe(0);
    expect(await host.imports.listNewestOfRepeats()).toEqual([]);
    await host.imports.close();
  });

  test('is not begun again once somebody undoes what it brought', async () => {
    const host = startRepeating();
    const { record } = await host.imports.run(systemActor, sourceOf(many(2)), daily);
    await host.imports.run(systemActor, sourceOf(many(2)), daily);
    await host.imports.undo(systemActor, record!.id);
    host.clock.advance(2 * DAY_MS);
    expect(await host.repeats.beginDue()).toBe(0);
    await host.imports.close();
  });

  test('keeps no address that may hold a key, and nothing of another one', async () => {
    const host = startRepeating();
    const secret = { address: 'https://feeds.example/a?token=abc', langs: [] };
    const first = await host.imports.run(systemActor, sourceOf(many(2)), { origin: secret, rhythm: 'daily' });
    expect(first.record).toMatchObject({ origin: null, rhythm: null });
    await host.imports.run(systemActor, sourceOf(many(3)), daily);
    const other = { address: 'https://feeds.example/b', langs: [] };
    const { record } = await host.imports.run(systemActor, sourceOf(many(4)), { origin: other });
    expect(record).toMatchObject({ origin: other, rhythm: null });
    await host.imports.close();
  });

  test('that failed is tried again a day after it ended, however it was resumed', async () => {
    const host = startRepeating();
    await host.imports.run(systemActor, sourceOf(many(2)), daily);
    const broken = { place: 4, parts: many(6) };
    const fail = () =>
      sourceOf(broken.parts, {
        fingerprint: 'the same',
        beforeRow(row) {
          if (row === broken.place) throw new AppError('SOURCE_UNAVAILABLE', 'It is away.');
        },
      });
    await expect(host.imports.run(systemActor, fail())).rejects.toThrow('away');
    host.clock.advance(DAY_MS - 60_000);
    // Resumed, with what is said now.
    broken.place = 5;
    await expect(host.imports.run(systemActor, fail(), daily)).rejects.toThrow('away');
    const [newest, ...older] = await host.store.imports.listImportsOf('spring');
    expect(older).toHaveLength(1);
    expect(newest).toMatchObject({ state: 'failed', ...daily });
    host.clock.advance(3_600_000);
    expect(await host.repeats.beginDue()).toBe(0);
    host.clock.advance(DAY_MS);
    expect(await host.repeats.beginDue()).toBe(1);
    await host.imports.close();
  });

  test('is left as it is while it is being imported', async () => {
    const host = startRepeating();
    const { record } = await host.imports.run(systemActor, sourceOf(many(2)), daily);
    const gate = createGate();
    const running = host.imports.run(systemActor, sourceOf(many(3), { beforeRow: () => gate.opened }), daily);
    await expect.poll(() => host.imports.canSetRhythm(record!)).toBe(false);
    const [newest] = await host.store.imports.listImportsOf('spring');
    for (const { id } of [record!, newest!])
      await expect(host.imports.setRhythm(systemActor, id, null)).rejects.toMatchObject({
        code: 'CHANGED_MEANWHILE',
      });
    gate.open();
    const done = await running;
    expect(done.record).toMatchObject({ state: 'live', rhythm: 'daily' });
    expect(await host.imports.setRhythm(systemActor, done.record!.id, null)).toMatchObject({ rhythm: null });
    await host.imports.close();
  });
});
