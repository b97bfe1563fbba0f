import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Backup, type BackupFolder, createBackups } from '../../../src/services/host/backups.ts';
import { createStandingClock, type StandingClock } from '../../fakes/clock.ts';
import { type OpenedServices, openServices } from '../../helpers/open-services.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let host: OpenedServices<StandingClock>;
beforeEach(async () => {
  host = await openServices(createStandingClock('2026-11-29T02:00:00.000Z'));
});
afterEach(() => host.close());

/** Backups over a folder in memory, whose next one may fail or be held up. */
function open(days: readonly number[] = []) {
  const { clock } = host;
  const toBackup = (at: Date): Backup => ({ name: at.toISOString().slice(0, 13), at, bytes: 1 });
  const state = {
    stored: days.map((ago) => toBackup(new Date(clock.now().getTime() - ago * DAY_MS))),
    failure: null as Error | null,
    listFailure: null as Error | null,
    removeFailure: null as Error | null,
    held: Promise.resolve(),
    writes: 0,
  };
  const problems: unknown[] = [];
  const folder: BackupFolder = {
    path: '/backups',
    async list() {
      if (state.listFailure !== null) throw state.listFailure;
      return state.stored.toSorted((a, b) => b.at.getTime() - a.at.getTime());
    },
    async write(at) {
      state.writes += 1;
      await state.held;
      if (state.failure !== null) throw state.failure;
      state.stored.push(toBackup(at));
    },
    async remove(name) {
      if (state.removeFailure !== null) throw state.removeFailure;
      state.stored = state.stored.filter((each) => each.name !== name);
    },
    findProgress: async () => null,
    release: () => undefined,
  };
  const onProblem = (error: unknown) => problems.push(error);
  const backups = createBackups({ folder, hour: 3, keptDays: 2, clock, onProblem });
  const names = () => state.stored.map(({ name }) => name).sort();
  return { backups, state, problems, names };
}

test('makes the first at once, then one a day at its hour, and removes old ones after it', async () => {
  const { backups, names, state } = open();
  await backups.beginIfDue();
  expect(names()).toEqual(['2026-11-29T02']);
  expect((await backups.describe()).nextAt).toEqual(new Date('2026-11-29T03:00:00.000Z'));
  host.clock.advance(HOUR_MS - 1);
  await backups.beginIfDue();
  expect(state.writes).toBe(1);
  host.clock.advance(1);
  await backups.beginIfDue();
  await backups.beginIfDue();
  expect(names()).toEqual(['2026-11-29T02', '2026-11-29T03']);
  host.clock.advance(DAY_MS);
  await backups.beginIfDue();
  host.clock.advance(DAY_MS);
  await backups.beginIfDue();
  expect(names()).toEqual(['2026-11-29T03', '2026-11-30T03', '2026-12-01T03']);
});

test('says what failed, keeps old ones, and tries again after an hour', async () => {
  const { backups, state, problems, names } = open([9, 5]);
  state.failure = new Error('full');
  await backups.beginIfDue();
  await backups.beginIfDue();
  expect(state.writes).toBe(1);
  expect(problems).toEqual([state.failure]);
  expect((await backups.describe()).problem).toEqual({ at: host.clock.now(), message: 'full' });
  expect(names()).toHaveLength(2);
  host.clock.advance(HOUR_MS);
  state.failure = null;
  await backups.beginIfDue();
  expect((await backups.describe()).problem).toBeNull();
  expect(names()).toContain('2026-11-29T03');
});

test('the newest three stay whatever their age: the first backup of an empty store removes no restorable one', async () => {
  const { backups, names } = open([9, 7, 5]);
  await backups.beginIfDue();
  expect(names()).toEqual(['2026-11-22T02', '2026-11-24T02', '2026-11-29T02']);
  host.clock.advance(HOUR_MS);
  await backups.beginIfDue();
  expect(names()).toEqual(['2026-11-24T02', '2026-11-29T02', '2026-11-29T03']);
});

test('one with a date in the future is neither the last nor in the way of one today', async () => {
  const { backups, state } = open([-400]);
  expect((await backups.describe()).backups).toEqual([]);
  await backups.beginIfDue();
  expect(state.writes).toBe(1);
  expect((await backups.describe()).backups).toHaveLength(1);
});

test('a removal that fails is noted, and is no failure of the backup', async () => {
  const { backups, state, problems } = open([9, 8, 7, 6]);
  state.removeFailure = new Error('not yours');
  await backups.beginIfDue();
  expect(problems).toEqual([state.removeFailure]);
  expect((await backups.describe()).problem).toBeNull();
});

test('a problem ends when the folder can be read again and the last backup is of today', async () => {
  const { backups, state } = open([0]);
  host.clock.advance(2 * HOUR_MS);
  state.stored.push({ name: 'today', at: host.clock.now(), bytes: 1 });
  state.listFailure = new Error('not mounted');
  await backups.beginIfDue();
  expect((await backups.describe()).problem).toMatchObject({ message: 'not mounted' });
  state.listFailure = null;
  host.clock.advance(HOUR_MS);
  await backups.beginIfDue();
  expect((await backups.describe()).problem).toBeNull();
  expect(state.writes).toBe(0);
});

test('one begun by hand never runs beside another', async () => {
  const { backups, state } = open([0]);
  let release = () => {};
  state.held = new Promise<void>((done) => {
    release = done;
  });
  const both = [backups.begin(), backups.begin()];
  expect(await backups.describe()).toMatchObject({ isRunning: true, problem: null });
  release();
  await Promise.all(both);
  expect((await backups.describe()).isRunning).toBe(false);
  expect(state.writes).toBe(1);
});

test('a host that stops waits for the end of a backup, and notes no failure', async () => {
  const { backups, state, problems } = open();
  state.failure = new Error('stopped');
  backups.start();
  await backups.close();
  expect(state.writes).toBe(1);
  expect(problems).toEqual([]);
});
