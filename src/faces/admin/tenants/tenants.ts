import { z } from 'zod';
import { DEFAULT_TENANT } from '#domain/tenant';
import { makeFeedbackEmail } from '#services/people/feedback/given-feedback';
import { writeLanguageChoice } from '../defaults/defaults-form.ts';
import type { AdminDeps } from '../deps.ts';
import { nameField } from '../forms/fields.ts';
import { type FormState, fillForm, readForm, refuseForm } from '../forms/forms.ts';
import { createListModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { readKeyHints } from '../upstream/upstream-keys.ts';
import { tenantBrandingRoutes } from './tenant-branding.ts';
import { tenantStatusRoutes } from './tenant-status.ts';

const newTenantForm = z.object({ name: nameField });

/** The list of tenants, new ones, and the page of each: its settings, its branding, and its
 *  deletion. */
export const tenantsRoutes: AdminRoute[] = [
  { method: 'get', path: '/tenants', access: 'viewer', handle: listTenants },
  // No tenant id begins with an underscore, so this is never the page of a tenant.
  { method: 'get', path: '/tenants/_new', access: 'owner', handle: () => showNewTenantForm(fillForm({})) },
  { method: 'post', path: '/tenants', access: 'owner', handle: createTenant },
  { method: 'get', path: '/tenants/:tenantId', access: 'viewer', handle: showTenant },
  ...tenantBrandingRoutes,
  ...tenantStatusRoutes,
];

async function listTenants({ query, signedIn }: SignedInContext, { tenants }: AdminDeps): Promise<Reply> {
  const choice = readListChoice(query, ['name', 'createdAt']);
  const result = await tenants.listTenants({ ...choice, scope: signedIn.admin.tenants });
  const list = createListModel({ path: '/tenants', query, choice }, result);
  return makePage('tenants', { list, tenants: result.items });
}

function showNewTenantForm(form: FormState, status = 200): Reply {
  return makePage('tenant-new', { form }, { status });
}

async function createTenant({ form, t, actor }: SignedInContext, { languages, tenants }: AdminDeps): Promise<Reply> {
  const read = readForm(form, { schema: newTenantForm, t });
  if ('state' in read) return showNewTenantForm(read.state, 422);
  try {
    const { id } = await tenants.createTenant(actor, read.data.name);
    return makeRedirect(`/tenants/${id}`, 'tenant-created');
  } catch (error) {
    return showNewTenantForm(refuseForm(error, { form, t, languages }), 422);
  }
}

async function showTenant(
  { param, t, locale }: SignedInContext,
  { apiKeys, publicUrl, tenants, upstreams }: AdminDeps,
): Promise<Reply> {
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
