import { ltiProducts, sharesClientId } from '#domain/lti/registration';
import { AppError } from '#errors';
import type { PlatformCheck } from '#ports/lti-platforms';
import type { LtiRegistrationRecord, TenantRecord } from '#ports/store/store';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, refuseForm, submitForm, submitFormChange } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { makeTenantListRoutes } from '../tenants/tenant-lists.ts';
import {
  changedRegistrationForm,
  fillRegistrationForm,
  fillRegistrationProduct,
  newRegistrationForm,
  showRegistrationProblem,
} from './registration-form.ts';

const PATH = '/tenants/:tenantId/registrations';
const REGISTRATION_PATH = `${PATH}/:registrationId`;

async function showRegistrationChoices({ param, publicUrl, tenants }: SignedInContext): Promise<Reply> {
  return makePage('registration-new', {
    tenant: await tenants.getTenant(param('tenantId')),
    canvasConfiguration: `${publicUrl}/lti/config/canvas.json`,
    launch: `${publicUrl}/lti/launch`,
    needsHttps: !publicUrl.startsWith('https:'),
    products: ltiProducts,
  });
}

async function makeRegistrationLink(context: SignedInContext): Promise<Reply> {
  const { param, actor, ltiRegistrationLinks, publicUrl, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const { token, expiresAt } = await ltiRegistrationLinks.create(actor, tenant.id);
  const address = `${publicUrl}/lti/register?${new URLSearchParams({ token })}`;
  return makePage('registration-link', { tenant, address, expiresAt });
}

function showManualRegistrationForm({ publicUrl }: SignedInContext, tenant: TenantRecord, form: FormState): PageReply {
  const addresses = listRegistrationAddresses(publicUrl);
  return makePage('registration-manual', { tenant, form, products: ltiProducts, addresses });
}

async function showManualRegistration(context: SignedInContext): Promise<Reply> {
  const { param, query, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const product = ltiProducts.find((name) => name === query.get('product')) ?? 'generic';
  return showManualRegistrationForm(context, tenant, fillRegistrationProduct(product, query.get('site') ?? ''));
}

async function createRegistration(context: SignedInContext): Promise<Reply> {
  const { param, actor, ltiRegistrations, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  return submitForm(context, {
    schema: newRegistrationForm,
    show: (form) => showManualRegistrationForm(context, tenant, showRegistrationProblem(form)),
    fieldOf: { REGISTRATION_TAKEN: 'clientId' },
    async save({ platform, deploymentIds }) {
      const registration = { ...platform, tenantId: tenant.id, origin: 'manual', deploymentIds } as const;
      const created = await ltiRegistrations.create(actor, registration);
      return makeRedirect(toRegistrationPath(created), 'registration-created');
    },
  });
}

/** The platforms of all visible tenants, new ones, and the pages of each. */
export const registrationsRoutes = [
  ...makeTenantListRoutes({
    part: 'registrations',
    sorts: ['createdAt', 'name'],
    descending: true,
    find: (wanted, { ltiRegistrations }) => ltiRegistrations.listRegistrations(wanted),
    show: (registrations, list) => makePage('registrations', { ...list, registrations }),
  }),
  // Connecting a platform to a tenant: by a link, by the configuration for Canvas, or by hand.
  get(`${PATH}/new`, 'manager', showRegistrationChoices),
  // Reloading the answer by its address, or changing its language, shows the page that makes links.
  get(`${PATH}/link`, 'manager', showRegistrationChoices),
  post(`${PATH}/link`, 'manager', makeRegistrationLink),
  get(`${PATH}/manual`, 'manager', showManualRegistration),
  post(`${PATH}/manual`, 'manager', createRegistration),
  // A registration, a check of its platform, undelivered scores, and deployments.
  get(REGISTRATION_PATH, 'viewer', showRegistration),
  // Reloading an answer or a refused form by its address shows the page that it belongs to.
  get(`${REGISTRATION_PATH}/check`, 'viewer', showRegistration),
  post(`${REGISTRATION_PATH}/check`, 'manager', async (context) => {
    const loaded = await loadRegistration(context);
    return showLoadedRegistration(context, loaded, { checks: await context.platforms.check(loaded.registration) });
  }),
  post(`${REGISTRATION_PATH}/scores`, 'manager', retryRegistrationScores),
  get(`${REGISTRATION_PATH}/deployments`, 'viewer', showRegistration),
  post(`${REGISTRATION_PATH}/deployments`, 'manager', addRegistrationDeployment),
  get(`${REGISTRATION_PATH}/deployments/remove`, 'manager', async (context) => {
    const deploymentId = context.query.get('deployment') ?? '';
    return makePage('registration-deployment', { ...(await loadRegistration(context)), deploymentId });
  }),
  post(`${REGISTRATION_PATH}/deployments/remove`, 'manager', removeRegistrationDeployment),
  get(`${REGISTRATION_PATH}/edit`, 'manager', async (context) => {
    const loaded = await loadRegistration(context);
    return showRegistrationForm(loaded, fillRegistrationForm(loaded.registration));
  }),
  post(`${REGISTRATION_PATH}/edit`, 'manager', saveRegistration),
  get(`${REGISTRATION_PATH}/deactivate`, 'manager', async (context) =>
    makePage('registration-deactivate', { ...(await loadRegistration(context)) }),
  ),
  post(`${REGISTRATION_PATH}/deactivate`, 'manager', switchRegistration('deactivate')),
  post(`${REGISTRATION_PATH}/activate`, 'manager', switchRegistration('activate')),
  get(`${REGISTRATION_PATH}/delete`, 'manager', async (context) => {
    const loaded = await loadRegistration(context);
    const unsent = await context.ltiScores.countUnsent(loaded.registration);
    return makePage('registration-delete', { ...loaded, unsent });
  }),
  post(`${REGISTRATION_PATH}/delete`, 'manager', async (context) => {
    const { tenant, registration } = await loadRegistration(context);
    await context.ltiRegistrations.remove(context.actor, registration.id);
    return makeRedirect(`/registrations?tenant=${tenant.id}`, 'registration-removed');
  }),
];

const DEPLOYMENTS_SHOWN = 100;

interface TenantRegistration {
  readonly tenant: TenantRecord;
  readonly registration: LtiRegistrationRecord;
}

interface ShownRegistration {
  readonly checks?: readonly PlatformCheck[];
  readonly form?: FormState;
  readonly status?: number;
}

async function showLoadedRegistration(
  { ltiRegistrations, ltiScores, publicUrl }: AdminDeps,
  { tenant, registration }: TenantRegistration,
  { checks, form = fillForm({}), status = 200 }: ShownRegistration = {},
): Promise<Reply> {
  const [deployments, unsent] = await Promise.all([
    ltiRegistrations.listDeployments(registration.id, { page: 0, pageSize: DEPLOYMENTS_SHOWN }),
    ltiScores.countUnsent(registration),
  ]);
  const addresses = listRegistrationAddresses(publicUrl);
  const letsAllIn = registration.acceptsNewDeployments && sharesClientId(registration.product);
  const model = { tenant, registration, deployments, letsAllIn, unsent, addresses, form, checks };
  return makePage('registration', model, { status });
}

async function showRegistration(context: SignedInContext) {
  return showLoadedRegistration(context, await loadRegistration(context));
}

async function retryRegistrationScores(context: SignedInContext): Promise<Reply> {
  const { registration } = await loadRegistration(context);
  const count = await context.ltiScores.retry(context.actor, registration);
  return makeRedirect(`${toRegistrationPath(registration)}#scores`, 'scores-retried', count);
}

async function addRegistrationDeployment(context: SignedInContext): Promise<Reply> {
  const loaded = await loadRegistration(context);
  const { registration } = loaded;
  try {
    const deploymentId = context.form.get('deploymentId') ?? '';
    await context.ltiRegistrations.addDeployment(context.actor, registration.id, deploymentId);
    return makeRedirect(`${toRegistrationPath(registration)}#deployments`, 'deployment-added');
  } catch (error) {
    return showLoadedRegistration(context, loaded, { form: refuseForm(error, context), status: 422 });
  }
}

async function removeRegistrationDeployment(context: SignedInContext): Promise<Reply> {
  const { registration } = await loadRegistration(context);
  const deploymentId = context.form.get('deployment') ?? '';
  await context.ltiRegistrations.removeDeployment(context.actor, registration.id, deploymentId);
  return makeRedirect(`${toRegistrationPath(registration)}#deployments`, 'deployment-removed');
}

/** Errors: TENANT_UNKNOWN; REGISTRATION_UNKNOWN, also for a registration of another tenant. */
async function loadRegistration({ param, tenants, ltiRegistrations }: SignedInContext): Promise<TenantRegistration> {
  const tenant = await tenants.getTenant(param('tenantId'));
  const registration = await ltiRegistrations.getRegistration(param('registrationId'));
  if (registration.tenantId === tenant.id) return { tenant, registration };
  throw new AppError(
    'REGISTRATION_UNKNOWN',
    `${tenant.name} has no registration with the id ${registration.id}. Look at the list for those that there are.`,
  );
}

const toRegistrationPath = ({ tenantId, id }: LtiRegistrationRecord): string =>
  `/tenants/${tenantId}/registrations/${id}`;

/** Lists addresses in the order of platforms' forms, by key below `registrations.addresses`. */
function listRegistrationAddresses(publicUrl: string) {
  const names = ['launch', 'login', 'keys'] as const;
  return names.map((name) => ({ name, address: `${publicUrl}/lti/${name}` }));
}

function showRegistrationForm({ tenant, registration }: TenantRegistration, form: FormState): PageReply {
  return makePage('registration-edit', { tenant, registration, form, products: ltiProducts });
}

function saveRegistration(context: SignedInContext): Promise<Reply> {
  return submitFormChange(context, {
    schema: changedRegistrationForm,
    load: () => loadRegistration(context),
    versionOf: ({ registration }) => registration.version,
    show: showRegistrationForm,
    fieldOf: { REGISTRATION_TAKEN: 'clientId' },
    async save({ version, platform }, { registration }) {
      const changed = await context.ltiRegistrations.change(context.actor, registration.id, version, platform);
      return makeRedirect(toRegistrationPath(changed), 'registration-saved');
    },
  });
}

function switchRegistration(act: 'activate' | 'deactivate') {
  return async (context: SignedInContext): Promise<Reply> => {
    const { registration } = await loadRegistration(context);
    await context.ltiRegistrations[act](context.actor, registration.id);
    return makeRedirect(toRegistrationPath(registration), `registration-${act}d`);
  };
}
