import { DEFAULT_TENANT } from '#domain/tenant';
import type { TenantRecord } from '#ports/store/store';
import { createTenantAccessError } from '../access.ts';
import type { AdminDeps } from '../deps.ts';
import { countFilteredFeedback } from '../feedback/feedback-filter.ts';
import { type FormState, fillForm } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';

const path = '/tenants/:tenantId';

/** Disabling, enabling and deleting a tenant: a page that says what will happen, and then the
 *  act. */
export const tenantStatusRoutes: AdminRoute[] = [
  {
    method: 'get',
    path: `${path}/disable`,
    access: 'owner',
    handle: (asked, deps) => showTenantQuestion(deps, 'tenant-disable', asked),
  },
  { method: 'post', path: `${path}/disable`, access: 'owner', handle: disableTenant },
  {
    method: 'get',
    path: `${path}/enable`,
    access: 'owner',
    handle: (asked, deps) => showTenantQuestion(deps, 'tenant-enable', asked),
  },
  { method: 'post', path: `${path}/enable`, access: 'owner', handle: enableTenant },
  {
    method: 'get',
    path: `${path}/delete`,
    access: 'owner',
    handle: async (context, deps) => showDeleteTenant(deps, await getRemovableTenant(context, deps), fillForm({})),
  },
  { method: 'post', path: `${path}/delete`, access: 'owner', handle: deleteTenant },
];

async function showTenantQuestion({ tenants }: AdminDeps, view: string, { param }: SignedInContext): Promise<Reply> {
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

/** Also finds a tenant whose removal was broken off, so that it can be finished here. Errors:
 *  TENANT_UNKNOWN. */
async function getRemovableTenant({ param }: SignedInContext, { tenants }: AdminDeps): Promise<TenantRecord> {
  const tenant = await tenants.findTenant(param('tenantId'));
  if (tenant === null) throw createTenantAccessError(param('tenantId'));
  return tenant;
}

async function deleteTenant(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { tenants } = deps;
  const { form, t, actor } = context;
  const tenant = await getRemovableTenant(context, deps);
  const typed = form.get('confirmName') ?? '';
  if (tenant.id !== DEFAULT_TENANT && !isSameName(typed, tenant.name)) {
    const problem = t(typed.trim() === '' ? 'problems.required' : 'problems.notTheName');
    const state = { ...fillForm({ confirmName: typed }), problems: { confirmName: problem } };
    return showDeleteTenant(deps, tenant, state, 422);
  }
  await tenants.deleteTenant(actor, tenant.id);
  return makeRedirect('/tenants', 'tenant-deleted');
}

async function disableTenant({ param, actor }: SignedInContext, { tenants }: AdminDeps): Promise<Reply> {
  const id = param('tenantId');
  await tenants.disableTenant(actor, id);
  return makeRedirect(`/tenants/${id}`, 'tenant-disabled');
}

async function enableTenant({ param, actor }: SignedInContext, { tenants }: AdminDeps): Promise<Reply> {
  const id = param('tenantId');
  await tenants.enableTenant(actor, id);
  return makeRedirect(`/tenants/${id}`, 'tenant-enabled');
}

/** Browsers show several blanks as one, so nobody could type the name exactly. */
function isSameName(typed: string, name: string): boolean {
  const [a, b] = [typed, name].map((text) => text.trim().replaceAll(/\s+/g, ' '));
  return a === b;
}
