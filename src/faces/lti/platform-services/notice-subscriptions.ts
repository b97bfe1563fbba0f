import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import type { NoticeSubscription } from '#ports/lti-platforms';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { HttpCall } from '../ltijs/http.ts';

const DAY_MS = 86_400_000;
/** After a failure: the next launches need not try at once. */
const FAILED_MS = 600_000;
const MAX_KEPT = 5_000;

/** Remembers who was told in the last day, in this process only: telling it again does no harm. */
export function createRecentSubscriptions() {
  const told = new LRUCache<string, true>({ ...limitEntries(MAX_KEPT), ttl: DAY_MS });
  return {
    async once(
      { id, version }: LtiRegistrationRecord,
      wanted: NoticeSubscription,
      subscribe: () => Promise<void>,
    ): Promise<void> {
      const key = JSON.stringify([id, version, wanted]);
      if (wanted.types.length === 0 || told.has(key)) return;
      told.set(key, true, { ttl: FAILED_MS });
      await subscribe();
      told.set(key, true);
    },
  };
}

/** Source: https://www.imsglobal.org/spec/lti-pns/v1p0/main/ */
export async function setNoticeHandlers(
  call: HttpCall,
  token: string,
  { url, handler, types }: NoticeSubscription,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const standing = readHandlers((await call(url, { headers })).text);
  for (const type of types.filter((each) => standing.get(each) !== handler))
    await call(url, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ notice_type: type, handler }),
    });
}

/** Handlers by type; none where they cannot be read, so that all are set. */
function readHandlers(text: string): ReadonlyMap<unknown, unknown> {
  try {
    const { notice_handlers: handlers } = JSON.parse(text);
    return new Map(handlers.map((each: Record<string, unknown>) => [each.notice_type, each.handler]));
  } catch {
    return new Map();
  }
}
