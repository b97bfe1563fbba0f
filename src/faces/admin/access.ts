import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { isAdminRoleAtLeast, isInAdminScope } from '#domain/admin';
import { AppError } from '#errors';
import type { AdminView } from '#services/tenants/admins/admin-records';
import type { NewSession } from '#services/tenants/admins/admin-sessions';
import { isSentByThisHost } from '../cookies.ts';
import type {
  AdminRoute,
  CookieChange,
  PageContext,
  PageOptions,
  Reply,
  RouteAccess,
  SignedInContext,
} from './route.ts';

/** Whether a role may open a route. Routes for auditors show the whole host, with all tenants. */
export function mayAccessRoute({ role, tenants }: Pick<AdminView, 'role' | 'tenants'>, access: RouteAccess): boolean {
  if (access === 'account') return true;
  return isAdminRoleAtLeast(role, access) && (access !== 'auditor' || tenants === null);
}

/** Errors: SIGN_IN_REQUIRED, ROLE_READS_ONLY, ROLE_INSUFFICIENT, TENANT_UNKNOWN. */
export function requireAccess(route: Pick<AdminRoute, 'access'>, context: PageContext): SignedInContext {
  const { signedIn } = context;
  if (signedIn === null) throw new AppError('SIGN_IN_REQUIRED', 'This page needs someone who is signed in.');
  const isForm = !['GET', 'HEAD'].includes(context.request.method);
  const isAllowed = route.access !== 'anyone' && mayAccessRoute(signedIn.admin, route.access);
  if (signedIn.admin.role === 'auditor' && (!isAllowed || (isForm && route.access !== 'account')))
    throw new AppError(
      'ROLE_READS_ONLY',
      'Auditors look and change nothing. They get no exports of personal data, no keys and no links. Ask a manager of the tenant or an owner to do it.',
    );
  if (!isAllowed)
    throw new AppError(
      'ROLE_INSUFFICIENT',
      `This needs the role ${route.access}; you are signed in as ${signedIn.admin.role}. Ask an owner to do it or to change your role.`,
    );
  const { tenantId } = context.params;
  // A tenant outside the scope counts as missing, so that the answer does not reveal it.
  if (tenantId !== undefined && !isInAdminScope(signedIn.admin.tenants, tenantId))
    throw createTenantAccessError(tenantId);
  const { id, name } = signedIn.admin;
  return { ...context, signedIn, actor: { kind: 'admin', id, name, address: context.caller.address } };
}

export const createTenantAccessError = (id: string): AppError =>
  new AppError('TENANT_UNKNOWN', `There is no tenant "${id}", or it is not one of yours.`);

/** Requires the CSRF token and, if the browser states the site, this site. Errors: FORM_EXPIRED. */
export function requireSameOriginForm(request: Request, sent: string | null, expected: string): void {
  if (isSentByThisHost(request) && sent !== null && isSameText(sent, expected)) return;
  throw new AppError(
    'FORM_EXPIRED',
    'The form did not come from this page, or you signed in or out since it was loaded. Go back, reload the page and send it again.',
  );
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export const deriveCsrfToken = (cookieValue: string): string =>
  createHmac('sha256', cookieValue).update('skilldock csrf').digest('base64url');

export const createAccessCookieValue = (): string => randomBytes(32).toString('base64url');

/** Begins a session and ends the browser's former one. @param to where to go, from `/admin` on */
export async function grantSessionAccess(
  { cookie, sessions }: PageContext,
  newSession: NewSession,
  to: string,
  cookies: readonly CookieChange[] = [],
): Promise<Reply> {
  const formerToken = cookie('session');
  if (formerToken !== undefined) await sessions.signOut(formerToken);
  const session: CookieChange = { name: 'session', value: newSession.token, expiresAt: newSession.expiresAt };
  const { token: value, expiresAt } = newSession.browser;
  return { kind: 'redirect', to, cookies: [session, { name: 'browser', value, expiresAt }, ...cookies] };
}

/** Returns the status of a refused form: 429 if the person has to wait, else the given status. */
export function describeAccessRefusal(error: unknown, status: number): PageOptions {
  if (!(error instanceof AppError) || error.kind !== 'rate_limited') return { status };
  return { status: 429, retryAfterSeconds: error.retryAfterSeconds };
}
