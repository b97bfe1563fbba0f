import { LRUCache } from 'lru-cache';
import { waitUnlessAborted } from '#domain/async/deadline';
import type { Clock } from '#ports/clock';
import type { MergedSearch } from './merged-search.ts';
import { estimateSearchBytes } from './results.ts';

/** What a session keeps from one turn to the next. */
export interface SearchSession {
  /** Null before the first turn. */
  merged: MergedSearch | null;
}

export interface SessionRequest {
  /** Tenant and connection. */
  readonly scope: string;
  /** Within the scope, the same for the same search, whatever the page. */
  readonly key: string;
  /** From 0. */
  readonly page: number;
  readonly signal?: AbortSignal | undefined;
}

/** Remembers what was shown of merged searches in this process, so that further pages go on from there. Where that is lost, the
 *  same answers are merged in the same order again. */
export interface SearchSessions {
  /** Works with the session of a search, one after another. Errors: those of the work; the signal's reason where it is
   *  aborted before, and once nobody waits any more, the session's calls are given up as well. */
  use<T>(request: SessionRequest, work: (session: SearchSession) => Promise<T>): Promise<T>;
}

export interface SearchSessionsDeps {
  readonly clock: Clock;
  /** 1,000 by default. */
  readonly maxSessions?: number;
  /** Sessions of one tenant, so that none pushes out all others; 100 by default. */
  readonly maxPerScope?: number;
  /** That all sessions hold together, about; 20 MiB by default. One that holds more by itself is not kept. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 20 * 1024 * 1024;
const BYTES_PER_SESSION = 1_000;
/** Since it was used last; answers are kept for as long. */
const TTL_MS = 5 * 60_000;
/** A request for the first page begins a new search: it should not miss a provider for minutes because it was slow in an earlier
 *  one. */
const INCOMPLETE_MS = 60_000;

interface OpenSession extends SearchSession {
  readonly scope: string;
  readonly openedAt: number;
  waiting: number;
  lastTurn: Promise<unknown>;
}

/** The cache measures a value when it is set, so a new object is set each time. */
interface Entry {
  readonly session: OpenSession;
}

export function createSearchSessions(deps: SearchSessionsDeps): SearchSessions {
  const { clock, maxSessions = 1_000, maxPerScope = 100, maxBytes = MAX_BYTES } = deps;
  const now = () => clock.now().getTime();
  const entries = new LRUCache<string, Entry>({
    max: maxSessions,
    maxSize: maxBytes,
    sizeCalculation: ({ session }) => estimateSize(session),
    ttl: TTL_MS,
    updateAgeOnGet: true,
    ttlResolution: 0,
    perf: { now },
  });

  function open({ scope, key, page }: SessionRequest): OpenSession {
    const known = entries.get(`${scope} ${key}`)?.session;
    if (known !== undefined && !(page === 0 && isOld(known))) return known;
    if (known === undefined) makeRoomFor(scope);
    const session = { ...newSession(), scope, openedAt: now() };
    entries.set(`${scope} ${key}`, { session });
    return session;
  }

  function makeRoomFor(scope: string): void {
    const own = [...entries.rkeys()].filter((place) => entries.peek(place)?.session.scope === scope);
    const tooMany = Math.max(0, own.length - maxPerScope + 1);
    // The least recently used one is first.
    for (const place of own.slice(0, tooMany)) entries.delete(place);
  }

  function weigh(place: string, session: OpenSession): void {
    if (entries.peek(place)?.session === session) entries.set(place, { session });
  }

  /** In constant use it would otherwise never be renewed. */
  function isOld({ openedAt, merged }: OpenSession): boolean {
    return now() - openedAt >= (merged?.isIncomplete === true ? INCOMPLETE_MS : TTL_MS);
  }

  return {
    async use(request, work) {
      const { signal, scope, key } = request;
      signal?.throwIfAborted();
      const session = open(request);
      try {
        return await takeTurn(session, work, signal);
      } finally {
        const place = `${scope} ${key}`;
        weigh(place, session);
        // Late answers are held too.
        for (const { call } of session.merged?.cursors ?? [])
          void call?.ended.then(() => weigh(place, session));
        if (signal?.aborted === true && session.waiting === 0) giveUp(session, signal.reason);
      }
    },
  };
}

/** For searches whose further pages nobody opens: each has a session of its own, and calls still under way at its end are given
 *  up. */
export const singleUseSessions: SearchSessions = {
  async use({ signal }, work) {
    const session: SearchSession = { merged: null };
    try {
      return await waitUnlessAborted(work(session), signal);
    } finally {
      giveUp(session, signal?.reason ?? new Error('Nobody waits for what is late.'));
    }
  },
};

async function takeTurn<T>(
  session: OpenSession,
  work: (session: SearchSession) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  session.waiting++;
  const turn = session.lastTurn.then(() => {
    signal?.throwIfAborted();
    return work(session);
  });
  session.lastTurn = turn.catch(() => {});
  try {
    return await waitUnlessAborted(turn, signal);
  } finally {
    session.waiting--;
  }
}

function newSession() {
  return { merged: null, waiting: 0, lastTurn: Promise.resolve() };
}

function estimateSize({ merged }: SearchSession): number {
  return BYTES_PER_SESSION + (merged === null ? 0 : estimateSearchBytes(merged.cursors));
}

function giveUp({ merged }: SearchSession, reason: unknown): void {
  for (const { call } of merged?.cursors ?? []) call?.abort(reason);
}
