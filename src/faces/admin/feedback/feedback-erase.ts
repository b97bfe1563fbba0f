import { z } from 'zod';
import type { TenantScope } from '#domain/admin';
import type { AdminDeps, AdminFaceDeps } from '../deps.ts';
import { emailField } from '../forms/fields.ts';
import { type FormState, fillForm, readForm } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import {
  findTenantNames,
  narrowToChosenTenant,
  readTenantChoices,
  withChosenTenant,
} from '../tenants/tenant-choices.ts';

const PATH = '/feedback/erase';

const eraseForm = z.object({ email: emailField, tenant: z.string().default('') });

/** Removing all feedback of one person on their request, after a page that lists it. Only forms
 *  contain the e-mail address of the person, so that it appears in no URL and no log. */
export const feedbackEraseRoutes: AdminRoute[] = [
  { method: 'get', path: PATH, access: 'manager', handle: showErase },
  { method: 'post', path: PATH, access: 'manager', handle: eraseFeedback },
  // Reloading the answer by its address, or changing its language, shows the form.
  { method: 'get', path: `${PATH}/check`, access: 'manager', handle: showErase },
  { method: 'post', path: `${PATH}/check`, access: 'manager', handle: checkErase },
];

async function showEraseForm(
  { signedIn }: SignedInContext,
  { tenants }: AdminDeps,
  form: FormState,
  status = 200,
): Promise<Reply> {
  const choices = await readTenantChoices(tenants, signedIn.admin.tenants);
  const model = { form, tenants: withChosenTenant(choices, form.values.tenant ?? '') };
  return makePage('feedback-erase', model, { status });
}

/** Reads the form, or shows it with its problems. Errors: TENANT_UNKNOWN. */
async function readAuthor(
  context: SignedInContext,
  deps: AdminDeps,
  act: (email: string, scope: TenantScope, tenant: string) => Promise<Reply>,
): Promise<Reply> {
  const { form, signedIn, t } = context;
  const read = readForm(form, { schema: eraseForm, t });
  if ('state' in read) return showEraseForm(context, deps, read.state, 422);
  const { email, tenant } = read.data;
  return act(email, narrowToChosenTenant(signedIn.admin.tenants, tenant), tenant);
}

function checkErase(context: SignedInContext, deps: AdminDeps) {
  return readAuthor(context, deps, async (email, scope, tenant) => {
    const result = await countByAuthor(email, scope, { feedback: deps.feedback, tenants: deps.tenants });
    return makePage('feedback-erase-confirm', { email, tenant, found: result });
  });
}

function eraseFeedback(context: SignedInContext, deps: AdminDeps) {
  return readAuthor(context, deps, async (email, scope) => {
    const count = await deps.feedback.eraseFeedback(context.actor, scope, email);
    return makeRedirect('/feedback', 'feedback-erased', count);
  });
}

function showErase(context: SignedInContext, deps: AdminDeps) {
  return showEraseForm(context, deps, fillForm({}));
}

interface FeedbackMatches {
  readonly total: number;
  /** Part of the total: feedback that was not delivered yet and never will be. */
  readonly unsent: number;
  /** Part of the total: feedback that an upstream accepted and retains. */
  readonly elsewhere: number;
  /** By name. */
  readonly tenants: readonly { readonly name: string; readonly count: number }[];
}

/** Counts the feedback of one person by their e-mail address, ignoring case. */
async function countByAuthor(
  email: string,
  scope: TenantScope,
  { feedback, tenants }: Pick<AdminFaceDeps, 'feedback' | 'tenants'>,
): Promise<FeedbackMatches> {
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
