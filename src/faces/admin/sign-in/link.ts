import { z } from 'zod';
import { AppError } from '#errors';
import type { Credentials } from '#services/tenants/admins/admin-links';
import { describeAccessRefusal, grantSessionAccess } from '../access.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import {
  type CookieChange,
  get,
  makePage,
  type PageContext,
  type PageMore,
  type PageReply,
  post,
  type Reply,
} from '../route.ts';
import { describeTenants } from '../tenants/tenant-lists.ts';

const MAX_LENGTH = 200;

const linkForm = z
  .object({
    // With a reset link there is none to choose, and the service says what a name may be.
    name: z.string().max(MAX_LENGTH, 'tooLong').default(''),
    password: z.string('required').min(1, 'required').max(MAX_LENGTH, 'tooLong'),
    repeated: z.string('required').min(1, 'required'),
  })
  .refine(({ password, repeated }) => password === repeated, { path: ['repeated'], error: 'notTheSame' });

/** The pages of one-time links: for setting up the host, joining, and choosing a new password. */
export const linkRoutes = [
  get('/link/:token', 'anyone', (context) => showLink(context, context.param('token'))),
  post('/link/:token', 'anyone', useLinkWithPassword),
];

async function useLinkWithPassword(context: PageContext): Promise<Reply> {
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
  more?: PageMore,
): Promise<PageReply> {
  const link = await links.findLink(token);
  if (link === null) return linkInvalid(404);
  const [admin, tenantNames] = await Promise.all([
    link.adminId === null ? null : admins.findAdmin(link.adminId),
    describeTenants(tenants, link.tenants),
  ]);
  return makePage('link', { link, token, form, adminName: admin?.name ?? null, tenantNames }, more);
}

interface LinkUse {
  readonly token: string;
  readonly credentials: Credentials;
  readonly cookies?: readonly CookieChange[];
}

/** Consumes a link and signs its holder in, or shows the form with its problems. */
export async function signInByLink(
  context: PageContext,
  { token, credentials, cookies = [] }: LinkUse,
): Promise<Reply> {
  const { links, sessions, caller } = context;
  try {
    const { id } = await links.useLink(token, credentials, caller.address);
    return await grantSessionAccess(context, await sessions.beginSession(id, caller), '/admin', cookies);
  } catch (error) {
    if (error instanceof AppError && error.code === 'LINK_INVALID') return linkInvalid(409);
    return showLink(context, token, keepName(error, credentials.name, context), describeAccessRefusal(error, 422));
  }
}

/** Fills in only the name, as passwords are never sent back. */
function keepName(error: unknown, name: string, { t, languages }: PageContext): FormState {
  const taken = error instanceof AppError ? error.data.taken : undefined;
  if (taken === 'name') return { ...fillForm({ name }), problems: { name: t('problems.nameTaken') } };
  if (taken === 'account') return { ...fillForm({ name }), problems: { form: t('problems.accountTaken') } };
  return refuseForm(error, { form: new URLSearchParams({ name }), t, languages });
}

/** @param status 404 when a link is opened, 409 for a link that ended before its form was sent */
const linkInvalid = (status: 404 | 409): PageReply => makePage('link-invalid', {}, { status });
