import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { LinkCheck, LinkCheckRepository, LinkState } from '../../ports/store/store.ts';
import { createSeenLinks, keepChecks, removeUnseenChecks } from './keep-checks.ts';
import { type HostPace, visitHosts } from './visit-hosts.ts';
import { judgeLink, type LinkVisit, visitLink } from './visit-link.ts';

export interface LinkChecksDeps {
  readonly linkChecks: LinkCheckRepository;
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
  /** Checks of addresses that are no longer in the catalogue. */
  readonly removed: number;
}

export interface CheckOptions {
  readonly outbound: Outbound;
  /** Alive and dead ones are visited again after that; unsure ones after a day at most. Seven days when absent. */
  readonly maxAgeMs?: number;
  /** Visits at most. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
  onProgress?(progress: LinkProgress): void;
}

export interface LinkChecks extends Pick<LinkCheckRepository, 'listBrokenLinks' | 'countLinkChecks'> {
  /** Visits those of the catalogue's addresses that are due, and forgets those that are not in it.
   *  Errors: what the signal was aborted with; everything visited before is kept. */
  checkAll(urls: AsyncIterable<string>, options: CheckOptions): Promise<LinkReport>;
}

const DAY_MS = 86_400_000;

const usualPace: LinkPace = { hosts: 8, pauseMs: 1_000, ahead: 20_000 };

/** How long, and how often, a busy host is waited for at most. */
const MAX_REST_SECONDS = 120;

const MAX_TRIES = 3;

const BATCH = 500;

/** Whether the addresses of learning objects still answer. */
export function createLinkChecks(deps: LinkChecksDeps): LinkChecks {
  const { linkChecks } = deps;
  return {
    listBrokenLinks: (request) => linkChecks.listBrokenLinks(request),
    countLinkChecks: () => linkChecks.countLinkChecks(),
    checkAll: (urls, options) => checkAll(deps, urls, options),
  };
}

async function checkAll(
  { linkChecks, clock, pace }: LinkChecksDeps,
  urls: AsyncIterable<string>,
  {
    outbound,
    maxAgeMs = 7 * DAY_MS,
    limit = Number.POSITIVE_INFINITY,
    signal = new AbortController().signal,
    onProgress,
  }: CheckOptions,
): Promise<LinkReport> {
  const counts = { alive: 0, dead: 0, unsure: 0 };
  const report = { listed: 0, due: 0, checked: 0, counts, postponed: 0, removed: 0 };
  const { hosts, ahead, pauseMs } = { ...usualPace, ...pace };
  const seen = createSeenLinks();
  const busyHosts = new Set<string>();
  const kept = keepChecks({ linkChecks, clock });
  const known = new Map<string, LinkCheck>();

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
    const visited = busyHosts.has(host) ? null : await visitPatiently(outbound, url, signal);
    if (visited !== null) {
      const before = known.get(url);
      const check = judgeLink(before, url, visited, clock.now());
      counts[check.state]++;
      await kept.add(check, before);
    }
    const isAsked = !busyHosts.has(host);
    if (visited === null) {
      busyHosts.add(host);
      report.postponed++;
    }
    known.delete(url);
    report.checked++;
    onProgress?.({ ...report, counts: { ...counts } });
    return isAsked ? pauseMs : 0;
  }

  try {
    await visitHosts(dueUrls(), visit, { hosts, ahead, signal });
  } finally {
    await kept.save();
  }
  report.removed = await removeUnseenChecks(linkChecks, seen);
  return report;
}

/** Null where the host is too busy. */
async function visitPatiently(
  outbound: Outbound,
  url: string,
  signal: AbortSignal,
): Promise<LinkVisit | null> {
  for (let tried = 1; ; tried++) {
    const visited = await visitLink(outbound, url, signal);
    const { waitSeconds } = visited;
    if (waitSeconds === null) return visited;
    if (waitSeconds > MAX_REST_SECONDS || tried === MAX_TRIES) return null;
    await wait(waitSeconds * 1_000, undefined, { signal });
  }
}

function isDue(check: LinkCheck | undefined, maxAgeMs: number, now: Date): boolean {
  if (check === undefined) return true;
  const ageMs = check.state === 'unsure' ? Math.min(maxAgeMs, DAY_MS) : maxAgeMs;
  return now.getTime() - check.checkedAt.getTime() >= ageMs;
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
