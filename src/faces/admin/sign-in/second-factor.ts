import { renderSVG } from 'uqr';
import { z } from 'zod';
import { type AppError, hasErrorCode } from '#errors';
import { describeAccessRefusal, grantSessionAccess } from '../access.ts';
import { type FormState, fillForm, readForm, refuseForm, versionField } from '../forms/forms.ts';
import type { PageContext, PageMore, PageReply, Reply, SignedInContext } from '../route.ts';
import { get, makePage, makeRedirect, post, readNextPage } from '../route.ts';

const ACCOUNT = '/account/second-factor';
const codeField = z.string('required').trim().min(1, 'required').max(60, 'tooLong');
const passwordField = z.string('required').min(1, 'required').max(200, 'tooLong');
const codeForm = z.object({ code: codeField, pending: z.string().max(1_000), next: z.string().optional() });
const enableForm = z.object({ code: codeField, password: passwordField, sealed: z.string().max(1_000) });
const removeForm = z.object({ password: passwordField });

/** The code of a sign-in, setting up and removing a second factor, and which tenants require it. */
export const secondFactorRoutes = [
  post('/sign-in/code', 'anyone', signInWithCode),
  get(ACCOUNT, 'account', (context) => showSecondFactor(context)),
  post(ACCOUNT, 'account', enableSecondFactor),
  post(`${ACCOUNT}/remove`, 'account', removeOwnSecondFactor),
  post('/admins/:adminId/second-factor/remove', 'owner', async ({ actor, param, secondFactors }) => {
    await secondFactors.remove(actor, param('adminId'));
    return makeRedirect(`/admins/${param('adminId')}`, 'second-factor-removed');
  }),
  post('/tenants/:tenantId/second-factor', 'owner', async ({ actor, form, param, tenants }) => {
    const requiresSecondFactor = form.get('required') === 'yes';
    const version = versionField.parse(form.get('version'));
    await tenants.changeTenant(actor, param('tenantId'), { version, requiresSecondFactor });
    return makeRedirect(`/tenants/${param('tenantId')}`, 'second-factor-rule-saved');
  }),
];

/** @param required tells that the password is right @param next where to go, from `/admin` on */
export function askForCode(required: AppError, next: string): PageReply {
  return makePage('sign-in-code', { form: fillForm({ pending: String(required.data.pending), next }) });
}

async function signInWithCode(context: PageContext): Promise<Reply> {
  const { sessions, caller } = context;
  const read = readForm(context, codeForm);
  if ('state' in read) return makePage('sign-in-code', { form: withoutCode(read.state) }, { status: 422 });
  const { pending, code, next } = read.data;
  try {
    return await grantSessionAccess(context, await sessions.signInWithCode(pending, code, caller), readNextPage(next));
  } catch (error) {
    if (hasErrorCode(error, 'SIGN_IN_FAILED')) return makeRedirect('/sign-in', 'sign-in-too-slow');
    return makePage(
      'sign-in-code',
      { form: withoutCode(refuseForm(error, context)) },
      describeAccessRefusal(error, 401),
    );
  }
}

function withoutCode({ values, ...rest }: FormState): FormState {
  const { code: _, password: __, ...others } = values;
  return { ...rest, values: others };
}

/** The secret of a refused form stays, as the app may have it already. */
function showSecondFactor(context: SignedInContext, form = fillForm({}), more: PageMore = {}): PageReply {
  const { signedIn, secondFactors, publicUrl } = context;
  const { id, name, hasPassword, recoveryCodes } = signedIn.admin;
  if (!hasPassword || recoveryCodes !== null) return makePage('second-factor', { form, setUp: null }, more);
  const begun = secondFactors.begin(id, form.values.sealed?.toString());
  const issuer = `Skilldock ${new URL(publicUrl).host}`;
  const query = `secret=${begun.secret}&issuer=${encodeURIComponent(issuer)}`;
  const address = `otpauth://totp/${encodeURIComponent(`${issuer}:${name}`)}?${query}`;
  const setUp = { ...begun, drawing: renderSVG(address, { border: 2 }) };
  return makePage('second-factor', { form, setUp }, more);
}

async function enableSecondFactor(context: SignedInContext): Promise<Reply> {
  const { actor, signedIn, secondFactors } = context;
  const read = readForm(context, enableForm);
  if ('state' in read) return showSecondFactor(context, withoutCode(read.state), { status: 422 });
  const { admin, session } = signedIn;
  try {
    const codes = await secondFactors.enable(actor, admin.id, { ...read.data, keepSessionId: session.id });
    return makePage('second-factor-codes', { codes });
  } catch (error) {
    return showSecondFactor(context, describeProblems(error, context), describeAccessRefusal(error, 422));
  }
}

async function removeOwnSecondFactor(context: SignedInContext): Promise<Reply> {
  const { actor, signedIn, secondFactors } = context;
  const read = readForm(context, removeForm);
  if ('state' in read) return showSecondFactor(context, withoutCode(read.state), { status: 422 });
  try {
    await secondFactors.removeOwn(actor, signedIn.admin.id, read.data.password);
    return makeRedirect('/account', 'second-factor-removed');
  } catch (error) {
    return showSecondFactor(context, describeProblems(error, context), describeAccessRefusal(error, 422));
  }
}

function describeProblems(error: unknown, context: SignedInContext): FormState {
  const form = withoutCode(refuseForm(error, context));
  if (hasErrorCode(error, 'SIGN_IN_FAILED'))
    return { ...form, problems: { password: context.t('problems.currentWrong') } };
  if (hasErrorCode(error, 'SECOND_FACTOR_WRONG'))
    return { ...form, problems: { code: context.t('errors.SECOND_FACTOR_WRONG') } };
  return form;
}
