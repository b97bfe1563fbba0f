import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import {
  EVERY_TENANT,
  type LinkCheck,
  type LinkCheckRepository,
  type LinkState,
  type NonceRepository,
  type ObjectChange,
  type ObjectLayerRepository,
  type PlacementRepository,
  type TenantRepository,
} from '#ports/store/store';
import { readEveryItemAfter } from '#services/host/every-item';
import { canBeDead, judgeLink } from './judge-link.ts';
import { createSeenLinks, keepChecks, removeUnseenChecks } from './keep-checks.ts';
import { createSiteManners, type LinkWays } from './site-manners.ts';
import { type HostPace, visitHosts } from './visit-hosts.ts';
import { type LinkVisit, type VisitOptions, visitLink } from './visit-link.ts';

export interface LinkChecksDeps {
  readonly linkChecks: LinkCheckRepository;
  readonly placements: Pick<PlacementRepository, 'readPlacedAddresses'>;
  readonly objectLayers: Pick<ObjectLayerRepository, 'readObjectChanges'>;
  readonly tenants: Pick<TenantRepository, 'listTenantIds'>;
  readonly clock: Clock;
  /** By default eight hosts at once, a second between two visits to one, 20,000 addresses read ahead. */
  readonly pace?: Partial<LinkPace>;
}

export interface LinkPace extends HostPace {
  /** Between two visits of one host. */
  readonly pauseMs: number;
}

export interface LinkProgress {
  /** Addresses read from the catalogue so far. */
  readonly listed: number;
  /** Of these, how many are due, and how many were visited. */
  readonly due: number;
  readonly checked: number;
  /** Of those that were visited. */
  readonly counts: Readonly<Record<LinkState, number>>;
}

export interface LinkReport extends LinkProgress {
  /** Of these, addresses of hosts that asked to be left alone for longer than we wait; they are due the next time. */
  readonly postponed: number;
  /** Of these, addresses that could not be reached while nothing could: this machine may have had no way out. */
  readonly unreached: number;
  /** Checks of addresses that are no longer in the catalogue. */
  readonly removed: number;
}

export interface CheckOptions {
  readonly ways: LinkWays;
  /** Those that answer are visited again after that, those that may come back after a day at most. Seven days when absent. */
  readonly maxAgeMs?: number;
  /** Whether what is known of other addresses is kept. False when absent. */
  readonly keepsOthers?: boolean;
  /** Visits at most. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
  onProgress?(progress: LinkProgress): void;
}

export interface LinkChecks extends Pick<LinkCheckRepository, 'listBrokenLinks' | 'countLinkChecks'> {
  /** Visits those of these addresses that are due, and forgets the others.
   *  Errors: what the signal was aborted with; OUTBOUND_FAILED where nothing at all can be reached. Everything visited before is
   *  kept. */
  checkAll(urls: AsyncIterable<string>, options: CheckOptions): Promise<LinkReport>;
  /** Addresses of all objects in courses, also of those that nobody has opened yet; the same may come again. */
  listPlaced(): AsyncIterable<string>;
  /** Addresses of all objects that administrators added, for a tenant or for all; the same may come again. */
  listAdded(): AsyncIterable<string>;
  /** Those of these addresses (at most 1,000) that are dead. */
  findDead(urls: readonly string[]): Promise<ReadonlySet<string>>;
}

const DAY_MS = 86_400_000;

const usualPace: LinkPace = { hosts: 8, pauseMs: 1_000, ahead: 20_000 };

/** How long, and how often, a busy host is waited for at most. */
const MAX_REST_SECONDS = 120;

const MAX_TRIES = 3;

const BATCH = 500;

/** Addresses that cannot be reached before it is doubted that anything can. */
const MOST_UNREACHED = 1_000;

