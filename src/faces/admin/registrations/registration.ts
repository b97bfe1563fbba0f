import { ltiProducts, sharesClientId } from '#domain/lti/registration';
import { AppError } from '#errors';
import type { PlatformCheck } from '#ports/lti-platforms';
import type { LtiRegistrationRecord, TenantRecord } from '#ports/store/store';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, refuseForm, submitChange } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { changedRegistrationForm, fillRegistrationForm } from './registration-form.ts';

const DEPLOYMENTS_SHOWN = 100;

interface TenantRegistration {
  readonly tenant: TenantRecord;
  readonly registration: LtiRegistrationRecord;
}

interface Shown {
  /** The result of a check of the platform. */
  readonly checks?: readonly PlatformCheck[];
  readonly form?: FormState;
  readonly status?: number;
}

const path = '/tenants/:tenantId/registrations/:registrationId';

/** The registration of a platform, a check, undelivered scores, and deployments. */
export const registrationRoutes = [
  get(path, 'viewer', showRegistration),
  // Reloading an answer or a refused form by its address shows the page that it belongs to.
  get(`${path}/check`, 'viewer', showRegistration),
  post(`${path}/check`, 'manager', checkRegistration),
  post(`${path}/scores`, 'manager', retryScores),
  get(`${path}/deployments`, 'viewer', showRegistration),
  post(`${path}/deployments`, 'manager', addDeployment),
  get(`${path}/deployments/remove`, 'manager', showRemoveDeployment),
  post(`${path}/deployments/remove`, 'manager', removeDeployment),
  get(`${path}/edit`, 'manager', showRegistrationEdit),
  post(`${path}/edit`, 'manager', saveRegistration),
  get(`${path}/deactivate`, 'manager', async (context) =>
    makePage('registration-deactivate', { ...(await loadRegistration(context)) }),
  ),
  post(`${path}/deactivate`, 'manager', deactivateRegistration),
  post(`${path}/activate`, 'manager', activateRegistration),
  get(`${path}/delete`, 'manager', showDeleteRegistration),
  post(`${path}/delete`, 'manager', deleteRegistration),
];

async function showLoadedRegistration(
  { ltiRegistrations, ltiScores, publicUrl }: AdminDeps,
  { tenant, registration }: TenantRegistration,
  { checks, form = fillForm({}), status = 200 }: Shown = {},
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

async function checkRegistration(context: SignedInContext): Promise<Reply> {
  const loaded = await loadRegistration(context);
  return showLoadedRegistration(context, loaded, { checks: await context.platforms.check(loaded.registration) });
}

async function retryScores(context: SignedInContext): Promise<Reply> {
  const { registration } = await loadRegistration(context);
  const count = await context.ltiScores.retry(context.actor, registration);
  return makeRedirect(`${registrationPath(registration)}#scores`, 'scores-retried', count);
}

async function addDeployment(context: SignedInContext): Promise<Reply> {
  const loaded = await loadRegistration(context);
  const { registration } = loaded;
  try {
    const deploymentId = context.form.get('deploymentId') ?? '';
    await context.ltiRegistrations.addDeployment(context.actor, registration.id, deploymentId);
    return makeRedirect(`${registrationPath(registration)}#deployments`, 'deployment-added');
  } catch (error) {
    return showLoadedRegistration(context, loaded, { form: refuseForm(error, context), status: 422 });
  }
}

async function showRemoveDeployment(context: SignedInContext): Promise<Reply> {
  const deploymentId = context.query.get('deployment') ?? '';
  return makePage('registration-deployment', { ...(await loadRegistration(context)), deploymentId });
}

async function removeDeployment(context: SignedInContext): Promise<Reply> {
  const { registration } = await loadRegistration(context);
  const deploymentId = context.form.get('deployment') ?? '';
  await context.ltiRegistrations.removeDeployment(context.actor, registration.id, deploymentId);
  return makeRedirect(`${registrationPath(registration)}#deployments`, 'deployment-removed');
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

export function registrationPath({ tenantId, id }: LtiRegistrationRecord): string {
  return `/tenants/${tenantId}/registrations/${id}`;
}

/** In the order of platforms' forms; names are keys below `registrations.addresses`. */
export function listRegistrationAddresses(publicUrl: string) {
  const names = ['launch', 'login', 'keys'] as const;
  return names.map((name) => ({ name, address: `${publicUrl}/lti/${name}` }));
}

function showRegistrationForm({ tenant, registration }: TenantRegistration, form: FormState): PageReply {
  return makePage('registration-edit', { tenant, registration, form, products: ltiProducts });
}

async function showRegistrationEdit(context: SignedInContext): Promise<Reply> {
  const loaded = await loadRegistration(context);
  return showRegistrationForm(loaded, fillRegistrationForm(loaded.registration));
}

function saveRegistration(context: SignedInContext): Promise<Reply> {
  return submitChange(context, {
    schema: changedRegistrationForm,
    load: () => loadRegistration(context),
    versionOf: ({ registration }) => registration.version,
    show: showRegistrationForm,
    fieldOf: { REGISTRATION_TAKEN: 'clientId' },
    async save({ version, platform }, { registration }) {
      const changed = await context.ltiRegistrations.change(context.actor, registration.id, version, platform);
      return makeRedirect(registrationPath(changed), 'registration-saved');
    },
  });
}

async function deactivateRegistration(context: SignedInContext): Promise<Reply> {
  const { registration } = await loadRegistration(context);
  await context.ltiRegistrations.deactivate(context.actor, registration.id);
  return makeRedirect(registrationPath(registration), 'registration-deactivated');
}

async function activateRegistration(context: SignedInContext): Promise<Reply> {
  const { registration } = await loadRegistration(context);
  await context.ltiRegistrations.activate(context.actor, registration.id);
  return makeRedirect(registrationPath(registration), 'registration-activated');
}

async function showDeleteRegistration(context: SignedInContext): Promise<Reply> {
  const loaded = await loadRegistration(context);
  const unsent = await context.ltiScores.countUnsent(loaded.registration);
  return makePage('registration-delete', { ...loaded, unsent });
}

async function deleteRegistration(context: SignedInContext): Promise<Reply> {
  const { tenant, registration } = await loadRegistration(context);
  await context.ltiRegistrations.remove(context.actor, registration.id);
  return makeRedirect(`/registrations?tenant=${tenant.id}`, 'registration-removed');
}
