import { z } from 'zod';
import { DEFAULT_TENANT } from '#domain/tenant';
import { makeFeedbackEmail } from '#services/people/feedback/given-feedback';
import { writeLanguageChoice } from '../defaults/defaults-form.ts';
import { type FormState, fillForm, nameField, submitForm } from '../forms/forms.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { get, makePage, makeRedirect, post, type Reply, type SignedInContext } from '../route.ts';
import { readKeyHints } from '../upstream/upstream-form.ts';
import { tenantBrandingRoutes } from './tenant-branding.ts';
import { tenantStatusRoutes } from './tenant-status.ts';

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
  ...tenantStatusRoutes,
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

async function showTenant({
  param,
  t,
  locale,
  apiKeys,
  publicUrl,
  tenants,
  upstreams,
}: SignedInContext): Promise<Reply> {
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
