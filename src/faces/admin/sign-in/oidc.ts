import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError, type ErrorCode } from '#errors';
import type { Oidc } from '#ports/oidc';
import { createAccessCookieValue, grantSessionAccess } from '../access.ts';
import type { AdminDeps } from '../deps.ts';
import { type CookieChange, get, makePage, type PageContext, post, type Reply, readNextPage } from '../route.ts';
import { signInByLink } from './link.ts';

/** Maximum time between leaving for the provider and returning from it. */
const SIGN_IN_MS = 10 * 60_000;
const MAX_LENGTH = 200;

const beginForm = z.object({
  link: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional()
    .catch(undefined),
  name: z.string().max(MAX_LENGTH).catch(''),
  next: z.string().max(2_000).catch(''),
});

const pendingData = z.object({ state: z.string(), kept: z.string(), name: z.string(), next: z.string() });
const cookieGone: CookieChange = { name: 'oidc', value: null };

/** Sign-in or a one-time link with an OpenID Connect account; no routes without a provider. The
 *  store has the state of a sign-in until the browser returns, under the hash of a cookie. The
 *  token of the link is in the cookie: the store identifies links by their hash. */
export const oidcRoutes = [
  post('/oidc/begin', 'anyone', beginOidcSignIn),
  get('/oidc/callback', 'anyone', finishOidcSignIn),
];

async function beginOidcSignIn(context: PageContext): Promise<Reply> {
  const { form, request, nonces, clock, publicUrl } = context;
  const oidc = requireOidc(context);
  const { link, name, next } = beginForm.parse(Object.fromEntries(form));
  try {
    const { url, state, kept } = await oidc.begin(`${publicUrl}/admin/oidc/callback`);
    const value = link === undefined ? createAccessCookieValue() : `${createAccessCookieValue()}.${link}`;
    const expiresAt = new Date(clock.now().getTime() + SIGN_IN_MS);
    await nonces.addNonce(hashCookie(value), JSON.stringify({ state, kept, name, next }), expiresAt);
    // A page, as the CSP (form-action) stops redirects of forms to other sites.
    const cookies: CookieChange[] = [{ name: 'oidc', value, expiresAt }];
    return makePage('oidc-leave', { leaveFor: url }, { cookies });
  } catch (error) {
    return showOidcProblem(error, { request, link });
  }
}

async function finishOidcSignIn(context: PageContext): Promise<Reply> {
  const { publicUrl, sessions, request, query, caller } = context;
  const oidc = requireOidc(context);
  const cookie = context.cookie('oidc');
  const link = cookie?.split('.')[1];
  try {
    const { kept, name, next } = await takePendingSignIn(context, cookie, query.get('state'));
    const { subject, name: proposed } = await oidc.finish(`${publicUrl}${request.originalUrl}`, kept);
    const cookies = [cookieGone];
    if (link !== undefined) {
      const credentials = { kind: 'oidc', name: name.trim() || (proposed ?? ''), subject } as const;
      return await signInByLink(context, { token: link, credentials, cookies });
    }
    const newSession = await sessions.signInByOidc(subject, caller);
    return await grantSessionAccess(context, newSession, readNextPage(next), cookies);
  } catch (error) {
    return showOidcProblem(error, { request, link });
  }
}

function requireOidc({ oidc }: AdminDeps): Oidc {
  if (oidc === null) throw new AppError('PATH_UNKNOWN', 'No admin page has this address.');
  return oidc;
}

async function takePendingSignIn({ nonces, clock }: AdminDeps, cookie: string | undefined, state: string | null) {
  const data = cookie === undefined ? null : await nonces.consumeNonce(hashCookie(cookie), clock.now());
  const pending = data === null ? null : pendingData.parse(JSON.parse(data));
  if (pending === null || pending.state !== state) throw notBegunHere();
  return pending;
}

const hashCookie = (cookie: string): string => `oidc ${createHash('sha256').update(cookie).digest('hex')}`;

const problemStatuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  OIDC_FAILED: 401,
  SIGN_IN_FAILED: 403,
  OIDC_UNAVAILABLE: 503,
};

type Origin = Pick<PageContext, 'request'> & {
  readonly link: string | undefined;
};

/** Links to a new beginning. Rethrows any other error. */
function showOidcProblem(error: unknown, { request, link }: Origin): Reply {
  const status = error instanceof AppError ? problemStatuses[error.code] : undefined;
  if (!(error instanceof AppError) || status === undefined) throw error;
  request.log?.warn({ err: error }, 'a sign-in with OpenID Connect failed');
  const reason = error.data.reason ?? error.code;
  const backTo = link === undefined ? '/admin/sign-in' : `/admin/link/${link}`;
  return makePage('oidc-problem', { reason, backTo }, { status });
}

function notBegunHere(): AppError {
  const message =
    'This sign-in was not begun in this browser, was used already, or took longer than 10 minutes. Begin again.';
  return new AppError('OIDC_FAILED', message, { data: { reason: 'NOT_BEGUN_HERE' } });
}
