import { z } from 'zod';
import { AppError } from '#errors';
import type { PlatformMember } from '#ports/lti-platforms';
import { readRoles } from '../protocol/roles.ts';
import { chooseNextPage } from './platform-calls.ts';

const MAX_MEMBERS = 5_000;
const MAX_PAGES = 100;
const MAX_NAME = 200;

const text = z.string().trim().min(1).catch('');

const membership = z.object({
  user_id: z.union([z.string(), z.number()]).transform(String).catch(''),
  name: text,
  given_name: text,
  family_name: text,
  status: z.string().catch('Active'),
  roles: z.array(z.string()).catch([]),
});

const memberPage = z.object({ members: z.array(z.unknown()), next: z.string().optional().catch(undefined) });

/** All members of a course, page by page (Names and Role Provisioning Services 2.0 §2.4).
 *  @param getPage gives what the platform says, with the address of the next page as `next`
 *  Errors: those of `getPage`; the reason of `signal`, which is looked at before each page. */
export async function readMembers(
  membershipsUrl: string,
  getPage: (url: string) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<readonly PlatformMember[]> {
  const members = new Map<string, PlatformMember>();
  const seen = new Set<string>();
  // We ask for no limit: with one, some platforms give wrong addresses of next pages.
  let url: string | null = membershipsUrl;
  // Also those that are no members: reading each takes time.
  let left = MAX_MEMBERS;
  while (url !== null && seen.size < MAX_PAGES && left > 0) {
    signal?.throwIfAborted();
    seen.add(url);
    const page = memberPage.safeParse(await getPage(url));
    if (!page.success) throw createNoMembersError(membershipsUrl);
    const entries = page.data.members.slice(0, left);
    left -= entries.length;
    for (const member of entries.flatMap(readMember)) members.set(member.userId, member);
    url = chooseNextPage(page.data.next, membershipsUrl, seen);
  }
  return [...members.values()];
}

function readMember(value: unknown): PlatformMember[] {
  const parsed = membership.safeParse(value);
  if (!parsed.success || parsed.data.user_id === '') return [];
  const { user_id, name, given_name, family_name, status, roles } = parsed.data;
  const fullName = name || `${given_name} ${family_name}`.trim();
  return [
    {
      userId: user_id,
      name: fullName === '' ? null : fullName.slice(0, MAX_NAME),
      isLearner: readRoles(roles, { isInCourse: true }).role === 'learner',
      isActive: status === 'Active',
    },
  ];
}

function createNoMembersError(url: string): AppError {
  const detail = `${new URL(url).host} answered something else than the members of the course.`;
  return new AppError('PLATFORM_UNREACHABLE', detail, { data: { part: 'members', status: 200, detail } });
}
