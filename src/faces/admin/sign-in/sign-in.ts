import { z } from 'zod';
import { languageCookie } from '#faces/cookies';
import { locales } from '#faces/words/i18n';
import { describeAccessRefusal, grantSessionAccess } from '../access.ts';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import {
  type AdminRoute,
  makePage,
  makeRedirect,
  type PageContext,
  type PageMore,
  type Reply,
  readNextPage,
} from '../route.ts';
import { accountRoutes } from './account.ts';
import { linkRoutes } from './link.ts';
import { oidcRoutes } from './oidc.ts';

const MAX_LENGTH = 200;

const signInForm = z.object({
  name: z.string('required').trim().min(1, 'required').max(MAX_LENGTH, 'tooLong'),
  password: z.string('required').min(1, 'required').max(MAX_LENGTH, 'tooLong'),
  next: z.string().optional(),
});

/** Signing in with a password, an account elsewhere or a one-time link; one's own account; the
 *  language of the pages. */
export const signInRoutes: AdminRoute[] = [
  {
    method: 'get',
    path: '/sign-in',
    access: 'anyone',
    handle: (context, deps) =>
      context.signedIn === null
        ? showSignInForm(deps, fillForm({ next: context.query.get('next') ?? '' }))
        : makeRedirect(''),
  },
  { method: 'post', path: '/sign-in', access: 'anyone', handle: signIn },
  {
    method: 'post',
    path: '/language',
    access: 'anyone',
    handle({ form }, { clock }) {
      const locale = locales.find((each) => each === form.get('language')) ?? 'en';
      const cookies = [languageCookie(locale, clock.now())];
      return { kind: 'redirect', to: readNextPage(form.get('next')), cookies };
    },
  },
  ...linkRoutes,
  ...oidcRoutes,
  ...accountRoutes,
];

async function showSignInForm({ admins }: AdminDeps, form: FormState, more: PageMore = {}): Promise<Reply> {
  return makePage('sign-in', { form, isNew: (await admins.countAdmins()) === 0 }, more);
}

async function signIn(context: PageContext, deps: AdminDeps): Promise<Reply> {
  const { languages, sessions } = deps;
  const { form, t, caller } = context;
  const read = readForm(form, { schema: signInForm, t });
  if ('state' in read) return showSignInForm(deps, withoutPassword(read.state), { status: 422 });
  const { name, password, next } = read.data;
  try {
    const given = await sessions.signIn(name, password, caller);
    return await grantSessionAccess(context, { sessions, given, to: readNextPage(next) });
  } catch (error) {
    const state = withoutPassword(refuseForm(error, { form, t, languages }));
    return showSignInForm(deps, state, describeAccessRefusal(error, 401));
  }
}

function withoutPassword({ values, ...rest }: FormState): FormState {
  const { password: _, ...kept } = values;
  return { ...rest, values: kept };
}
