import { ltiProducts } from '#domain/lti/registration';
import type { Languages } from '#faces/words/i18n';
import type { TenantRecord } from '#ports/store/store';
import type { AdminFaceDeps } from '../deps.ts';
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

/** The platforms of all tenants that one sees, new ones, and the pages of each. */
export function registrationsRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  return [
    ...tenantListRoutes(deps.tenants, {
      part: 'registrations',
      sorts: ['createdAt', 'name'],
      descending: true,
      find: (wanted) => deps.ltiRegistrations.listRegistrations(wanted),
      show: (registrations, list) => makePage('registrations', { ...list, registrations }),
    }),
    ...newRegistrationRoutes(deps, languages),
    ...registrationRoutes(deps, languages),
    ...registrationEditRoutes(deps, languages),
  ];
}

/** Connecting a platform to a tenant: by a link, by the configuration for Canvas, or by hand. */
function newRegistrationRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const { ltiRegistrations, ltiRegistrationLinks, tenants, publicUrl } = deps;

  async function showWays({ param }: SignedInContext): Promise<Reply> {
    return makePage('registration-new', {
      tenant: await tenants.getTenant(param('tenantId')),
      canvasConfiguration: `${publicUrl}/lti/config/canvas.json`,
      launch: `${publicUrl}/lti/launch`,
      needsHttps: !publicUrl.startsWith('https:'),
      products: ltiProducts,
    });
  }

  async function makeLink({ param, actor }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(param('tenantId'));
    const { token, expiresAt } = await ltiRegistrationLinks.create(actor, tenant.id);
    const address = `${publicUrl}/lti/register?${new URLSearchParams({ token })}`;
    return makePage('registration-link', { tenant, address, expiresAt });
  }

  function showForm(tenant: TenantRecord, form: FormState, status = 200): Reply {
    const model = { tenant, form, products: ltiProducts, addresses: listRegistrationAddresses(publicUrl) };
    return makePage('registration-manual', model, { status });
  }

  async function showManual({ param, query }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(param('tenantId'));
    return showForm(
      tenant,
      fillProductForm(readRegistrationFormProduct(query.get('product')), query.get('site') ?? ''),
    );
  }

  async function create({ param, form, t, actor }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(param('tenantId'));
    const read = readForm(form, { schema: newRegistrationForm, t });
    if ('state' in read) return showForm(tenant, askForDeploymentInForm(read.state), 422);
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
      return showForm(tenant, state, 422);
    }
  }

  const path = '/tenants/:tenantId/registrations';
  return [
    { method: 'get', path: `${path}/new`, access: 'manager', handle: showWays },
    // Opening the address of an answer again, or changing the language there, leads to where links
    // are made.
    { method: 'get', path: `${path}/link`, access: 'manager', handle: showWays },
    { method: 'post', path: `${path}/link`, access: 'manager', handle: makeLink },
    { method: 'get', path: `${path}/manual`, access: 'manager', handle: showManual },
    { method: 'post', path: `${path}/manual`, access: 'manager', handle: create },
  ];
}
