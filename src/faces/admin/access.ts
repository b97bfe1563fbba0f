import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { covers, isAtLeast } from '../../domain/admin.ts';
import { AppError } from '../../errors.ts';
import type { SignedIn } from '../../services/admins/admin-sessions.ts';
import type { AdminRoute, CookieChange, PageContext, SignedInContext } from './route.ts';

/** The cookies of the admin page. On https they carry the `__Host-` prefix, so that no other host can set them. */
interface Cookies {
  read(request: Request, name: CookieName): string | undefined;
  change(response: Response, change: Omit<CookieChange, 'name'> & { readonly name: CookieName }): void;
}

/** `form` stands for a session where nobody is signed in yet. */
type CookieName = CookieChange['name'] | 'form';

/** Let the request through or say why not. Whoever is not signed in is told so before anything else.
 *  Errors: SIGN_IN_REQUIRED, ROLE_INSUFFICIENT, TENANT_UNKNOWN. */
export function requireAccess(route: AdminRoute, context: PageContext): SignedInContext {
  const { signedIn } = context;
  if (signedIn === null) throw new AppError('SIGN_IN_REQUIRED', 'This page needs someone who is signed in.');
  if (route.access === 'anyone' || !isAtLeast(signedIn.admin.role, route.access)) {
    throw new AppError(
      'ROLE_INSUFFICIENT',
      `This needs the role ${route.access}; you are signed in as ${signedIn.admin.role}. Ask an owner to do it or to change your role.`,
    );
  }
  requireTenant(signedIn, context.params.tenantId);
  return { ...context, signedIn, actor: actorOf(signedIn, context) };
}

/** A tenant of others is answered like one that does not exist: nobody learns which there are. */
function requireTenant({ admin }: SignedIn, tenantId: string | undefined): void {
  if (tenantId !== undefined && !covers(admin.tenants, tenantId)) throw tenantUnknown(tenantId);
}

export function tenantUnknown(id: string): AppError {
  return new AppError('TENANT_UNKNOWN', `There is no tenant "${id}", or it is not one of yours.`);
}

function actorOf({ admin }: SignedIn, { caller }: PageContext) {
  return { kind: 'admin', id: admin.id, name: admin.name, address: caller.address } as const;
}

/** A change must come from a form of our own page: with its token and, where the browser says it, from this site.
 *  Errors: FORM_EXPIRED. */
export function requireOwnForm(request: Request, sent: string | null, expected: string): void {
  const site = request.get('sec-fetch-site');
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  if (isOwnSite && sent !== null && isEqual(sent, expected)) return;
  throw new AppError(
    'FORM_EXPIRED',
    'The form did not come from this page, or you signed in or out since it was loaded. Go back, reload the page and send it again.',
  );
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function createCookies(publicUrl: string): Cookies {
  const isSecure = publicUrl.startsWith('https:');
  const fullName = (name: CookieName) => `${isSecure ? '__Host-' : ''}skilldock_${name}`;
  return {
    read: (request, name) => findValue(request.get('cookie') ?? '', fullName(name)),
    change(response, { name, value, expiresAt }) {
      response.cookie(fullName(name), value ?? '', {
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure,
        path: '/',
        ...(value === null ? { expires: new Date(0) } : expiresAt !== undefined && { expires: expiresAt }),
      });
    },
  };
}

/** Text that our own page can put into a form and another site cannot know: it is derived from a cookie. */
export function csrfTokenOf(cookieValue: string): string {
  return createHmac('sha256', cookieValue).update('skilldock csrf').digest('base64url');
}

export const newCookieValue = () => randomBytes(32).toString('base64url');

function findValue(header: string, name: string): string | undefined {
  const pair = header.split(';').find((part) => part.trim().startsWith(`${name}=`));
  const value = pair?.slice(pair.indexOf('=') + 1).trim();
  return value !== undefined && /^[\w.~-]{1,500}$/.test(value) ? value : undefined;
}
