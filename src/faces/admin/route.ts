import type { Request } from 'express';
import type { Actor, AdminRole } from '#domain/admin';
import type { Upload } from '#ports/imports';
import type { SignedIn } from '#services/tenants/admins/admin-sessions';
import type { SetCookie } from '../cookies.ts';
import type { Translate } from '../words/i18n.ts';
import type { AdminDeps } from './deps.ts';

/** What a handler knows of a request. */
export interface PageContext {
  readonly request: Request;
  /** What the path says, by the names that the route gives its parts. */
  readonly params: Readonly<Record<string, string>>;
  /** What the path says for `:name`. Throws where the route has no such part. */
  param(name: string): string;
  readonly query: URLSearchParams;
  /** The fields of a POST; empty for a GET. */
  readonly form: URLSearchParams;
  /** Null on routes for anyone, when nobody is signed in. */
  readonly signedIn: SignedIn | null;
  readonly locale: string;
  readonly t: Translate;
  /** For the hidden field `csrf` of every form. */
  readonly csrf: string;
  /** What the browser sent of our own cookies. */
  cookie(name: CookieName): string | undefined;
  readonly caller: Readonly<Record<'address' | 'userAgent' | 'browser', string | null>>;
}

/** The same, where the guard let somebody in. */
export interface SignedInContext extends PageContext {
  readonly signedIn: SignedIn;
  readonly actor: Actor;
}

/** The same, where a file may have come with the form. The handler removes it. */
export interface UploadContext extends SignedInContext {
  /** Null where none was chosen. */
  readonly upload: Upload | null;
}

/** The answer of a handler. */
export type Reply =
  | PageReply
  | { readonly kind: 'redirect'; readonly to: string; readonly cookies?: readonly CookieChange[] }
  | { readonly kind: 'json'; readonly body: unknown }
  | {
      readonly kind: 'download';
      readonly name: string;
      readonly type: string;
      readonly lines: AsyncIterable<string>;
    };

export interface PageReply {
  readonly kind: 'page';
  /** Template below `views/admin/`. */
  readonly view: string;
  readonly model: Readonly<Record<string, unknown>>;
  /** HTTP status; 200 when absent, 422 for a form that has to be corrected. */
  readonly status?: number;
  /** For the `Retry-After` header: when the same request may succeed. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cookies?: readonly CookieChange[];
}

/** Null takes the cookie away. */
/** `form` stands for a session where nobody is signed in yet. */
export type CookieName = 'session' | 'browser' | 'form' | 'language' | 'oidc';
export type CookieChange = SetCookie<CookieName>;

type Handler<C> = (context: C, deps: AdminDeps) => Reply | Promise<Reply>;

/** One line of the route table. Paths are below `/admin`. A `:tenantId` in the path is checked
 *  against the tenants of the person before the handler is called. */
export type AdminRoute = { readonly method: 'get' | 'post'; readonly path: string } & (
  | { readonly access: 'anyone'; readonly takesFile?: never; readonly handle: Handler<PageContext> }
  /** The least role. */
  | { readonly access: AdminRole; readonly takesFile?: never; readonly handle: Handler<SignedInContext> }
  | { readonly access: AdminRole; readonly takesFile: true; readonly handle: Handler<UploadContext> }
);

export type PageMore = Pick<PageReply, 'status' | 'retryAfterSeconds' | 'cookies'>;

export const makePage = (
  view: string,
  model: Readonly<Record<string, unknown>>,
  more: PageMore = {},
): PageReply => ({ kind: 'page', view, model, ...more });

/** Leads to a page of ours, with a notice that says what was done.
 *  @param to path below `/admin`, `/tenants`
 *  @param notice key below `notices` in the catalogues
 *  @param count what the notice counts
 *  @example makeRedirect('/tenants#keys', 'key-revoked', 2).to
 *  // '/admin/tenants?notice=key-revoked&count=2#keys' */
export function makeRedirect(to: string, notice?: string, count?: number): Reply {
  const [path = '', fragment] = to.split('#');
  const counted = count === undefined ? '' : `&count=${count}`;
  const query = notice === undefined ? '' : `${path.includes('?') ? '&' : '?'}notice=${notice}${counted}`;
  return { kind: 'redirect', to: `/admin${path}${query}${fragment === undefined ? '' : `#${fragment}`}` };
}

/** The page of ours that a form names to go on to, including `/admin`; anything else, like another
 *  site, becomes the overview. */
export function readNextPage(next: string | null | undefined): string {
  const base = 'http://admin.invalid';
  if (!next || !URL.canParse(next, base)) return '/admin';
  const { origin, pathname, search } = new URL(next, base);
  const isOurs = origin === base && (pathname === '/admin' || pathname.startsWith('/admin/'));
  return isOurs ? pathname + search : '/admin';
}
