import { z } from 'zod';
import { AppError } from '#errors';
import { describeAccessRefusal } from '../access.ts';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import {
  type AdminRoute,
  type CookieChange,
  makePage,
  makeRedirect,
  type PageMore,
  type Reply,
  type SignedInContext,
} from '../route.ts';

const passwordForm = z
  .object({
    current: z.string('required').min(1, 'required').max(200, 'tooLong'),
    password: z.string('required').min(1, 'required').max(200, 'tooLong'),
    repeated: z.string('required'),
  })
  .refine(({ password, repeated }) => password === repeated, { path: ['repeated'], error: 'notTheSame' });

const signedOut: readonly CookieChange[] = [{ name: 'session', value: null }];

/** The account that is signed in, its sessions and its password. */
export const accountRoutes: AdminRoute[] = [
  {
    method: 'get',
    path: '/account',
    access: 'viewer',
    handle: (context, deps) => showAccount(context, deps, fillForm({})),
  },
  { method: 'post', path: '/account/password', access: 'viewer', handle: changePassword },
  {
    method: 'post',
    path: '/account/sign-out-everywhere',
    access: 'viewer',
    async handle({ signedIn, caller }, { sessions }) {
      await sessions.signOutEverywhere(signedIn, caller.address);
      return { kind: 'redirect', to: '/admin/sign-in?notice=signed-out-everywhere', cookies: signedOut };
    },
  },
  {
    method: 'post',
    path: '/sign-out',
    access: 'viewer',
    async handle({ cookie }, { sessions }) {
      await sessions.signOut(cookie('session') ?? '');
      return { kind: 'redirect', to: '/admin/sign-in?notice=signed-out', cookies: signedOut };
    },
  },
];

async function showAccount(
  { signedIn }: SignedInContext,
  { sessions }: AdminDeps,
  form: FormState,
  more: PageMore = {},
): Promise<Reply> {
  const listed = await sessions.listSessions(signedIn.admin.id);
  return makePage('account', { form, sessions: listed, currentId: signedIn.session.id }, more);
}

async function changePassword(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { admins, languages } = deps;
  const { form, t, actor, signedIn } = context;
  const read = readForm(form, { schema: passwordForm, t });
  if ('state' in read) return showAccount(context, deps, keepProblems(read.state), { status: 422 });
  const { current, password: next } = read.data;
  try {
    const passwords = { current, next, keepSessionId: signedIn.session.id };
    await admins.changePassword(actor, signedIn.admin.id, passwords);
    return makeRedirect('/account', 'password-changed');
  } catch (error) {
    const state = isWrongPassword(error)
      ? { ...fillForm({}), problems: { current: t('problems.currentWrong') } }
      : keepProblems(refuseForm(error, { form, t, languages }));
    return showAccount(context, deps, state, describeAccessRefusal(error, 422));
  }
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof AppError && error.code === 'SIGN_IN_FAILED';
}

/** Passwords are never sent back. */
function keepProblems({ problems }: FormState): FormState {
  return { ...fillForm({}), problems };
}
