import { z } from 'zod';
import { DEFAULT_TENANT } from '#domain/tenant';
import type { TenantRecord } from '#ports/store/store';
import { makeFeedbackEmail } from '#services/people/feedback/given-feedback';
import { createTenantAccessError } from '../access.ts';
import { writeLanguageChoice } from '../defaults/defaults-form.ts';
import type { AdminDeps } from '../deps.ts';
import { countFilteredFeedback } from '../feedback/feedback-filter.ts';
import { type FormState, fillForm, nameField, submitForm } from '../forms/forms.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { get, makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';
import { readKeyHints } from '../upstream/upstream-form.ts';
import { tenantBrandingRoutes } from './tenant-branding.ts';

const newTenantForm = z.object({ name: nameField });
const showNewTenant = (form: FormState) => makePage('tenant-new', { form });

/** The list of tenants, new ones, and the settings, branding and deletion of each. */
export const tenantsRoutes = [
  get('/tenants', 'viewer', listTenants),
  // No tenant id begins with an underscore, so this is never the page of a tenant.
  get('/tenants/_new', 'owner', () => showNewTenant(fillForm({}))),
  post('/tenants', 'owner', createTenant),
  get('/tenants/:tenantId', 'viewer', showTenant),
  ...tenantBrandingRoutes,
  // A page with the consequences of disabling, enabling or deleting, and then the act.
  get('/tenants/:tenantId/disable', 'owner', (context) => showTenantQuestion(context, 'tenant-disable')),
  post('/tenants/:tenantId/disable', 'owner', switchTenant('disable')),
  get('/tenants/:tenantId/enable', 'owner', (context) => showTenantQuestion(context, 'tenant-enable')),
  post('/tenants/:tenantId/enable', 'owner', switchTenant('enable')),
  get('/tenants/:tenantId/delete', 'owner', async (context) =>
    showDeleteTenant(context, await getRemovableTenant(context), fillForm({})),
  ),
  post('/tenants/:tenantId/delete', 'owner', deleteTenant),
];

async function listTenants({ query, signedIn, tenants }: SignedInContext): Promise<Reply> {
  const choice = readListChoice(query, ['name', 'createdAt']);
  const result = await tenants.listTenants({ ...choice, scope: signedIn.admin.tenants });
  const list = createListModel({ path: '/tenants', query, choice }, result);
  return makePage('tenants', { list, tenants: result.items });
}

function createTenant(context: SignedInContext): Promise<Reply> {
  return submitForm(context, {
    schema: newTenantForm,
    show: showNewTenant,
    async save({ name }) {
      const { id } = await context.tenants.createTenant(context.actor, name);
      return makeRedirect(`/tenants/${id}`, 'tenant-created');
    },
  });
}

async function showTenant(context: SignedInContext): Promise<Reply> {
  const { param, t, locale, apiKeys, publicUrl, tenants, upstreams } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const oneKey = { search: '', sort: 'name', descending: false, page: 0, pageSize: 1 } as const;
  const [hints, keys] = await Promise.all([
    readKeyHints(upstreams, tenant),
    apiKeys.listApiKeys({ scope: [tenant.id], ...oneKey }),
  ]);
  return makePage('tenant', {
    tenant,
    isDefault: tenant.id === DEFAULT_TENANT,
    hints,
    hostEmail: makeFeedbackEmail(publicUrl),
    keyCount: keys.total,
    language: writeLanguageChoice(tenant.defaults, { t, locale }),
  });
}

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

function switchTenant(act: 'disable' | 'enable') {
  return async ({ param, actor, tenants }: SignedInContext): Promise<Reply> => {
    const id = param('tenantId');
    await tenants[`${act}Tenant`](actor, id);
    return makeRedirect(`/tenants/${id}`, `tenant-${act}d`);
  };
}

/** Browsers show several blanks as one, so nobody could type the name exactly. */
function isSameName(typed: string, name: string): boolean {
  const [a, b] = [typed, name].map((text) => text.trim().replaceAll(/\s+/g, ' '));
  return a === b;
}
