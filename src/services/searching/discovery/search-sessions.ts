import { LRUCache } from 'lru-cache';
import { waitUnlessAborted } from '#domain/async/deadline';
import { limitEntriesAndAge } from '#domain/limit-entries';
import type { Clock } from '#ports/clock';
import type { MergedSearch } from './merged-search.ts';
import { estimateSearchBytes } from './provider-cursor.ts';

export type SearchSession = { merged: MergedSearch | null };

interface SessionRequest {
  /** Tenant and connection. */
  readonly scope: string;
  /** Within the scope, the same for all pages of the same search. */
  readonly key: string;
  /** From 0. */
  readonly page: number;
  readonly signal?: AbortSignal | undefined;
}

export type SearchSessions = ReturnType<typeof createSearchSessions>;

const MAX_BYTES = 20 * 1024 * 1024;
const BYTES_PER_SESSION = 1_000;
/** Lifetime since the last request; answers of searches are cached for as long. */
const TTL_MS = 5 * 60_000;
/** After this time, a request for the first page starts anew if a provider was missing. */
const INCOMPLETE_TTL_MS = 60_000;

interface OpenSession extends SearchSession {
  readonly scope: string;
  readonly openedAt: number;
  waiting: number;
  lastTurn: Promise<unknown>;
}

/** The cache measures a value when it is set, so a new object is set each time. */
type Entry = { readonly session: OpenSession };

interface SessionsState {
  readonly entries: LRUCache<string, Entry>;
  readonly maxPerScope: number;
  now(): number;
}

/** Keeps the shown pages of merged searches in this process, so that further pages continue there.
 *  If a session is lost, the same answers are merged in the same order again. */
export function createSearchSessions(deps: {
  readonly clock: Clock;
  /** 1,000 by default. */
  readonly maxSessions?: number;
  /** Limit of the sessions of one scope, so that no scope displaces all others; 100 by default. */
  readonly maxPerScope?: number;
  /** Approximate memory of all sessions; 20 MiB by default. A larger session is not kept. */
  readonly maxBytes?: number;
}) {
  const { clock, maxSessions = 1_000, maxPerScope = 100, maxBytes = MAX_BYTES } = deps;
  const now = () => clock.now().getTime();
  const entries = new LRUCache<string, Entry>({
    max: maxSessions,
    maxSize: maxBytes,
    sizeCalculation: ({ session }) =>
      BYTES_PER_SESSION + (session.merged === null ? 0 : estimateSearchBytes(session.merged.cursors)),
    ttl: TTL_MS,
    updateAgeOnGet: true,
    ttlResolution: 0,
    perf: { now },
  });
  const state: SessionsState = { entries, maxPerScope, now };
  return {
    /** Runs requests of a session in turn; aborts its calls when all of them are aborted. */
    use: <T>(request: SessionRequest, work: (session: SearchSession) => Promise<T>): Promise<T> =>
      useSearchSession(state, request, work),
  };
}

async function useSearchSession<T>(
  state: SessionsState,
  request: SessionRequest,
  work: (session: SearchSession) => Promise<T>,
): Promise<T> {
  const { signal, scope, key } = request;
  signal?.throwIfAborted();
  const session = openSearchSession(state, request);
  try {
    return await takeTurnInSession(session, work, signal);
  } finally {
    const name = `${scope} ${key}`;
    measureSearchSession(state, name, session);
    // Late answers take memory as well.
    for (const { call } of session.merged?.cursors ?? [])
      void call?.ended.then(() => measureSearchSession(state, name, session));
    if (signal?.aborted === true && session.waiting === 0) abortSessionCalls(session, signal.reason);
  }
}

function openSearchSession(state: SessionsState, { scope, key, page }: SessionRequest): OpenSession {
  const { entries, now } = state;
  const existing = entries.get(`${scope} ${key}`)?.session;
  if (existing !== undefined && !(page === 0 && isOldSession(existing, now()))) return existing;
  if (existing === undefined) makeRoomForSession(state, scope);
  const session = { merged: null, scope, openedAt: now(), waiting: 0, lastTurn: Promise.resolve() };
  entries.set(`${scope} ${key}`, { session });
  return session;
}

function makeRoomForSession({ entries, maxPerScope }: SessionsState, scope: string): void {
  // The least recently used one is first.
  const names = [...entries.rkeys()].filter((name) => entries.peek(name)?.session.scope === scope);
  const tooMany = Math.max(0, names.length - maxPerScope + 1);
  for (const name of names.slice(0, tooMany)) entries.delete(name);
}

function measureSearchSession({ entries }: SessionsState, name: string, session: OpenSession): void {
  if (entries.peek(name)?.session === session) entries.set(name, { session });
}

/** Limits the age of a session, which would never expire in constant use. */
function isOldSession({ openedAt, merged }: OpenSession, now: number): boolean {
  return now - openedAt >= (merged?.isIncomplete === true ? INCOMPLETE_TTL_MS : TTL_MS);
}

/** Gives each request a session that ends with it, for searches without further pages. */
export const singleUseSessions: SearchSessions = {
  async use({ signal }, work) {
    const session: SearchSession = { merged: null };
    try {
      return await waitUnlessAborted(work(session), signal);
    } finally {
      abortSessionCalls(session, signal?.reason ?? new Error('Nobody waits for late answers.'));
    }
  },
};

async function takeTurnInSession<T>(
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

function abortSessionCalls({ merged }: SearchSession, reason: unknown): void {
  for (const { call } of merged?.cursors ?? []) call?.abort(reason);
}

const MAX_SLOW_PROVIDERS = 5_000;
const SLOW_MS = 60_000;

/** Remembers providers that were late and have not answered since. They are asked like all others,
 *  but hardly waited for: otherwise, every search would take its full time while one hangs. */
export function createSlowProviders(clock: Clock) {
  const slow = new LRUCache<string, true>(limitEntriesAndAge(MAX_SLOW_PROVIDERS, SLOW_MS, () => clock.now().getTime()));
  const nameOf = (scope: string, id: string) => `${scope} ${id}`;
  return {
    has: (scope: string, id: string) => slow.has(nameOf(scope, id)),
    add: (scope: string, id: string) => void slow.set(nameOf(scope, id), true),
    remove: (scope: string, id: string) => void slow.delete(nameOf(scope, id)),
  };
}

export type SlowProviders = ReturnType<typeof createSlowProviders>;
