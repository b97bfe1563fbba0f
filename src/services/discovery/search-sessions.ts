import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports/clock.ts';
import type { MergedSearch } from './merged-search.ts';
import { unlessAborted } from './patience.ts';

/** Whose turn it is, and what is kept for those who come after. */
export interface SearchSession {
  /** Null before anybody had a turn. */
  merged: MergedSearch | null;
}

export interface SessionRequest {
  /** The same for the same search of the same tenant and connection, whatever the page. */
  readonly key: string;
  /** From 0. */
  readonly page: number;
  readonly signal?: AbortSignal | undefined;
}

/** What was shown of merged searches, so that further pages go on from there, in this process. Where it is lost, the same
 *  answers are merged in the same order again. */
export interface SearchSessions {
  /** Works with the session of a search, one after another. Errors: those of the work; the signal's reason where it is
   *  aborted before, and once nobody waits any more, the session's calls are given up as well. */
  use<T>(request: SessionRequest, work: (session: SearchSession) => Promise<T>): Promise<T>;
}

export interface SearchSessionsDeps {
  readonly clock: Clock;
  /** 200 by default. */
  readonly maxSessions?: number;
}

/** Since it was used last; answers are kept for as long. */
const TTL_MS = 5 * 60_000;
/** Whoever asks for the first page begins a search, and should not be without a provider for minutes because it was slow
 *  for somebody else. */
const INCOMPLETE_MS = 60_000;

interface OpenSession extends SearchSession {
  readonly openedAt: number;
  waiting: number;
  lastTurn: Promise<unknown>;
}

export function createSearchSessions({ clock, maxSessions = 200 }: SearchSessionsDeps): SearchSessions {
  const now = () => clock.now().getTime();
  const sessions = new LRUCache<string, OpenSession>({
    max: maxSessions,
    ttl: TTL_MS,
    updateAgeOnGet: true,
    ttlResolution: 0,
    perf: { now },
  });

  function open({ key, page }: SessionRequest): OpenSession {
    const known = sessions.get(key);
    if (known !== undefined && !(page === 0 && isOld(known))) return known;
    const session = { openedAt: now(), merged: null, waiting: 0, lastTurn: Promise.resolve() };
    sessions.set(key, session);
    return session;
  }

  /** Used without end it would never be asked for anew. */
  function isOld({ openedAt, merged }: OpenSession): boolean {
    return now() - openedAt >= (merged?.isIncomplete === true ? INCOMPLETE_MS : TTL_MS);
  }

  return {
    async use(request, work) {
      const { signal } = request;
      signal?.throwIfAborted();
      const session = open(request);
      session.waiting++;
      const turn = session.lastTurn.then(() => {
        signal?.throwIfAborted();
        return work(session);
      });
      session.lastTurn = turn.catch(() => {});
      try {
        await unlessAborted(turn, signal);
        return await turn;
      } finally {
        session.waiting--;
        if (signal?.aborted === true && session.waiting === 0) giveUp(session, signal.reason);
      }
    },
  };
}

function giveUp({ merged }: SearchSession, reason: unknown): void {
  for (const { call } of merged?.cursors ?? []) call?.abort(reason);
}
