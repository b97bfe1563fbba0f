import { z } from 'zod';
import type { TenantScope } from '#domain/admin';
import { emailField, fillForm, readForm } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { findTenantNames, narrowToChosenTenant, readTenantChoices, withChosenTenant } from '../tenants/tenant-lists.ts';

const PATH = '/feedback/erase';
const eraseForm = z.object({ email: emailField, tenant: z.string().default('') });

/** Removes a person's feedback on request. Forms, but no URL or log, have the e-mail address. */
export const feedbackEraseRoutes = [
  get(PATH, 'manager', (context) => showErase(context)),
  post(PATH, 'manager', eraseFeedback),
  // Reloading the answer by its address, or changing its language, shows the form.
  get(`${PATH}/check`, 'manager', (context) => showErase(context)),
  post(`${PATH}/check`, 'manager', checkErase),
];

async function showErase(context: SignedInContext, form = fillForm({})): Promise<PageReply> {
  const choices = await readTenantChoices(context.tenants, context.signedIn.admin.tenants);
  return makePage('feedback-erase', { form, tenants: withChosenTenant(choices, form.values.tenant ?? '') });
}

async function readAuthor(
  context: SignedInContext,
  act: (email: string, scope: TenantScope, tenant: string) => Promise<Reply>,
): Promise<Reply> {
  const read = readForm(context, eraseForm);
  if ('state' in read) return { ...(await showErase(context, read.state)), status: 422 };
  const { email, tenant } = read.data;
  return act(email, narrowToChosenTenant(context.signedIn.admin.tenants, tenant), tenant);
}

function checkErase(context: SignedInContext): Promise<Reply> {
  return readAuthor(context, async (email, scope, tenant) =>
    makePage('feedback-erase-confirm', { email, tenant, found: await countByAuthor(context, email, scope) }),
  );
}

function eraseFeedback(context: SignedInContext): Promise<Reply> {
  return readAuthor(context, async (email, scope) => {
    const count = await context.feedback.eraseFeedback(context.actor, scope, email);
    return makeRedirect('/feedback', 'feedback-erased', count);
  });
}

/** By e-mail address, ignoring case. Of the total, `unsent` was not and will not be delivered, and
 *  `elsewhere` was accepted and is retained by an upstream. */
async function countByAuthor({ feedback, tenants }: SignedInContext, email: string, scope: TenantScope) {
  const counts = await feedback.countFeedbackOf(scope, email);
  const names = await findTenantNames(tenants, counts);
  const sum = (name: 'count' | 'unsent' | 'elsewhere') => counts.reduce((total, count) => total + count[name], 0);
  const list = counts.map(({ tenantId, count }) => ({ name: names.get(tenantId) ?? tenantId, count }));
  return {
    total: sum('count'),
    unsent: sum('unsent'),
    elsewhere: sum('elsewhere'),
    tenants: list.sort((a, b) => a.name.localeCompare(b.name)),
  };
}
