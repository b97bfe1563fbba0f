import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isInAdminScope } from '#domain/admin';
import { toAdminPerson } from '#domain/assistants';
import { AppError, type ErrorCode, hasErrorCode } from '#errors';
import { languageCookie } from '#faces/cookies';
import { locales } from '#faces/words/i18n';
import type { Oidc, OidcIdentity } from '#ports/oidc';
import type { Credentials } from '#services/tenants/admins/admin-links';
import {
  createAccessCookieValue,
  createTenantAccessError,
  describeAccessRefusal,
  grantSessionAccess,
} from '../access.ts';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, readForm, refuseForm, submitForm } from '../forms/forms.ts';
import { findPageOfTenant } from '../layout-model.ts';
import type { CookieChange, PageContext, PageOptions, PageReply, Reply, SignedInContext } from '../route.ts';
import { get, makePage, makeRedirect, post, readNextAdminPage } from '../route.ts';
import { describeTenants } from '../tenants/tenant-lists.ts';
import { askForSecondFactor, passwordField, secondFactorRoutes } from './second-factor.ts';

const MAX_LENGTH = 200;

const signInForm = z.object({
  name: z.string('required').trim().min(1, 'required').max(MAX_LENGTH, 'tooLong'),
  password: passwordField,
  next: z.string().optional(),
});

const passwordForm = z
  .object({
    current: passwordField,
    password: passwordField,
    repeated: z.string('required'),
  })
  .refine(({ password, repeated }) => password === repeated, { path: ['repeated'], error: 'notTheSame' });

const signedOut: readonly CookieChange[] = [{ name: 'session', value: null }];

/** Sign-in with a password, an OpenID provider or a link; the person's account; the language. */
export const signInRoutes = [
  get('/sign-in', 'anyone', (context) =>
    context.signedIn === null
      ? showSignInForm(context, fillForm({ next: context.query.get('next') ?? '' }))
      : makeRedirect(''),
  ),
  post('/sign-in', 'anyone', signInWithForm),
  ...secondFactorRoutes,
  post('/language', 'anyone', ({ form, clock }) => {
    const locale = locales.find((code) => code === form.get('language')) ?? 'en';
    const cookies = [languageCookie(locale, clock.now())];
    return { kind: 'redirect', to: readNextAdminPage(form.get('next')), cookies };
  }),
  post('/switch', 'account', ({ form, signedIn }) => {
    const id = form.get('to') ?? '';
    if (id !== '' && !isInAdminScope(signedIn.admin.tenants, id)) throw createTenantAccessError(id);
    const cookies = [{ name: 'tenant', value: id === '' ? null : id } as const];
    return { kind: 'redirect', to: findPageOfTenant(form.get('next') ?? '', id), cookies };
  }),
  get('/link/:token', 'anyone', (context) => showLink(context, context.param('token'))),
  post('/link/:token', 'anyone', signInByLinkWithPassword),
  // The store has the state of a sign-in until the browser returns, under the hash of a cookie. The
  // token of a link is only in the cookie: the store identifies links by their hash.
  post('/oidc/begin', 'anyone', beginOidcSignIn),
  get('/oidc/callback', 'anyone', finishOidcSignIn),
  get('/account', 'account', (context) => showSignedInAccount(context)),
  post('/account/password', 'account', changePassword),
  post('/account/sessions/:sessionId/end', 'account', async ({ actor, signedIn, sessions, param }) => {
    await sessions.endSession(actor, signedIn.admin, param('sessionId'));
    return makeRedirect('/account', 'session-ended');
  }),
  post('/account/sign-out-everywhere', 'account', async ({ signedIn, caller, sessions }) => {
    await sessions.signOutEverywhere(signedIn, caller.address);
    return { kind: 'redirect', to: '/admin/sign-in?notice=signed-out-everywhere', cookies: signedOut };
  }),
  post('/sign-out', 'account', async ({ cookie, sessions }) => {
    await sessions.signOut(cookie('session') ?? '');
    return { kind: 'redirect', to: '/admin/sign-in?notice=signed-out', cookies: signedOut };
  }),
];

async function showSignInForm({ admins }: AdminDeps, form: FormState): Promise<PageReply> {
  return makePage('sign-in', { form, isNew: (await admins.countAdmins('owner')) === 0 });
}

