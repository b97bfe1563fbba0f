import { LRUCache } from 'lru-cache';
import { createSharedCalls } from '#domain/async/shared-calls';
import { AppError } from '#errors';
import type { PlatformMember } from '#ports/lti-platforms';
import type { LtiRegistrationRecord } from '#ports/store/store';

type Members = readonly PlatformMember[];

export interface MembersWish {
  readonly registration: LtiRegistrationRecord;
  readonly url: string;
  /** Of the request that asks. */
  readonly signal?: AbortSignal | undefined;
}

/** Members of courses, read once for everybody who asks within a minute: a large course has a
 *  hundred pages. */
export interface RecentMembers {
  /** @param read told to give up when nobody waits any more, or it has taken half a minute
   *  Errors: those of `read`; the reason of the signal. */
  list(wish: MembersWish, read: (signal: AbortSignal) => Promise<Members>): Promise<Members>;
}

const FRESH_MS = 60_000;
const CRAWL_MS = 30_000;
/** People of all courses together. */
const MAX_MEMBERS = 100_000;

/** @param crawlMs milliseconds that a list may take */
export function createRecentMembers(crawlMs = CRAWL_MS): RecentMembers {
  const kept = new LRUCache<string, Members>({
    ttl: FRESH_MS,
    maxSize: MAX_MEMBERS,
    sizeCalculation: (members) => members.length + 1,
  });
  const calls = createSharedCalls<Members>();

  async function crawl(left: AbortSignal, read: (signal: AbortSignal) => Promise<Members>): Promise<Members> {
    const late = AbortSignal.timeout(crawlMs);
    try {
      return await read(AbortSignal.any([left, late]));
    } catch (error) {
      throw late.aborted ? createTooLongError(error) : error;
    }
  }

  return {
    async list({ registration: { id, version }, url, signal }, read) {
      signal?.throwIfAborted();
      // A registration that was changed may be of another platform.
      const key = `${id} ${version} ${url}`;
      const found = kept.get(key);
      if (found !== undefined) return found;
      return calls.wait(
        key,
        async (left) => {
          const members = await crawl(left, read);
          kept.set(key, members);
          return members;
        },
        signal,
      );
    },
  };
}

function createTooLongError(cause: unknown): AppError {
  const detail = 'The platform took too long to tell the members of the course.';
  return new AppError('PLATFORM_UNREACHABLE', detail, {
    cause,
    data: { part: 'members', status: null, detail },
  });
}
