import { z } from 'zod';
import type { TenantScope } from '#domain/admin';
import { emailField, fillForm, readForm } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { findTenantNames, narrowToChosenTenant, readTenantChoices, withChosenTenant } from '../tenants/tenant-lists.ts';

const PATH = '/feedback/erase';

const eraseForm = z.object({ email: emailField, tenant: z.string().default('') });

/** Removing all feedback of one person on their request, after a page that lists it. Only forms
 *  contain the e-mail address of the person, so that it appears in no URL and no log. */
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

/** Reads the form, or shows it with its problems. Errors: TENANT_UNKNOWN. */
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

/** Counts the feedback of one person by their e-mail address, ignoring case. Parts of the total are
 *  feedback that was not delivered yet and never will be (`unsent`), and feedback that an upstream
 *  accepted and retains (`elsewhere`). */
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
