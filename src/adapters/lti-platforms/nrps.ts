import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { runWithDeadline } from '#domain/async/deadline';
import { createSharedCalls } from '#domain/async/shared-calls';
import { readLtiRoles } from '#domain/lti/roles';
import { AppError } from '#errors';
import type { CourseGroup, LtiPlatforms, PlatformMember } from '#ports/lti-platforms';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { type AccessTokens, withAccessToken } from './access-token.ts';
import { fetchLtijsMembers } from './ltijs.ts';
import { findNextPlatformUrl, listPlatformPages, type PlatformAccess } from './platform-call.ts';

export const MEMBERS_SCOPE = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly';
const GROUPS_SCOPE = 'https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly';
const GROUPS_TYPE = 'application/vnd.ims.lti-gs.v1.contextgroupcontainer+json';
const MAX_MEMBERS = 5_000;
const MAX_PAGES = 100;
const MAX_NAME_LENGTH = 200;
const MAX_GROUPS = 500;
const MAX_GROUP_ID_LENGTH = 200;
const CACHE_MS = 60_000;
/** Limit of all cached members together, and of all cached groups. */
const MAX_CACHED_ENTRIES = 100_000;
const TIMEOUT_MS = 30_000;

/** Lists members of courses (Names and Role Provisioning Services 2.0,
 *  https://www.imsglobal.org/spec/lti-nrps/v2p0) and their groups. */
export function createNrps(tokens: AccessTokens): Pick<LtiPlatforms, 'listMembers' | 'listGroups'> {
  const memberLists = createNrpsCache<PlatformMember>('members');
  const groupLists = createNrpsCache<CourseGroup>('groups');
  return {
    listMembers(registration, membershipsUrl, { signal, withGroups = false } = {}) {
      const url = withGroups ? addNrpsGroups(membershipsUrl) : membershipsUrl;
      const service = { registration, part: 'members', scope: MEMBERS_SCOPE } as const;
      const readList = (cancelled: AbortSignal) =>
        withAccessToken(tokens, service, (access) =>
          readNrpsMembers(url, (pageUrl) => fetchMemberPage(access, pageUrl), cancelled),
        );
      return memberLists.get(toNrpsListKey(registration, url), readList, signal);
    },
    listGroups(registration, url, { signal } = {}) {
      const service = { registration, part: 'groups', scope: GROUPS_SCOPE } as const;
      const readList = (cancelled: AbortSignal) =>
        withAccessToken(tokens, service, (access) =>
          readNrpsGroups(url, (pageUrl) => fetchGroupPage(access, pageUrl), cancelled),
        );
      return groupLists.get(toNrpsListKey(registration, url), readList, signal);
    },
  };
}

/** The key has the version, as a changed registration may be of another platform. */
const toNrpsListKey = ({ id, version }: LtiRegistrationRecord, url: string) => `${id} ${version} ${url}`;

function addNrpsGroups(membershipsUrl: string): string {
  const url = new URL(membershipsUrl);
  url.searchParams.set('groups', 'true');
  return url.href;
}

/** Caches lists for a minute, as large courses have many pages. @param timeoutMs for one list */
export function createNrpsCache<T>(part: 'members' | 'groups', timeoutMs = TIMEOUT_MS) {
  type List = readonly T[];
  const cached = new LRUCache<string, List>({
    ttl: CACHE_MS,
    maxSize: MAX_CACHED_ENTRIES,
    sizeCalculation: (list) => list.length + 1,
  });
  const calls = createSharedCalls<List>();
  const createLateError = () => {
    const detail = `The platform took too long to list the ${part} of the course.`;
    return new AppError('PLATFORM_UNREACHABLE', detail, { data: { part, status: null, detail } });
  };
  return {
    /** Returns a cached list, or reads it. Errors: those of `readList`; PLATFORM_UNREACHABLE after
     *  the timeout; the reason of `signal`.
     *  @param readList is cancelled when nobody waits any more, or after the timeout */
    async get(key: string, readList: (cancelled: AbortSignal) => Promise<List>, signal?: AbortSignal): Promise<List> {
      signal?.throwIfAborted();
      const readAndCache = async (abandoned: AbortSignal) => {
        const list = await runWithDeadline({ timeoutMs, signal: abandoned, createLateError }, readList);
        cached.set(key, list);
        return list;
      };
      return cached.get(key) ?? calls.wait(key, readAndCache, signal);
    },
  };
}

interface ListPage {
  /** The parsed JSON of the answer. */
  readonly body: unknown;
  readonly nextUrl: string | null;
}

type FetchPage = (url: string) => Promise<ListPage>;

