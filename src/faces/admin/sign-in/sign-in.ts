import { z } from 'zod';
import { isInScope } from '#domain/admin';
import { AppError } from '#errors';
import { languageCookie } from '#faces/cookies';
import { locales } from '#faces/words/i18n';
import { createTenantAccessError, describeAccessRefusal, grantSessionAccess } from '../access.ts';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import { findPageOfTenant } from '../layout-model.ts';
import {
  type CookieChange,
  get,
  makePage,
  makeRedirect,
  type PageContext,
  type PageMore,
  post,
  type Reply,
  readNextPage,
  type SignedInContext,
} from '../route.ts';
import { linkRoutes } from './link.ts';
import { oidcRoutes } from './oidc.ts';

const MAX_LENGTH = 200;

const signInForm = z.object({
  name: z.string('required').trim().min(1, 'required').max(MAX_LENGTH, 'tooLong'),
  password: z.string('required').min(1, 'required').max(MAX_LENGTH, 'tooLong'),
  next: z.string().optional(),
});

const passwordForm = z
  .object({
    current: z.string('required').min(1, 'required').max(200, 'tooLong'),
    password: z.string('required').min(1, 'required').max(200, 'tooLong'),
    repeated: z.string('required'),
  })
  .refine(({ password, repeated }) => password === repeated, { path: ['repeated'], error: 'notTheSame' });

const signedOut: readonly CookieChange[] = [{ name: 'session', value: null }];

/** Sign-in with a password, an account elsewhere or a link; one's account; the language. */
export const signInRoutes = [
  get('/sign-in', 'anyone', (context) =>
    context.signedIn === null
      ? showSignInForm(context, fillForm({ next: context.query.get('next') ?? '' }))
      : makeRedirect(''),
  ),
  post('/sign-in', 'anyone', signIn),
  post('/language', 'anyone', ({ form, clock }) => {
    const locale = locales.find((each) => each === form.get('language')) ?? 'en';
    const cookies = [languageCookie(locale, clock.now())];
    return { kind: 'redirect', to: readNextPage(form.get('next')), cookies };
  }),
  post('/switch', 'viewer', ({ form, signedIn }) => {
    const id = form.get('to') ?? '';
    if (id !== '' && !isInScope(signedIn.admin.tenants, id)) throw createTenantAccessError(id);
    const cookies = [{ name: 'tenant', value: id === '' ? null : id } as const];
    return { kind: 'redirect', to: findPageOfTenant(form.get('next') ?? '', id), cookies };
  }),
  ...linkRoutes,
  ...oidcRoutes,
  get('/account', 'viewer', (context) => showAccount(context)),
  post('/account/password', 'viewer', changePassword),
  post('/account/sign-out-everywhere', 'viewer', async ({ signedIn, caller, sessions }) => {
    await sessions.signOutEverywhere(signedIn, caller.address);
    return { kind: 'redirect', to: '/admin/sign-in?notice=signed-out-everywhere', cookies: signedOut };
  }),
  post('/sign-out', 'viewer', async ({ cookie, sessions }) => {
    await sessions.signOut(cookie('session') ?? '');
    return { kind: 'redirect', to: '/admin/sign-in?notice=signed-out', cookies: signedOut };
  }),
];

async function showSignInForm({ admins }: AdminDeps, form: FormState, more: PageMore = {}): Promise<Reply> {
  return makePage('sign-in', { form, isNew: (await admins.countAdmins()) === 0 }, more);
}

async function signIn(context: PageContext): Promise<Reply> {
  const { sessions, caller } = context;
  const read = readForm(context, signInForm);
  if ('state' in read) return showSignInForm(context, withoutPassword(read.state), { status: 422 });
  const { name, password, next } = read.data;
  try {
    const newSession = await sessions.signIn(name, password, caller);
    return await grantSessionAccess(context, newSession, readNextPage(next));
  } catch (error) {
    return showSignInForm(context, withoutPassword(refuseForm(error, context)), describeAccessRefusal(error, 401));
  }
}

function withoutPassword({ values, ...rest }: FormState): FormState {
  const { password: _, ...others } = values;
  return { ...rest, values: others };
}

async function showAccount(context: SignedInContext, form = fillForm({}), more: PageMore = {}): Promise<Reply> {
  const { admin, session } = context.signedIn;
  const sessions = await context.sessions.listSessions(admin.id);
  return makePage('account', { form, sessions, currentId: session.id }, more);
}

async function changePassword(context: SignedInContext): Promise<Reply> {
  const { admins, t, actor, signedIn } = context;
  const read = readForm(context, passwordForm);
  if ('state' in read) return showAccount(context, { ...fillForm({}), problems: read.state.problems }, { status: 422 });
  const { current, password: next } = read.data;
  try {
    await admins.changePassword(actor, signedIn.admin.id, { current, next, keepSessionId: signedIn.session.id });
    return makeRedirect('/account', 'password-changed');
  } catch (error) {
    const isWrong = error instanceof AppError && error.code === 'SIGN_IN_FAILED';
    const problems = isWrong ? { current: t('problems.currentWrong') } : refuseForm(error, context).problems;
    return showAccount(context, { ...fillForm({}), problems }, describeAccessRefusal(error, 422));
  }
}
