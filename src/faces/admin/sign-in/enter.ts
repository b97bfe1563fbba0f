import { AppError } from '../../../errors.ts';
import type { AdminSessions, SessionGiven } from '../../../services/admins/admin-sessions.ts';
import type { CookieChange, PageContext, PageMore, Reply } from '../route.ts';

interface Entry {
  readonly sessions: AdminSessions;
  readonly given: SessionGiven;
  /** Where to go, from `/admin` on. */
  readonly to: string;
  readonly cookies?: readonly CookieChange[];
}

/** Go on as somebody who has just proved who they are. The session has a token that nobody had before, and the one that
 *  this browser had until now is over, so that no one is left signed in unseen. */
export async function enter(
  { cookie }: Pick<PageContext, 'cookie'>,
  { sessions, given, to, cookies = [] }: Entry,
): Promise<Reply> {
  const before = cookie('session');
  if (before !== undefined) await sessions.signOut(before);
  const session: CookieChange = { name: 'session', value: given.token, expiresAt: given.expiresAt };
  return { kind: 'redirect', to, cookies: [session, ...cookies] };
}

/** How a refused form is answered: who has to wait is told so; any other refusal has the status given. */
export function describeRefusal(error: unknown, status: number): PageMore {
  if (!(error instanceof AppError) || error.kind !== 'rate_limited') return { status };
  return { status: 429, retryAfterSeconds: error.retryAfterSeconds };
}
