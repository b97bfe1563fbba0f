import { ltiProducts } from '#domain/lti/registration';
import type { TenantRecord } from '#ports/store/store';
import { type FormState, submitForm } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { tenantListRoutes } from '../tenants/tenant-lists.ts';
import { listRegistrationAddresses, registrationPath, registrationRoutes } from './registration.ts';
import { fillProductForm, newRegistrationForm, showDeploymentProblem } from './registration-form.ts';

const path = '/tenants/:tenantId/registrations';

/** Connecting a platform to a tenant: by a link, by the configuration for Canvas, or by hand. */
const newRegistrationRoutes = [
  get(`${path}/new`, 'manager', showConnectWays),
  // Reloading the answer by its address, or changing its language, shows the page that makes links.
  get(`${path}/link`, 'manager', showConnectWays),
  post(`${path}/link`, 'manager', makeRegistrationLink),
  get(`${path}/manual`, 'manager', showManualRegistration),
  post(`${path}/manual`, 'manager', createRegistration),
];

async function showConnectWays({ param, publicUrl, tenants }: SignedInContext): Promise<Reply> {
  return makePage('registration-new', {
    tenant: await tenants.getTenant(param('tenantId')),
    canvasConfiguration: `${publicUrl}/lti/config/canvas.json`,
    launch: `${publicUrl}/lti/launch`,
    needsHttps: !publicUrl.startsWith('https:'),
    products: ltiProducts,
  });
}

async function makeRegistrationLink({
  param,
  actor,
  ltiRegistrationLinks,
  publicUrl,
  tenants,
}: SignedInContext): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  const { token, expiresAt } = await ltiRegistrationLinks.create(actor, tenant.id);
  const address = `${publicUrl}/lti/register?${new URLSearchParams({ token })}`;
  return makePage('registration-link', { tenant, address, expiresAt });
}

function showManualForm({ publicUrl }: SignedInContext, tenant: TenantRecord, form: FormState): PageReply {
  const addresses = listRegistrationAddresses(publicUrl);
  return makePage('registration-manual', { tenant, form, products: ltiProducts, addresses });
}

async function showManualRegistration(context: SignedInContext): Promise<Reply> {
  const { param, query, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const product = ltiProducts.find((each) => each === query.get('product')) ?? 'generic';
  return showManualForm(context, tenant, fillProductForm(product, query.get('site') ?? ''));
}

async function createRegistration(context: SignedInContext): Promise<Reply> {
  const { param, actor, ltiRegistrations, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  return submitForm(context, {
    schema: newRegistrationForm,
    show: (form) => showManualForm(context, tenant, showDeploymentProblem(form)),
    fieldOf: { REGISTRATION_TAKEN: 'clientId' },
    async save({ platform, deploymentIds }) {
      const registration = { ...platform, tenantId: tenant.id, origin: 'manual', deploymentIds } as const;
      return makeRedirect(registrationPath(await ltiRegistrations.create(actor, registration)), 'registration-created');
    },
  });
}

/** The platforms of all visible tenants, new ones, and the pages of each. */
export const registrationsRoutes = [
  ...tenantListRoutes({
    part: 'registrations',
    sorts: ['createdAt', 'name'],
    descending: true,
    find: (wanted, { ltiRegistrations }) => ltiRegistrations.listRegistrations(wanted),
    show: (registrations, list) => makePage('registrations', { ...list, registrations }),
  }),
  ...newRegistrationRoutes,
  ...registrationRoutes,
];