function signInWithForm(context: PageContext): Promise<Reply> {
  const { sessions, caller } = context;
  return submitForm(context, {
    schema: signInForm,
    secrets: ['password'],
    refusedStatus: 401,
    show: (form) => showSignInForm(context, form),
    answers: { SECOND_FACTOR_REQUIRED: (error, { next }) => askForSecondFactor(error, readNextAdminPage(next)) },
    save: async ({ name, password, next }) =>
      grantSessionAccess(context, await sessions.signIn(name, password, caller), readNextAdminPage(next)),
  });
}

async function showSignedInAccount(context: SignedInContext, form = fillForm({})): Promise<PageReply> {
  const { admin, session } = context.signedIn;
  const mapping = context.admins.roleMapping;
  const sessions = await context.sessions.listSessions(admin.id);
  const dataPath = context.personData.makeDataPath({ tenantId: null, accounts: [toAdminPerson(admin.id)], emails: [] });
  const model = { form, sessions, currentId: session.id, home: '/admin/account', dataPath, mapping };
  return makePage('account', model);
}

function changePassword(context: SignedInContext): Promise<Reply> {
  const { admins, actor, signedIn } = context;
  return submitForm(context, {
    schema: passwordForm,
    secrets: ['current', 'password', 'repeated'],
    show: (form) => showSignedInAccount(context, form),
    fieldOf: { SIGN_IN_FAILED: ['current', 'currentWrong'] },
    async save({ current, password: next }) {
      await admins.changePassword(actor, signedIn.admin.id, { current, next, keepSessionId: signedIn.session.id });
      return makeRedirect('/account', 'password-changed');
    },
  });
}

/** Maximum time between leaving for the provider and returning from it. */
const SIGN_IN_MS = 10 * 60_000;

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

async function beginOidcSignIn(context: PageContext): Promise<Reply> {
  const { form, request, nonces, clock, publicUrl } = context;
  const oidc = requireOidcSignIn(context);
  const { link, name, next } = beginForm.parse(Object.fromEntries(form));
  try {
    const { url, state, kept } = await oidc.begin(`${publicUrl}/admin/oidc/callback`);
    const value = link === undefined ? createAccessCookieValue() : `${createAccessCookieValue()}.${link}`;
    const expiresAt = new Date(clock.now().getTime() + SIGN_IN_MS);
    await nonces.addNonce(hashSignInCookie(value), JSON.stringify({ state, kept, name, next }), expiresAt);
    // A page leads on, as the CSP (form-action) stops redirects of forms to other sites.
    const cookies: CookieChange[] = [{ name: 'oidc', value, expiresAt }];
    return makePage('oidc-leave', { leaveFor: url }, { cookies });
  } catch (error) {
    return showOidcSignInProblem(error, { request, link });
  }
}

async function finishOidcSignIn(context: PageContext): Promise<Reply> {
  const { publicUrl, sessions, request, query, caller } = context;
  const oidc = requireOidcSignIn(context);
  const cookie = context.cookie('oidc');
  const link = cookie?.split('.')[1];
  try {
    const { kept, name, next } = await takePendingSignIn(context, cookie, query.get('state'));
    const identity = await oidc.finish(`${publicUrl}${request.originalUrl}`, kept);
    const cookies = [cookieGone];
    if (link !== undefined) {
      const { subject, name: proposed } = identity;
      const credentials = { kind: 'oidc', name: name.trim() || (proposed ?? ''), subject } as const;
      return await signInByLink(context, { token: link, credentials, identity, cookies });
    }
    const newSession = await sessions.signInByOidc(identity, caller);
    return await grantSessionAccess(context, newSession, readNextAdminPage(next), cookies);
  } catch (error) {
    return showOidcSignInProblem(error, { request, link });
  }
}

/** Errors: PATH_UNKNOWN without a provider. */
function requireOidcSignIn({ oidc }: AdminDeps): Oidc {
  if (oidc === null) throw new AppError('PATH_UNKNOWN', 'No admin page has this address.');
  return oidc;
}

/** Takes the state of a sign-in, which can be used once. Errors: OIDC_FAILED. */
async function takePendingSignIn({ nonces, clock }: AdminDeps, cookie: string | undefined, state: string | null) {
  const data = cookie === undefined ? null : await nonces.consumeNonce(hashSignInCookie(cookie), clock.now());
  const pending = data === null ? null : pendingData.parse(JSON.parse(data));
  if (pending === null || pending.state !== state)
    throw new AppError(
      'OIDC_FAILED',
      'This sign-in was not begun in this browser, was used already, or took longer than 10 minutes. Begin again.',
      { data: { reason: 'NOT_BEGUN_HERE' } },
    );
  return pending;
}

