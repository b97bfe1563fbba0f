import type { Request } from 'express';
import type { Actor, AdminRole } from '#domain/admin';
import type { Upload } from '#ports/imports';
import type { SignedIn } from '#services/tenants/admins/admin-sessions';
import type { SetCookie } from '../cookies.ts';
import type { Download } from '../downloads.ts';
import type { Translate } from '../words/i18n.ts';
import type { AdminDeps } from './deps.ts';

export interface PageContext extends AdminDeps {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** Returns the path parameter `:name`. Throws if the route does not have it. */
  param(name: string): string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** Null if nobody is signed in, which only routes for anyone allow. */
  readonly signedIn: SignedIn | null;
  readonly locale: string;
  readonly t: Translate;
  /** The value of the hidden field `csrf` of every form. */
  readonly csrf: string;
  /** Returns the value of a cookie of this face. */
  cookie(name: CookieName): string | undefined;
  readonly caller: Readonly<Record<'address' | 'userAgent' | 'browser', string | null>>;
}

export type SignedInContext = PageContext & { readonly signedIn: SignedIn; readonly actor: Actor };

/** The context of a form that may have a file, which the handler removes. */
export interface UploadContext extends SignedInContext {
  /** Null if no file was chosen. */
  readonly upload: Upload | null;
}

export type Reply =
  | PageReply
  | { readonly kind: 'redirect'; readonly to: string; readonly cookies?: readonly CookieChange[] }
  | { readonly kind: 'json'; readonly body: unknown }
  | Download;

export interface PageReply {
  readonly kind: 'page';
  readonly view: string;
  readonly model: Readonly<Record<string, unknown>>;
  /** HTTP status; 200 when absent, 422 for a form that has to be corrected. */
  readonly status?: number;
  /** When the same request may succeed, for the `Retry-After` header. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cookies?: readonly CookieChange[];
}

/** `form` replaces `session` until somebody signs in. */
export type CookieName = 'session' | 'browser' | 'form' | 'language' | 'oidc' | 'tenant' | 'dismissed';
export type CookieChange = SetCookie<CookieName>;
type Handler<C> = (context: C) => Reply | Promise<Reply>;

/** The least role, or `account` for one's own account, whose forms alone auditors may send. */
export type RouteAccess = AdminRole | 'account';

/** A route with its handler, which is called once `:tenantId` is checked. */
export type AdminRoute = { readonly method: 'get' | 'post'; readonly path: string } & (
  | { readonly access: 'anyone'; readonly takesFile?: never; readonly handle: Handler<PageContext> }
  | { readonly access: RouteAccess; readonly takesFile?: never; readonly handle: Handler<SignedInContext> }
  | { readonly access: RouteAccess; readonly takesFile: true; readonly handle: Handler<UploadContext> }
);

interface MakeRoute {
  (path: string, access: 'anyone', handle: Handler<PageContext>): AdminRoute;
  (path: string, access: RouteAccess, handle: Handler<SignedInContext>): AdminRoute;
}

const makeAdminRoute =
  (method: AdminRoute['method']): MakeRoute =>
  // Handlers of routes for anyone take less than those of others.
  (path: string, access: RouteAccess | 'anyone', handle: Handler<SignedInContext>) =>
    ({ method, path, access, handle }) as AdminRoute;

export const get = makeAdminRoute('get');
export const post = makeAdminRoute('post');

export type PageOptions = Pick<PageReply, 'status' | 'retryAfterSeconds' | 'cookies'>;

export const makePage = (
  view: string,
  model: Readonly<Record<string, unknown>>,
  options: PageOptions = {},
): PageReply => ({
  kind: 'page',
  view,
  model,
  ...options,
});

/** Redirects to an admin page, with an optional notice.
 *  @param to path below `/admin`, `/tenants` @param notice key below `notices` in the catalogues
 *  @param count number in the text of the notice
 *  @example makeRedirect('/keys', 'key-revoked').to // '/admin/keys?notice=key-revoked' */
export function makeRedirect(to: string, notice?: string, count?: number): Reply {
  const [path = '', fragment] = to.split('#');
  const counted = count === undefined ? '' : `&count=${count}`;
  const query = notice === undefined ? '' : `${path.includes('?') ? '&' : '?'}notice=${notice}${counted}`;
  return { kind: 'redirect', to: `/admin${path}${query}${fragment === undefined ? '' : `#${fragment}`}` };
}

/** Reads the admin page, from `/admin` on, to which a form leads; otherwise the overview. */
export function readNextAdminPage(next: string | null | undefined): string {
  const base = 'http://admin.invalid';
  if (!next || !URL.canParse(next, base)) return '/admin';
  const { origin, pathname, search } = new URL(next, base);
  const isAdminPage = origin === base && (pathname === '/admin' || pathname.startsWith('/admin/'));
  return isAdminPage ? pathname + search : '/admin';
}