/** Whether the addresses of learning objects still answer. */
export function createLinkChecks(deps: LinkChecksDeps): LinkChecks {
  const { linkChecks, placements, objectLayers, tenants } = deps;
  const listLayers = async () => [
    EVERY_TENANT,
    ...(await tenants.listTenantIds('active')),
    ...(await tenants.listTenantIds('disabled')),
  ];
  return {
    async *listPlaced() {
      let after: string | null = null;
      do {
        const part: Awaited<ReturnType<typeof placements.readPlacedAddresses>> =
          await placements.readPlacedAddresses(after, BATCH);
        yield* part.urls;
        after = part.after;
      } while (after !== null);
    },
    async *listAdded() {
      for (const tenantId of await listLayers())
        for await (const { url, state } of readEveryItemAfter<ObjectChange>((last) =>
          objectLayers.readObjectChanges(tenantId, last?.address ?? null, BATCH),
        ))
          if (state.isAdded && !state.isHidden && !state.isWaiting) yield url;
    },
    async findDead(urls) {
      const checks = await linkChecks.findLinkChecks(urls);
      return new Set(checks.filter(({ state }) => state === 'dead').map(({ url }) => url));
    },
    listBrokenLinks: (request) => linkChecks.listBrokenLinks(request),
    countLinkChecks: () => linkChecks.countLinkChecks(),
    checkAll: (urls, options) => checkAll(deps, urls, options),
  };
}

async function checkAll(
  { linkChecks, clock, pace }: LinkChecksDeps,
  urls: AsyncIterable<string>,
  {
    ways,
    maxAgeMs = 7 * DAY_MS,
    keepsOthers = false,
    limit = Number.POSITIVE_INFINITY,
    signal = new AbortController().signal,
    onProgress,
  }: CheckOptions,
): Promise<LinkReport> {
  const counts = { alive: 0, dead: 0, unsure: 0 };
  const report = { listed: 0, due: 0, checked: 0, counts, postponed: 0, unreached: 0, removed: 0 };
  const { hosts, ahead, pauseMs } = { ...usualPace, ...pace };
  const seen = createSeenLinks();
  const busyHosts = new Set<string>();
  const kept = keepChecks({ linkChecks, clock });
  const known = new Map<string, LinkCheck>();
  const manners = createSiteManners(ways, pauseMs);
  const unreached: (readonly [LinkCheck, LinkCheck | undefined])[] = [];
  let isOnline = false;

  /** What cannot be reached counts only once something else can. */
  async function keep(check: LinkCheck, before: LinkCheck | undefined): Promise<void> {
    isOnline ||= check.status !== null;
    if (!isOnline && isUnreached(check)) unreached.push([check, before]);
    else {
      counts[check.state]++;
      await kept.add(check, before);
    }
    if (isOnline) await keepUnreached();
    else if (unreached.length >= MOST_UNREACHED) throw createOfflineError();
  }

  async function keepUnreached(): Promise<void> {
    for (const [check, before] of unreached.splice(0)) {
      counts[check.state]++;
      await kept.add(check, before);
    }
  }

  /** Asks for what was last seen alive. */
  async function findWayOut(): Promise<void> {
    const alive = await linkChecks.readLinkChecks({ state: 'alive', after: null, limit: WITNESSES });
    for (const { url } of alive) {
      const { status } = await visitLink(url, { manners, before: undefined, signal });
      isOnline ||= status !== null;
      if (isOnline) return keepUnreached();
    }
  }

  async function* dueUrls(): AsyncGenerator<string> {
    for await (const batch of inBatches(urls)) {
      const fresh = batch.filter((url) => URL.canParse(url) && seen.add(url));
      report.listed += fresh.length;
      const checks = new Map((await linkChecks.findLinkChecks(fresh)).map((check) => [check.url, check]));
      for (const url of fresh) {
        const check = checks.get(url);
        if (report.due >= limit || !isDue(check, maxAgeMs, clock.now())) continue;
        report.due++;
        if (check !== undefined) known.set(url, check);
        yield url;
      }
    }
  }

  async function visit(url: string): Promise<number> {
    const { host } = new URL(url);
    const before = known.get(url);
    const visited = busyHosts.has(host) ? null : await visitPatiently(url, { manners, before, signal });
    if (visited !== null) await keep(judgeLink(before, url, visited, clock.now()), before);
    const isAsked = !busyHosts.has(host);
    if (visited === null) {
      busyHosts.add(host);
      report.postponed++;
    }
    known.delete(url);
    report.checked++;
    onProgress?.({ ...report, counts: { ...counts } });
    return isAsked ? manners.restOf(url) : 0;
  }

  try {
    await visitHosts(dueUrls(), visit, { hosts, ahead, signal });
    if (unreached.length > 0) await findWayOut();
    report.unreached = unreached.length;
  } finally {
    await kept.save();
  }
  if (!keepsOthers) report.removed = await removeUnseenChecks(linkChecks, seen);
  return report;
}