const hashSignInCookie = (cookie: string): string => `oidc ${createHash('sha256').update(cookie).digest('hex')}`;

const problemStatuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  OIDC_FAILED: 401,
  SIGN_IN_FAILED: 403,
  OIDC_UNAVAILABLE: 503,
};

type Origin = Pick<PageContext, 'request'> & { readonly link: string | undefined };

/** Shows why a sign-in failed, with a link to begin again. Rethrows any other error. */
function showOidcSignInProblem(error: unknown, { request, link }: Origin): Reply {
  const status = error instanceof AppError ? problemStatuses[error.code] : undefined;
  if (!(error instanceof AppError) || status === undefined) throw error;
  request.log?.warn({ err: error }, 'a sign-in with OpenID Connect failed');
  const { reason = error.code, claim } = error.data;
  const backTo = link === undefined || error.code === 'SIGN_IN_FAILED' ? '/admin/sign-in' : `/admin/link/${link}`;
  return makePage('oidc-problem', { reason, claim, backTo }, { status });
}

const linkForm = z
  .object({
    // A reset link has no name to choose, and the service checks a name.
    name: z.string().max(MAX_LENGTH, 'tooLong').default(''),
    password: passwordField,
    repeated: z.string('required').min(1, 'required'),
  })
  .refine(({ password, repeated }) => password === repeated, { path: ['repeated'], error: 'notTheSame' });

async function signInByLinkWithPassword(context: PageContext): Promise<Reply> {
  const token = context.param('token');
  const read = readForm(context, linkForm);
  if ('data' in read) return signInByLink(context, { token, credentials: { kind: 'password', ...read.data } });
  const { values, problems } = read.state;
  return showLink(context, token, { ...fillForm({ name: values.name ?? '' }), problems }, { status: 422 });
}

/** Shows the purpose of a one-time link and the ways to sign in, without consuming the link. */
async function showLink(
  { links, admins, tenants }: PageContext,
  token: string,
  form = fillForm({}),
  options?: PageOptions,
): Promise<PageReply> {
  const link = await links.findLink(token);
  if (link === null) return makeInvalidLinkPage(404);
  const [admin, tenantNames] = await Promise.all([
    link.adminId === null ? null : admins.findAdmin(link.adminId),
    describeTenants(tenants, link.tenants),
  ]);
  return makePage('link', { link, token, form, adminName: admin?.name ?? null, tenantNames }, options);
}

interface LinkUse {
  readonly token: string;
  readonly credentials: Credentials;
  /** The identity at the provider, for an account that signs in there. */
  readonly identity?: OidcIdentity;
  readonly cookies?: readonly CookieChange[];
}

/** Consumes a link and signs its holder in, or shows the form with its problems. */
async function signInByLink(context: PageContext, { token, credentials, identity, cookies = [] }: LinkUse) {
  const { links, sessions, caller } = context;
  try {
    const { id } = await links.useLink(token, credentials, caller.address);
    const session = await (identity ? sessions.signInByOidc(identity, caller) : sessions.beginSession(id, caller));
    return await grantSessionAccess(context, session, '/admin', cookies);
  } catch (error) {
    if (hasErrorCode(error, 'LINK_INVALID')) return makeInvalidLinkPage(409);
    if (hasErrorCode(error, 'SECOND_FACTOR_REQUIRED')) return askForSecondFactor(error, '/admin');
    // The link is used up, and the account is refused: there is no form to show again.
    if (hasErrorCode(error, 'SIGN_IN_FAILED')) throw error;
    return showLink(context, token, keepTypedName(error, credentials.name, context), describeAccessRefusal(error, 422));
  }
}

/** Fills in only the name, with its problems: passwords are never sent back. */
function keepTypedName(error: unknown, name: string, { t, languages }: PageContext): FormState {
  const taken = error instanceof AppError ? error.data.taken : undefined;
  if (taken === 'name') return { ...fillForm({ name }), problems: { name: t('problems.nameTaken') } };
  if (taken === 'account') return { ...fillForm({ name }), problems: { form: t('problems.accountTaken') } };
  return refuseForm(error, { form: new URLSearchParams({ name }), t, languages });
}

/** @param status 404 when a link is opened, 409 for a link that ended before its form was sent */
const makeInvalidLinkPage = (status: 404 | 409): PageReply => makePage('link-invalid', {}, { status });
