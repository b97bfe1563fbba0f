import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemActor } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type { RetentionKind, Store } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';
import { repeatWork } from '#services/host/repeated-work';
import type { Audit } from '#services/tenants/audit';

/** Days after which records are removed, by kind; 0 for never. */
export type KeptDays = Readonly<Record<RetentionKind, number>>;

interface RetentionDeps
  extends Pick<Store, 'personal' | 'files' | 'nonces' | 'tenants' | 'assistants' | 'dropRemains'> {
  readonly keptDays: KeptDays;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Receives the numbers of removed records by kind, also when there are none. */
  onSwept(counts: Readonly<Record<string, number>>): unknown;
  onProblem(error: unknown): void;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Two at night, UTC. */
const FIRST_HOUR = 2;
/** Records removed at a time, so that the store serves others in between. */
const BATCH = 500;
const ALL_TENANTS = { scope: null, search: '', sort: 'createdAt', descending: false } as const;
/** Prefix of the names of uploads. */
const UPLOADS = 'upload/';

/** Removes outdated records once a night, on one of the hosts: those of all tenants after the days
 *  of the host, and feedback after the days that its tenant has set. */
export function createRetention(deps: RetentionDeps) {
  const sweep = () => sweepTonight(deps, work.signal);
  const work = repeatWork({ everyMs: HOUR_MS, runsAtOnce: true, run: sweep, onProblem: deps.onProblem });
  return { sweep, start: work.start, close: work.stop };
}

/** Returns the numbers of removed records by kind; null by day, or if another host has done it. */
async function sweepTonight(
  deps: RetentionDeps,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>> | null> {
  const { nonces, audit, clock, onSwept } = deps;
  const now = clock.now();
  const night = `retention ${now.toISOString().slice(0, 10)}`;
  const lease = { now, expiresAt: new Date(now.getTime() + 2 * DAY_MS) };
  const isNight = now.getUTCHours() >= FIRST_HOUR;
  if (signal.aborted || !isNight || !(await nonces.claimNonce(night, lease))) return null;
  const counts = await sweepAll(deps, signal).catch(async (error: unknown) => {
    // Some host tries again within the hour.
    await nonces.removeNonces(night);
    throw error;
  });
  const details = Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, `${count}`]));
  const event = { action: 'retention.swept', tenantId: null, target: 'retention', details } as const;
  if (Object.keys(counts).length > 0) await audit.record(systemActor, event);
  await onSwept(counts);
  return counts;
}

async function sweepAll(deps: RetentionDeps, signal: AbortSignal): Promise<Readonly<Record<string, number>>> {
  const { personal, tenants, keptDays, clock } = deps;
  const counts: Record<string, number> = {};
  const add = (name: string, count: number) => {
    if (count > 0) counts[name] = (counts[name] ?? 0) + count;
  };
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  for (const { name, retention } of await personal.listPersonalCollections()) {
    if (retention === null) continue;
    const sweepBefore = async (days: number, where = {}) => {
      const remove = (limit: number) =>
        personal.removeOutdated(name, retention, { before: daysAgo(days), where, limit });
      add(name, await removeInBatches(remove, signal));
    };
    if (keptDays[retention.kind] > 0) await sweepBefore(keptDays[retention.kind]);
    if (name !== 'feedback') continue;
    for await (const { id, feedback } of readEveryItem((page) => tenants.listTenants({ ...ALL_TENANTS, ...page })))
      if (feedback.retentionDays !== null) await sweepBefore(feedback.retentionDays, { tenantId: id });
  }
  if (keptDays.uploads > 0) add('files', await removeOldUploads(deps, daysAgo(keptDays.uploads)));
  add('assistantGrants', await deps.assistants.removeEndedAssistantGrants(clock.now()));
  await deps.dropRemains(clock.now());
  return counts;
}

/** Removes records in batches until none is left or the signal aborts. @returns how many */
async function removeInBatches(remove: (limit: number) => Promise<number>, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const removed = await remove(BATCH);
    count += removed;
    if (removed < BATCH) break;
    await nextTurn();
  }
  return count;
}

async function removeOldUploads({ files }: RetentionDeps, before: Date): Promise<number> {
  const old = (await files.listFiles(UPLOADS)).filter(({ addedAt }) => addedAt < before);
  for (const { id } of old) await files.removeFile(id);
  return old.length;
}