/** Fetches a page by ltijs, which does not understand all `Link` headers to the next one. */
async function fetchMemberPage(access: PlatformAccess, url: string): Promise<ListPage> {
  let nextUrl: string | null = null;
  const call: PlatformAccess['call'] = async (...request) => {
    const answer = await access.call(...request);
    nextUrl = findNextPlatformUrl(answer);
    return answer;
  };
  return { body: await fetchLtijsMembers({ ...access, call }, url), nextUrl };
}

const text = z.string().trim().min(1).catch('');

const membership = z.object({
  user_id: z.union([z.string(), z.number()]).transform(String).catch(''),
  name: text,
  given_name: text,
  family_name: text,
  status: z.string().catch('Active'),
  roles: z.union([z.array(z.string()), z.string().transform((role) => [role])]).catch([]),
  group_enrollments: z.array(z.unknown()).catch([]),
});

const identifier = z.union([z.string(), z.number()]).transform(String).pipe(z.string().min(1).max(MAX_GROUP_ID_LENGTH));
const enrollment = z.object({ group_id: identifier });
const group = z.object({ id: identifier, name: text });
const memberList = z.object({ members: z.array(z.unknown()) });
const groupList = z.object({ groups: z.array(z.unknown()).catch([]) }).catch({ groups: [] });

/** Reads at most `max` entries, page by page.
 *  @param listEntries throws if the page is not one of the list */
async function* readEntries(
  firstUrl: string,
  fetchPage: FetchPage,
  { max, signal, listEntries }: { max: number; signal: AbortSignal | undefined; listEntries(body: unknown): unknown[] },
): AsyncGenerator<unknown> {
  // The request has no limit: with one, some platforms return wrong addresses of next pages.
  const fetchNext = (url: string) => {
    signal?.throwIfAborted();
    return fetchPage(url);
  };
  let remaining = max;
  for await (const { body } of listPlatformPages(firstUrl, fetchNext, { maxPages: MAX_PAGES })) {
    const entries = listEntries(body).slice(0, remaining);
    yield* entries;
    remaining -= entries.length;
    if (remaining === 0) return;
  }
}

/** Reads at most 5,000 members. Errors: PLATFORM_UNREACHABLE; those of `fetchPage` and `signal`. */
export async function readNrpsMembers(
  url: string,
  fetchPage: FetchPage,
  signal?: AbortSignal,
): Promise<PlatformMember[]> {
  const listEntries = (body: unknown) => {
    const { data } = memberList.safeParse(body);
    if (data !== undefined) return data.members;
    const detail = `${new URL(url).host} did not answer with the members of the course.`;
    throw new AppError('PLATFORM_UNREACHABLE', detail, { data: { part: 'members', status: 200, detail } });
  };
  const members = new Map<string, PlatformMember>();
  for await (const entry of readEntries(url, fetchPage, { max: MAX_MEMBERS, signal, listEntries })) {
    const member = readNrpsMember(entry);
    if (member !== null) members.set(member.userId, member);
  }
  return [...members.values()];
}

function readNrpsMember(value: unknown): PlatformMember | null {
  const { data } = membership.safeParse(value);
  if (data === undefined || data.user_id === '') return null;
  const { user_id, name, given_name, family_name, status, roles, group_enrollments } = data;
  const fullName = name || `${given_name} ${family_name}`.trim();
  const enrollments = group_enrollments.slice(0, MAX_GROUPS);
  return {
    userId: user_id,
    name: fullName === '' ? null : fullName.slice(0, MAX_NAME_LENGTH),
    isLearner: readLtiRoles(roles, { isInCourse: true }).role === 'learner',
    isActive: status === 'Active',
    groupIds: enrollments.flatMap((each) => enrollment.safeParse(each).data?.group_id ?? []),
  };
}

async function fetchGroupPage({ call, token }: PlatformAccess, url: string): Promise<ListPage> {
  const answer = await call(url, { headers: { authorization: `Bearer ${token}`, accept: GROUPS_TYPE } });
  return { body: JSON.parse(answer.text), nextUrl: findNextPlatformUrl(answer) };
}

/** Reads at most 500 groups. A page that is not a list counts as empty. */
export async function readNrpsGroups(url: string, fetchPage: FetchPage, signal?: AbortSignal): Promise<CourseGroup[]> {
  const listEntries = (body: unknown) => groupList.parse(body).groups;
  const groups = new Map<string, CourseGroup>();
  for await (const entry of readEntries(url, fetchPage, { max: MAX_GROUPS, signal, listEntries })) {
    const { id, name } = group.safeParse(entry).data ?? { id: '', name: '' };
    if (name !== '') groups.set(id, { id, name: name.slice(0, MAX_NAME_LENGTH) });
  }
  return [...groups.values()];
}
