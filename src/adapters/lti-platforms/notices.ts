import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import type { LtiPlatforms, NoticeSubscription } from '#ports/lti-platforms';
import { type AccessTokens, withAccessToken } from './access-token.ts';
import type { PlatformAccess } from './platform-call.ts';

const NOTICES_SCOPE = 'https://purl.imsglobal.org/spec/lti/scope/noticehandlers';
const DAY_MS = 86_400_000;
/** After a failure, so that not every launch tries again. */
const RETRY_MS = 600_000;
const MAX_CACHED = 5_000;

/** Platform Notification Service 1.0, https://www.imsglobal.org/spec/lti-pns/v1p0/main/.
 *  Remembered in this process only: subscribing again does no harm. */
export function createNoticeSubscriptions(tokens: AccessTokens): Pick<LtiPlatforms, 'subscribeToNotices'> {
  const recent = new LRUCache<string, true>({ ...limitEntries(MAX_CACHED), ttl: DAY_MS });
  return {
    async subscribeToNotices(registration, subscription) {
      const key = JSON.stringify([registration.id, registration.version, subscription]);
      if (subscription.types.length === 0 || recent.has(key)) return;
      recent.set(key, true, { ttl: RETRY_MS });
      await withAccessToken(tokens, { registration, part: 'notices', scope: NOTICES_SCOPE }, (access) =>
        setNoticeHandlers(access, subscription),
      );
      recent.set(key, true);
    },
  };
}

async function setNoticeHandlers(
  { call, token }: PlatformAccess,
  { url, handler, types }: NoticeSubscription,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const existing = readHandlers((await call(url, { headers })).text);
  for (const type of types.filter((each) => existing.get(each) !== handler))
    await call(url, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ notice_type: type, handler }),
    });
}

/** Handlers by notice type; none where the answer cannot be read, so that all are set. */
function readHandlers(text: string): ReadonlyMap<unknown, unknown> {
  try {
    const { notice_handlers: handlers } = JSON.parse(text);
    return new Map(handlers.map((each: Record<string, unknown>) => [each.notice_type, each.handler]));
  } catch {
    return new Map();
  }
}
