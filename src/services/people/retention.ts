import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemActor } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type { PersonalCollection, RetentionKind, Store } from '#ports/store/store';
import { repeatWork } from '#services/host/repeated-work';
import type { Audit } from '#services/tenants/audit';

/** Days after which records are removed, by kind; 0 for never. */
export type KeptDays = Readonly<Record<RetentionKind, number>>;

interface RetentionDeps extends Pick<Store, 'personal' | 'files' | 'nonces'> {
  readonly keptDays: KeptDays;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Told of numbers of removed records, by kind. */
  onSwept(counts: Readonly<Record<string, number>>): void;
  onProblem(error: unknown): void;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Two at night, UTC. */
const FIRST_HOUR = 2;
/** Records removed at a time, so that the store serves others in between. */
const BATCH = 500;
/** Names of uploads begin with it. */
const UPLOADS = 'upload/';

/** Removes outdated records once a night, on one of the hosts. */
export function createRetention(deps: RetentionDeps) {
  const { personal, nonces, audit, keptDays, clock, onSwept, onProblem } = deps;
  let isClosed = false;

  const endOf = (kind: RetentionKind) => new Date(clock.now().getTime() - keptDays[kind] * DAY_MS);

  async function sweepRecords({ name, retention }: PersonalCollection): Promise<number> {
    if (retention === null || keptDays[retention.kind] === 0) return 0;
    let count = 0;
    while (!isClosed) {
      const removed = await personal.removeOutdated(name, retention, endOf(retention.kind), BATCH);
      count += removed;
      if (removed < BATCH) break;
      await nextTurn();
    }
    return count;
  }

  /** @returns numbers of removed records; null where another host has done it tonight */
  async function sweep(): Promise<Readonly<Record<string, number>> | null> {
    const now = clock.now();
    const lease = { now, expiresAt: new Date(now.getTime() + 2 * DAY_MS) };
    const isNight = now.getUTCHours() >= FIRST_HOUR;
    if (isClosed || !isNight || !(await nonces.claimNonce(`retention ${now.toISOString().slice(0, 10)}`, lease)))
      return null;
    const counts: Record<string, number> = {};
    for (const collection of await personal.listPersonalCollections()) {
      const count = await sweepRecords(collection);
      if (count > 0) counts[collection.name] = count;
    }
    const uploads = keptDays.uploads === 0 ? 0 : await removeOldUploads(deps, endOf('uploads'));
    if (uploads > 0) counts.files = uploads;
    if (Object.keys(counts).length === 0) return counts;
    const details = Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, `${count}`]));
    await audit.record(systemActor, { action: 'retention.swept', tenantId: null, target: 'retention', details });
    onSwept(counts);
    return counts;
  }

  const work = repeatWork({ everyMs: HOUR_MS, runsAtOnce: true, run: sweep, onProblem });
  return {
    sweep,
    start: work.start,
    async close(): Promise<void> {
      isClosed = true;
      await work.stop();
    },
  };
}

async function removeOldUploads({ files }: RetentionDeps, before: Date): Promise<number> {
  const old = (await files.listFiles(UPLOADS)).filter(({ addedAt }) => addedAt < before);
  for (const { id } of old) await files.removeFile(id);
  return old.length;
}
