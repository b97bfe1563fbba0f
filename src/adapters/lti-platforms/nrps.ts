import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createSharedCalls } from '#domain/async/shared-calls';
import { readRoles } from '#domain/lti/roles';
import { AppError } from '#errors';
import type { LtiPlatforms, PlatformMember } from '#ports/lti-platforms';
import { type AccessTokens, withAccessToken } from './access-token.ts';
import { fetchMembers } from './ltijs.ts';
import { findNextUrl, listPages, type PlatformAccess } from './platform-call.ts';

export const MEMBERS_SCOPE = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly';

type Members = readonly PlatformMember[];

const MAX_MEMBERS = 5_000;
const MAX_PAGES = 100;
const MAX_NAME_LENGTH = 200;
const CACHE_MS = 60_000;
/** Maximum number of members in all cached lists. */
const MAX_CACHED_MEMBERS = 100_000;
const TIMEOUT_MS = 30_000;

/** Members of courses (Names and Role Provisioning Services 2.0,
 *  https://www.imsglobal.org/spec/lti-nrps/v2p0). */
export function createNrps(tokens: AccessTokens): Pick<LtiPlatforms, 'listMembers'> {
  const cache = createMembersCache();
  return {
    listMembers: (registration, url, { signal } = {}) =>
      cache.get(
        // A changed registration may be of another platform.
        `${registration.id} ${registration.version} ${url}`,
        (cancelled) =>
          withAccessToken(tokens, { registration, part: 'members', scope: MEMBERS_SCOPE }, (access) =>
            readMembers(url, (pageUrl) => fetchMemberPage(access, pageUrl), cancelled),
          ),
        signal,
      ),
  };
}

/** Caches lists of members for a minute, as a large course has a hundred pages.
 *  @param timeoutMs for reading one list */
export function createMembersCache(timeoutMs = TIMEOUT_MS) {
  const cached = new LRUCache<string, Members>({
    ttl: CACHE_MS,
    maxSize: MAX_CACHED_MEMBERS,
    sizeCalculation: (members) => members.length + 1,
  });
  const calls = createSharedCalls<Members>();
  return {
    /** @param read is cancelled when nobody waits any more, or after the timeout
     *  Errors: those of `read`; PLATFORM_UNREACHABLE after the timeout; the reason of `signal`. */
    async get(key: string, read: (cancelled: AbortSignal) => Promise<Members>, signal?: AbortSignal): Promise<Members> {
      signal?.throwIfAborted();
      const readAndCache = async (abandoned: AbortSignal) => {
        const members = await readInTime(read, abandoned, timeoutMs);
        cached.set(key, members);
        return members;
      };
      return cached.get(key) ?? calls.wait(key, readAndCache, signal);
    },
  };
}

async function readInTime(
  read: (cancelled: AbortSignal) => Promise<Members>,
  abandoned: AbortSignal,
  timeoutMs: number,
): Promise<Members> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await read(AbortSignal.any([abandoned, timeout]));
  } catch (cause) {
    if (!timeout.aborted) throw cause;
    throw createMembersError('The platform took too long to list the members of the course.', null, cause);
  }
}

interface MemberPage {
  /** As the platform sent it. */
  readonly body: unknown;
  readonly nextUrl: string | null;
}

/** Fetches a page of members through ltijs. The next page is found here, as ltijs does not
 *  understand all `Link` headers that platforms send. */
async function fetchMemberPage(access: PlatformAccess, url: string): Promise<MemberPage> {
  let nextUrl: string | null = null;
  const call: PlatformAccess['call'] = async (...request) => {
    const answer = await access.call(...request);
    nextUrl = findNextUrl(answer);
    return answer;
  };
  return { body: await fetchMembers({ ...access, call }, url), nextUrl };
}

const text = z.string().trim().min(1).catch('');

const membership = z.object({
  user_id: z.union([z.string(), z.number()]).transform(String).catch(''),
  name: text,
  given_name: text,
  family_name: text,
  status: z.string().catch('Active'),
  roles: z.union([z.array(z.string()), z.string().transform((role) => [role])]).catch([]),
});

const memberList = z.object({ members: z.array(z.unknown()) });

/** Reads all members of a course, page by page: at most 5,000 entries, usable or not, as reading
 *  each takes time.
 *  Errors: PLATFORM_UNREACHABLE; those of `fetchPage`; the reason of `signal`, which is checked
 *  before each page. */
export async function readMembers(
  membershipsUrl: string,
  fetchPage: (url: string) => Promise<MemberPage>,
  signal?: AbortSignal,
): Promise<Members> {
  const members = new Map<string, PlatformMember>();
  // The request has no limit: with one, some platforms return wrong addresses of next pages.
  const pages = listPages(
    membershipsUrl,
    (url) => {
      signal?.throwIfAborted();
      return fetchPage(url);
    },
    { maxPages: MAX_PAGES },
  );
  let remaining = MAX_MEMBERS;
  for await (const { body } of pages) {
    const { data } = memberList.safeParse(body);
    if (data === undefined) {
      const { host } = new URL(membershipsUrl);
      throw createMembersError(`${host} answered something else than the members of the course.`, 200);
    }
    const entries = data.members.slice(0, remaining);
    for (const member of entries.flatMap(readMember)) members.set(member.userId, member);
    remaining -= entries.length;
    if (remaining === 0) break;
  }
  return [...members.values()];
}

function readMember(value: unknown): PlatformMember[] {
  const { data } = membership.safeParse(value);
  if (data === undefined || data.user_id === '') return [];
  const { user_id, name, given_name, family_name, status, roles } = data;
  const fullName = name || `${given_name} ${family_name}`.trim();
  return [
    {
      userId: user_id,
      name: fullName === '' ? null : fullName.slice(0, MAX_NAME_LENGTH),
      isLearner: readRoles(roles, { isInCourse: true }).role === 'learner',
      isActive: status === 'Active',
    },
  ];
}

function createMembersError(detail: string, status: number | null, cause?: unknown): AppError {
  return new AppError('PLATFORM_UNREACHABLE', detail, { cause, data: { part: 'members', status, detail } });
}
