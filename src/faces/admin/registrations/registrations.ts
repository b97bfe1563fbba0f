import { ltiProducts } from '#domain/lti/registration';
import type { TenantRecord } from '#ports/store/store';
import type { AdminDeps } from '../deps.ts';
import { type FormState, readForm, refuseForm } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { tenantListRoutes } from '../tenants/tenant-lists.ts';
import { listRegistrationAddresses, registrationPath, registrationRoutes } from './registration.ts';
import { registrationEditRoutes } from './registration-edit.ts';
import {
  askForDeploymentInForm,
  fillProductForm,
  moveDeploymentFormProblem,
  newRegistrationForm,
  readRegistrationFormProduct,
} from './registration-form.ts';

const path = '/tenants/:tenantId/registrations';

/** Connecting a platform to a tenant: by a link, by the configuration for Canvas, or by hand. */
export const newRegistrationRoutes: AdminRoute[] = [
  { method: 'get', path: `${path}/new`, access: 'manager', handle: showConnectWays },
  // Reloading the answer by its address, or changing its language, shows the page that makes links.
  { method: 'get', path: `${path}/link`, access: 'manager', handle: showConnectWays },
  { method: 'post', path: `${path}/link`, access: 'manager', handle: makeRegistrationLink },
  { method: 'get', path: `${path}/manual`, access: 'manager', handle: showManualRegistration },
  { method: 'post', path: `${path}/manual`, access: 'manager', handle: createRegistration },
];

async function showConnectWays({ param }: SignedInContext, { publicUrl, tenants }: AdminDeps): Promise<Reply> {
  return makePage('registration-new', {
    tenant: await tenants.getTenant(param('tenantId')),
    canvasConfiguration: `${publicUrl}/lti/config/canvas.json`,
    launch: `${publicUrl}/lti/launch`,
    needsHttps: !publicUrl.startsWith('https:'),
    products: ltiProducts,
  });
}

async function makeRegistrationLink(
  { param, actor }: SignedInContext,
  { ltiRegistrationLinks, publicUrl, tenants }: AdminDeps,
): Promise<Reply> {
  const tenant = await tenants.getTenant(param('tenantId'));
  const { token, expiresAt } = await ltiRegistrationLinks.create(actor, tenant.id);
  const address = `${publicUrl}/lti/register?${new URLSearchParams({ token })}`;
  return makePage('registration-link', { tenant, address, expiresAt });
}

function showManualForm({ publicUrl }: AdminDeps, tenant: TenantRecord, form: FormState, status = 200): Reply {
  const model = { tenant, form, products: ltiProducts, addresses: listRegistrationAddresses(publicUrl) };
  return makePage('registration-manual', model, { status });
}

async function showManualRegistration({ param, query }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { tenants } = deps;
  const tenant = await tenants.getTenant(param('tenantId'));
  return showManualForm(
    deps,
    tenant,
    fillProductForm(readRegistrationFormProduct(query.get('product')), query.get('site') ?? ''),
  );
}

async function createRegistration({ param, form, t, actor }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, ltiRegistrations, tenants } = deps;
  const tenant = await tenants.getTenant(param('tenantId'));
  const read = readForm(form, { schema: newRegistrationForm, t });
  if ('state' in read) return showManualForm(deps, tenant, askForDeploymentInForm(read.state), 422);
  const { platform, deploymentIds } = read.data;
  try {
    const registration = await ltiRegistrations.create(actor, {
      ...platform,
      tenantId: tenant.id,
      origin: 'manual',
      deploymentIds,
    });
    return makeRedirect(registrationPath(registration), 'registration-created');
  } catch (error) {
    const fieldOf = { REGISTRATION_TAKEN: 'clientId' };
    const state = moveDeploymentFormProblem(refuseForm(error, { form, t, languages, fieldOf }));
    return showManualForm(deps, tenant, state, 422);
  }
}

/** The platforms of all visible tenants, new ones, and the pages of each. */
export const registrationsRoutes: AdminRoute[] = [
  ...tenantListRoutes({
    part: 'registrations',
    sorts: ['createdAt', 'name'],
    descending: true,
    find: (wanted, { ltiRegistrations }) => ltiRegistrations.listRegistrations(wanted),
    show: (registrations, list) => makePage('registrations', { ...list, registrations }),
  }),
  ...newRegistrationRoutes,
  ...registrationRoutes,
  ...registrationEditRoutes,
];
