import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LinkCheck, LinkCheckRepository, LinkState, Store } from '#ports/store/store';
import { inBatches } from '#services/host/every-item';
import { readEveryLinkCheck } from '../every-record.ts';
import type { HostPace, LinkTools, SiteManners } from './site-manners.ts';
import { createSiteManners, visitHosts } from './site-manners.ts';
import { canLinkBeDead, judgeLink, type LinkVisit, type VisitOptions, visitLink } from './visit-link.ts';

export type LinkPace = HostPace & { readonly pauseMs: number };

export interface LinkProgress {
  readonly listed: number;
  /** Number of listed addresses that are due. */
  readonly due: number;
  /** Number of due addresses that were visited. */
  readonly checked: number;
  readonly counts: Readonly<Record<LinkState, number>>;
}

export interface LinkReport extends LinkProgress {
  /** Number of addresses of hosts that asked for a long rest; they are due the next time. */
  readonly postponed: number;
  /** Number of addresses that failed while nothing could be reached: the machine may be offline. */
  readonly unreached: number;
  readonly removed: number;
}

export interface CheckOptions {
  readonly tools: LinkTools;
  /** Age at which a check of a working address is due, 7 days by default; others within a day. */
  readonly maxAgeMs?: number;
  /** Whether checks of addresses that are not listed stay; false when absent. */
  readonly keepsUnlisted?: boolean;
  readonly limit?: number;
  readonly signal?: AbortSignal;
  onProgress?(progress: LinkProgress): void;
}

export interface CheckLinksDeps extends Pick<Store, 'linkChecks'> {
  readonly clock: Clock;
  /** By default eight hosts at once, one second between visits, 20,000 addresses read ahead. */
  readonly pace?: Partial<LinkPace>;
}

const DAY_MS = 86_400_000;
const defaultPace: LinkPace = { hosts: 8, pauseMs: 1_000, ahead: 20_000 };

