import { DEFAULT_TENANT } from '#domain/tenant';
import type { TenantRecord } from '#ports/store/store';
import { createTenantAccessError } from '../access.ts';
import type { AdminDeps } from '../deps.ts';
import { countFilteredFeedback } from '../feedback/feedback-filter.ts';
import { type FormState, fillForm } from '../forms/forms.ts';
import { get, makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';

const path = '/tenants/:tenantId';

/** A page with the consequences of disabling, enabling or deleting, and then the act. */
export const tenantStatusRoutes = [
  get(`${path}/disable`, 'owner', (context) => showTenantQuestion(context, 'tenant-disable')),
  post(`${path}/disable`, 'owner', disableTenant),
  get(`${path}/enable`, 'owner', (context) => showTenantQuestion(context, 'tenant-enable')),
  post(`${path}/enable`, 'owner', enableTenant),
  get(`${path}/delete`, 'owner', async (context) =>
    showDeleteTenant(context, await getRemovableTenant(context), fillForm({})),
  ),
  post(`${path}/delete`, 'owner', deleteTenant),
];

async function showTenantQuestion({ param, tenants }: SignedInContext, view: string): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  return makePage(view, { tenant, isDefault: tenant.id === DEFAULT_TENANT });
}

async function showDeleteTenant(
  { apiKeys, feedback }: AdminDeps,
  tenant: TenantRecord,
  form: FormState,
  status = 200,
): Promise<Reply> {
  const scope = [tenant.id];
  const list = { search: '', sort: 'name', descending: false, page: 0, pageSize: 1 } as const;
  const [keys, feedbackCount] = await Promise.all([
    apiKeys.listApiKeys({ ...list, scope }),
    countFilteredFeedback(feedback, { scope }),
  ]);
  const counts = { keyCount: keys.total, feedbackCount };
  const isDefault = tenant.id === DEFAULT_TENANT;
  return makePage('tenant-delete', { tenant, form, isDefault, ...counts }, { status });
}

/** Also a tenant whose removal was interrupted, to finish it here. Errors: TENANT_UNKNOWN. */
async function getRemovableTenant({ param, tenants }: SignedInContext): Promise<TenantRecord> {
  const tenant = await tenants.findTenant(param('tenantId'));
  if (tenant === null) throw createTenantAccessError(param('tenantId'));
  return tenant;
}

async function deleteTenant(context: SignedInContext): Promise<Reply> {
  const { tenants, form, t, actor } = context;
  const tenant = await getRemovableTenant(context);
  const typed = form.get('confirmName') ?? '';
  if (tenant.id !== DEFAULT_TENANT && !isSameName(typed, tenant.name)) {
    const problem = t(typed.trim() === '' ? 'problems.required' : 'problems.notTheName');
    const state = { ...fillForm({ confirmName: typed }), problems: { confirmName: problem } };
    return showDeleteTenant(context, tenant, state, 422);
  }
  await tenants.deleteTenant(actor, tenant.id);
  return makeRedirect('/tenants', 'tenant-deleted');
}

async function disableTenant({ param, actor, tenants }: SignedInContext): Promise<Reply> {
  const id = param('tenantId');
  await tenants.disableTenant(actor, id);
  return makeRedirect(`/tenants/${id}`, 'tenant-disabled');
}

async function enableTenant({ param, actor, tenants }: SignedInContext): Promise<Reply> {
  const id = param('tenantId');
  await tenants.enableTenant(actor, id);
  return makeRedirect(`/tenants/${id}`, 'tenant-enabled');
}

/** Browsers show several blanks as one, so nobody could type the name exactly. */
function isSameName(typed: string, name: string): boolean {
  const [a, b] = [typed, name].map((text) => text.trim().replaceAll(/\s+/g, ' '));
  return a === b;
}