/** Null where the host is too busy. */
async function visitPatiently(url: string, options: VisitOptions): Promise<LinkVisit | null> {
  for (let tried = 1; ; tried++) {
    const visited = await visitLink(url, options);
    const { waitSeconds } = visited;
    if (waitSeconds === null) return visited;
    if (waitSeconds > MAX_REST_SECONDS || tried === MAX_TRIES) return null;
    await wait(waitSeconds * 1_000, undefined, { signal: options.signal });
  }
}

function isDue(check: LinkCheck | undefined, maxAgeMs: number, now: Date): boolean {
  if (check === undefined) return true;
  const ageMs = canBeDead(check.reason) ? Math.min(maxAgeMs, DAY_MS) : maxAgeMs;
  return now.getTime() - check.checkedAt.getTime() >= ageMs;
}

const WITNESSES = 3;

const unreachable: ReadonlySet<LinkCheck['reason']> = new Set([
  'no-host',
  'refused',
  'timeout',
  'certificate',
]);

const isUnreached = ({ status, reason }: LinkCheck) => status === null && unreachable.has(reason);

function createOfflineError(): AppError {
  return new AppError(
    'OUTBOUND_FAILED',
    'Nothing on the web can be reached from this machine, so that nothing can be said about its addresses. Check its connection, and try again.',
  );
}

async function* inBatches(urls: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const url of urls) {
    batch.push(url);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Checks the addresses that are in courses, of all tenants: those that answer once a week, those that failed once a day. Of
 *  several hosts on one store, one does so at a time. */
interface PlacedChecks {
  /** Has a look once in ten minutes. */
  start(): void;
  /** One round; null where another host has begun one within the last hour. */
  check(): Promise<LinkReport | null>;
  /** Stops a round; what was visited is kept. */
  close(): Promise<void>;
}

interface PlacedChecksDeps {
  readonly linkChecks: Pick<LinkChecks, 'checkAll' | 'listPlaced'>;
  readonly nonces: NonceRepository;
  readonly ways: LinkWays;
  readonly clock: Clock;
  /** Told of a round that failed; the next one does what is left. */
  onProblem(error: unknown): void;
  /** Between two looks, and before the first one; ten minutes when absent. */
  readonly lookMs?: number;
}

const MINUTE_MS = 60_000;
const LOOK_MS = 10 * MINUTE_MS;

/** A host that is killed holds others up for so long. */
const LEASE_MS = 60 * MINUTE_MS;

/** A round ends before its lease; the next one goes on where it was. */
const ROUND_MS = 50 * MINUTE_MS;

const LEASE = 'check of placed links';

export function createPlacedChecks(deps: PlacedChecksDeps): PlacedChecks {
  const { linkChecks, nonces, ways, clock, onProblem, lookMs = LOOK_MS } = deps;
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<unknown> = Promise.resolve();

  async function check(): Promise<LinkReport | null> {
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + LEASE_MS);
    if (stop.signal.aborted || !(await nonces.claimNonce(LEASE, { now, expiresAt }))) return null;
    const timeIsUp = AbortSignal.timeout(ROUND_MS);
    const signal = AbortSignal.any([stop.signal, timeIsUp]);
    try {
      return await linkChecks.checkAll(linkChecks.listPlaced(), { ways, keepsOthers: true, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      // Another host may go on at once.
      if (!timeIsUp.aborted) await nonces.consumeNonce(LEASE, clock.now());
      return null;
    }
  }

  return {
    check,
    start() {
      const next = () => {
        round = round.then(check).catch(onProblem);
      };
      timer ??= setInterval(next, lookMs).unref();
    },
    async close() {
      stop.abort();
      clearInterval(timer);
      await round;
    },
  };
}