interface Round {
  readonly deps: CheckLinksDeps;
  readonly maxAgeMs: number;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly manners: SiteManners;
  readonly writer: ReturnType<typeof createCheckWriter>;
  readonly seen: SeenLinks;
  /** Hosts that asked for too long a rest. */
  readonly busyHosts: Set<string>;
  /** Earlier checks of the addresses that are due, by address. */
  readonly earlier: Map<string, LinkCheck>;
  /** Checks that wait until it is certain that this machine is online. */
  readonly unreached: NewCheck[];
  isOnline: boolean;
  readonly report: Mutable<LinkReport> & { readonly counts: Mutable<LinkReport['counts']> };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type NewCheck = { readonly check: LinkCheck; readonly before: LinkCheck | undefined };

/** Visits addresses that are due, and removes checks of addresses that are not listed. Visits are
 *  saved in any case. Errors: the signal's reason; OUTBOUND_FAILED if nothing can be reached. */
export async function checkLinks(
  deps: CheckLinksDeps,
  urls: AsyncIterable<string>,
  options: CheckOptions,
): Promise<LinkReport> {
  const { tools, keepsUnlisted = false, signal = new AbortController().signal, onProgress } = options;
  const { hosts, ahead, pauseMs } = { ...defaultPace, ...deps.pace };
  const counts = { alive: 0, dead: 0, unsure: 0 };
  const round: Round = {
    deps,
    maxAgeMs: options.maxAgeMs ?? 7 * DAY_MS,
    limit: options.limit ?? Number.POSITIVE_INFINITY,
    signal,
    manners: createSiteManners(tools, pauseMs),
    writer: createCheckWriter(deps),
    seen: createSeenLinks(),
    busyHosts: new Set(),
    earlier: new Map(),
    unreached: [],
    isOnline: false,
    report: { listed: 0, due: 0, checked: 0, counts, postponed: 0, unreached: 0, removed: 0 },
  };
  const { report, seen, unreached } = round;
  const visit = async (url: string) => {
    const restMs = await checkLink(round, url);
    report.checked++;
    onProgress?.({ ...report, counts: { ...counts } });
    return restMs;
  };
  try {
    await visitHosts(listDueLinks(round, urls), visit, { hosts, ahead, signal });
    if (unreached.length > 0) await checkIfOnline(round);
    report.unreached = unreached.length;
  } finally {
    await round.writer.save();
  }
  if (!keepsUnlisted) report.removed = await removeUnseenChecks(deps.linkChecks, seen);
  return report;
}

const BATCH = 500;

async function* listDueLinks(round: Round, urls: AsyncIterable<string>): AsyncGenerator<string> {
  const { deps, report, seen, earlier, limit } = round;
  for await (const batch of inBatches(urls, BATCH)) {
    const listed = batch.filter((url) => URL.canParse(url) && seen.add(url));
    report.listed += listed.length;
    const earlierChecks = await deps.linkChecks.findLinkChecks(listed);
    const checks = new Map(earlierChecks.map((check) => [check.url, check]));
    for (const url of listed) {
      const check = checks.get(url);
      if (report.due >= limit || !isDue(check, round.maxAgeMs, deps.clock.now())) continue;
      report.due++;
      if (check !== undefined) earlier.set(url, check);
      yield url;
    }
  }
}

function isDue(check: LinkCheck | undefined, maxAgeMs: number, now: Date): boolean {
  if (check === undefined) return true;
  const ageMs = canLinkBeDead(check.reason) ? Math.min(maxAgeMs, DAY_MS) : maxAgeMs;
  return now.getTime() - check.checkedAt.getTime() >= ageMs;
}

/** Visits an address. @returns how long the host must rest, in milliseconds */
async function checkLink(round: Round, url: string): Promise<number> {
  const { deps, busyHosts, earlier, manners, signal, report } = round;
  const { host } = new URL(url);
  const before = earlier.get(url);
  earlier.delete(url);
  const isSkipped = busyHosts.has(host);
  const visit = isSkipped ? null : await visitPatiently(url, { manners, before, signal });
  if (visit === null) {
    busyHosts.add(host);
    report.postponed++;
  } else {
    await addCheck(round, { check: judgeLink(before, url, visit, deps.clock.now()), before });
  }
  return isSkipped ? 0 : manners.findPause(url);
}

/** Limits of the rest that a busy host asks for, and of the visits to it. */
const MAX_REST_SECONDS = 120;
const MAX_TRIES = 3;

/** Returns null if the host is too busy. */
async function visitPatiently(url: string, options: VisitOptions): Promise<LinkVisit | null> {
  for (let tries = 1; ; tries++) {
    const visit = await visitLink(url, options);
    if (visit.waitSeconds === null) return visit;
    if (visit.waitSeconds > MAX_REST_SECONDS || tries === MAX_TRIES) return null;
    await wait(visit.waitSeconds * 1_000, undefined, { signal: options.signal });
  }
}

/** Number of failed visits in a row after which the machine counts as offline. */
const MAX_UNREACHED = 1_000;

/** Adds a check. Failures to connect count only once some address has answered. */
async function addCheck(round: Round, added: NewCheck): Promise<void> {
  round.isOnline ||= added.check.status !== null;
  if (!round.isOnline && isUnreached(added.check)) round.unreached.push(added);
  else await writeCheck(round, added);
  if (round.isOnline) await writeUnreachedChecks(round);
  else if (round.unreached.length >= MAX_UNREACHED)
    throw new AppError(
      'OUTBOUND_FAILED',
      'Nothing on the web can be reached from this machine, so that nothing can be said about its addresses. Check its connection, and try again.',
    );
}

async function writeCheck({ report, writer }: Round, { check, before }: NewCheck): Promise<void> {
  report.counts[check.state]++;
  await writer.add(check, before);
}

async function writeUnreachedChecks(round: Round): Promise<void> {
  for (const check of round.unreached.splice(0)) await writeCheck(round, check);
}

/** Number of addresses that are visited to find out whether this machine is online. */
const WITNESSES = 3;

/** Visits addresses that were alive at their last check. */
async function checkIfOnline(round: Round): Promise<void> {
  const { deps, manners, signal } = round;
  const alive = await deps.linkChecks.readLinkChecks({ state: 'alive', after: null, limit: WITNESSES });
  for (const { url } of alive) {
    const { status } = await visitLink(url, { manners, before: undefined, signal });
    round.isOnline ||= status !== null;
    if (round.isOnline) return writeUnreachedChecks(round);
  }
}

const connectionProblems: ReadonlySet<LinkCheck['reason']> = new Set(['no-host', 'refused', 'timeout', 'certificate']);
const isUnreached = ({ status, reason }: LinkCheck) => status === null && connectionProblems.has(reason);

interface CheckWriterDeps {
  readonly linkChecks: Pick<LinkCheckRepository, 'saveLinkChecks'>;
  readonly clock: Clock;
}
const SAVE_EVERY = 50;
/** Interval at which changes of the set of dead addresses are saved: each rebuilds the index. */
const SAVE_DEAD_EVERY_MS = 600_000;
/** Number of checks that the store takes at once. */
const MAX_SAVED_AT_ONCE = 1_000;

/** Writes checks in batches. Changes of the set of dead addresses wait longer and are written
 *  together; if the process is killed before, these addresses are due again. */
function createCheckWriter({ linkChecks, clock }: CheckWriterDeps) {
  const ordinary: LinkCheck[] = [];
  const changingDead: LinkCheck[] = [];
  const nowMs = () => clock.now().getTime();
  let savedAtMs = nowMs();

  async function write(checks: LinkCheck[]): Promise<void> {
    while (checks.length > 0) await linkChecks.saveLinkChecks(checks.splice(0, MAX_SAVED_AT_ONCE));
  }

  async function save(): Promise<void> {
    savedAtMs = nowMs();
    await write(ordinary);
    await write(changingDead);
  }

  return {
    /** Stores all checks that were added. */
    save,
    async add(check: LinkCheck, before: LinkCheck | undefined): Promise<void> {
      const changesDead = (check.state === 'dead') !== (before?.state === 'dead');
      (changesDead ? changingDead : ordinary).push(check);
      if (nowMs() - savedAtMs >= SAVE_DEAD_EVERY_MS) await save();
      else if (ordinary.length >= SAVE_EVERY) await write(ordinary);
    },
  };
}

type SeenLinks = ReturnType<typeof createSeenLinks>;

/** Remembers addresses as numbers, so that millions fit in memory. If two addresses had the same
 *  number, which is most unlikely, one would be checked a day later. */
function createSeenLinks() {
  const numbers = new Set<number>();
  const numberOf = (url: string) => createHash('sha256').update(url).digest().readUIntBE(0, 6);
  return {
    /** Returns false if the address was added before. */
    add(url: string): boolean {
      const before = numbers.size;
      return numbers.add(numberOf(url)).size > before;
    },
    has: (url: string) => numbers.has(numberOf(url)),
  };
}

/** Removes checks of addresses that were not listed. @returns their number */
async function removeUnseenChecks(linkChecks: LinkCheckRepository, seen: SeenLinks): Promise<number> {
  let removed = 0;
  for (const state of ['alive', 'dead', 'unsure'] as const)
    for await (const checks of readEveryLinkCheck(linkChecks, state)) {
      const unseen = checks.map(({ url }) => url).filter((url) => !seen.has(url));
      if (unseen.length > 0) removed += await linkChecks.removeLinkChecks(unseen);
    }
  return removed;
}
