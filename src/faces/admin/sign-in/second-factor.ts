import { renderSVG } from 'uqr';
import { z } from 'zod';
import type { AppError } from '#errors';
import { grantSessionAccess } from '../access.ts';
import { fillForm, submitForm, versionField } from '../forms/forms.ts';
import type { PageContext, PageReply, Reply, SignedInContext } from '../route.ts';
import { get, makePage, makeRedirect, post, readNextAdminPage } from '../route.ts';

const ACCOUNT = '/account/second-factor';
const codeField = z.string('required').trim().min(1, 'required').max(60, 'tooLong');
export const passwordField = z.string('required').min(1, 'required').max(200, 'tooLong');
const codeForm = z.object({ code: codeField, pending: z.string().max(1_000), next: z.string().optional() });
const enableForm = z.object({ code: codeField, password: passwordField, sealed: z.string().max(1_000) });
const removeForm = z.object({ password: passwordField });

/** Serves the code of a sign-in, the set-up, removal and requirement of a second factor. */
export const secondFactorRoutes = [
  post('/sign-in/code', 'anyone', signInWithSecondFactor),
  get(ACCOUNT, 'account', (context) => showSecondFactor(context)),
  post(ACCOUNT, 'account', enableSecondFactor),
  post(`${ACCOUNT}/remove`, 'account', removeSecondFactor),
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

/** Asks for the code after SECOND_FACTOR_REQUIRED. @param next the page after it */
export function askForSecondFactor(required: AppError, next: string): PageReply {
  return makePage('sign-in-code', { form: fillForm({ pending: String(required.data.pending), next }) });
}

function signInWithSecondFactor(context: PageContext): Promise<Reply> {
  const { sessions, caller } = context;
  return submitForm(context, {
    schema: codeForm,
    secrets: ['code'],
    refusedStatus: 401,
    show: (form) => makePage('sign-in-code', { form }),
    answers: { SIGN_IN_FAILED: () => makeRedirect('/sign-in', 'sign-in-too-slow') },
    save: async ({ pending, code, next }) =>
      grantSessionAccess(context, await sessions.signInWithCode(pending, code, caller), readNextAdminPage(next)),
  });
}

/** Shows the set-up. A refused form keeps its secret, which the app may have already. */
function showSecondFactor(context: SignedInContext, form = fillForm({})): PageReply {
  const { signedIn, secondFactors, publicUrl } = context;
  const { id, name, hasPassword, recoveryCodes } = signedIn.admin;
  if (!hasPassword || recoveryCodes !== null) return makePage('second-factor', { form, setUp: null });
  const begun = secondFactors.begin(id, form.values.sealed?.toString());
  const issuer = `Skilldock ${new URL(publicUrl).host}`;
  const query = `secret=${begun.secret}&issuer=${encodeURIComponent(issuer)}`;
  const address = `otpauth://totp/${encodeURIComponent(`${issuer}:${name}`)}?${query}`;
  const setUp = { ...begun, drawing: renderSVG(address, { border: 2 }) };
  return makePage('second-factor', { form, setUp });
}

const fieldOf = {
  SIGN_IN_FAILED: ['password', 'currentWrong'],
  SECOND_FACTOR_WRONG: 'code',
} as const;

function enableSecondFactor(context: SignedInContext): Promise<Reply> {
  const { actor, signedIn, secondFactors } = context;
  const { admin, session } = signedIn;
  return submitForm(context, {
    schema: enableForm,
    secrets: ['code', 'password'],
    show: (form) => showSecondFactor(context, form),
    fieldOf,
    async save(proof) {
      const codes = await secondFactors.enable(actor, admin.id, { ...proof, keepSessionId: session.id });
      return makePage('second-factor-codes', { codes });
    },
  });
}

function removeSecondFactor(context: SignedInContext): Promise<Reply> {
  const { actor, signedIn, secondFactors } = context;
  return submitForm(context, {
    schema: removeForm,
    secrets: ['password'],
    show: (form) => showSecondFactor(context, form),
    fieldOf,
    async save({ password }) {
      await secondFactors.removeOwn(actor, signedIn.admin.id, password);
      return makeRedirect('/account', 'second-factor-removed');
    },
  });
}
