import { sharesClientId } from '#domain/lti/registration';
import { AppError } from '#errors';
import type { PlatformCheck } from '#ports/lti-platforms';
import type { LtiRegistrationRecord, TenantRecord } from '#ports/store/store';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, refuseForm } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';

const DEPLOYMENTS_SHOWN = 100;

/** The tenant and registration that a path names. */
export interface TenantRegistration {
  readonly tenant: TenantRecord;
  readonly registration: LtiRegistrationRecord;
}

interface Shown {
  /** The result of a check of the platform. */
  readonly checks?: readonly PlatformCheck[];
  /** State of the field for another deployment. */
  readonly form?: FormState;
  readonly status?: number;
}

const path = '/tenants/:tenantId/registrations/:registrationId';

/** The page of a platform: its registration, a check whether it answers, its undelivered scores,
 *  and the deployments that may launch the tool. */
export const registrationRoutes: AdminRoute[] = [
  { method: 'get', path, access: 'viewer', handle: showRegistration },
  // Reloading an answer or a refused form by its address shows the page that it belongs to.
  { method: 'get', path: `${path}/check`, access: 'viewer', handle: showRegistration },
  { method: 'post', path: `${path}/check`, access: 'manager', handle: checkRegistration },
  { method: 'post', path: `${path}/scores`, access: 'manager', handle: retryScores },
  { method: 'get', path: `${path}/deployments`, access: 'viewer', handle: showRegistration },
  { method: 'post', path: `${path}/deployments`, access: 'manager', handle: addDeployment },
  { method: 'get', path: `${path}/deployments/remove`, access: 'manager', handle: showRemoveDeployment },
  { method: 'post', path: `${path}/deployments/remove`, access: 'manager', handle: removeDeployment },
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

async function showRegistration(context: SignedInContext, deps: AdminDeps) {
  return showLoadedRegistration(deps, await loadRegistration(context, deps));
}

async function checkRegistration(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { platforms } = deps;
  const loaded = await loadRegistration(context, deps);
  return showLoadedRegistration(deps, loaded, { checks: await platforms.check(loaded.registration) });
}

async function retryScores(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { ltiScores } = deps;
  const { registration } = await loadRegistration(context, deps);
  const count = await ltiScores.retry(context.actor, registration);
  return makeRedirect(`${registrationPath(registration)}#scores`, 'scores-retried', count);
}

async function addDeployment(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, ltiRegistrations } = deps;
  const { form, t, actor } = context;
  const loaded = await loadRegistration(context, deps);
  const { registration } = loaded;
  try {
    await ltiRegistrations.addDeployment(actor, registration.id, form.get('deploymentId') ?? '');
    return makeRedirect(`${registrationPath(registration)}#deployments`, 'deployment-added');
  } catch (error) {
    return showLoadedRegistration(deps, loaded, {
      form: refuseForm(error, { form, t, languages }),
      status: 422,
    });
  }
}

async function showRemoveDeployment(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const deploymentId = context.query.get('deployment') ?? '';
  return makePage('registration-deployment', { ...(await loadRegistration(context, deps)), deploymentId });
}

async function removeDeployment(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { ltiRegistrations } = deps;
  const { actor, form } = context;
  const { registration } = await loadRegistration(context, deps);
  await ltiRegistrations.removeDeployment(actor, registration.id, form.get('deployment') ?? '');
  return makeRedirect(`${registrationPath(registration)}#deployments`, 'deployment-removed');
}

/** Finds the tenant and registration of a path. Errors: TENANT_UNKNOWN; REGISTRATION_UNKNOWN, also
 *  for a registration of another tenant. */
export async function loadRegistration(
  { param }: SignedInContext,
  { tenants, ltiRegistrations }: AdminDeps,
): Promise<TenantRegistration> {
  const tenant = await tenants.getTenant(param('tenantId'));
  const registration = await ltiRegistrations.getRegistration(param('registrationId'));
  if (registration.tenantId === tenant.id) return { tenant, registration };
  throw new AppError(
    'REGISTRATION_UNKNOWN',
    `${tenant.name} has no registration with the id ${registration.id}. Look at the list for those that there are.`,
  );
}

/** Below `/admin`. */
export function registrationPath({ tenantId, id }: LtiRegistrationRecord): string {
  return `/tenants/${tenantId}/registrations/${id}`;
}

/** Lists the addresses of the tool that a platform needs, in the order in which platforms' forms
 *  ask for them. The names are keys below `registrations.addresses`. */
export function listRegistrationAddresses(publicUrl: string) {
  const names = ['launch', 'login', 'keys'] as const;
  return names.map((name) => ({ name, address: `${publicUrl}/lti/${name}` }));
}
