import { sharesClientId } from '#domain/lti/registration';
import { AppError } from '#errors';
import type { Languages } from '#faces/words/i18n';
import type { PlatformCheck } from '#ports/lti-platforms';
import type { LtiRegistrationRecord, TenantRecord } from '#ports/store/store';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, fillForm, refuseForm } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';

const DEPLOYMENTS_SHOWN = 100;

/** The tenant and registration that a path names. */
export interface TenantRegistration {
  readonly tenant: TenantRecord;
  readonly registration: LtiRegistrationRecord;
}

interface Shown {
  /** What was found when the platform was checked. */
  readonly checks?: readonly PlatformCheck[];
  /** State of the field for another deployment. */
  readonly form?: FormState;
  readonly status?: number;
}

/** One platform: what is known of it, whether it answers, what did not reach it, and the
 *  installations of the tool in it that may launch it. */
export function registrationRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const { ltiRegistrations, ltiScores, platforms, publicUrl } = deps;
  const load = createLoadRegistration(deps);

  async function show(
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

  const showSaved = async (context: SignedInContext) => show(await load(context));

  async function check(context: SignedInContext): Promise<Reply> {
    const loaded = await load(context);
    return show(loaded, { checks: await platforms.check(loaded.registration) });
  }

  async function retryScores(context: SignedInContext): Promise<Reply> {
    const { registration } = await load(context);
    const count = await ltiScores.retry(context.actor, registration);
    return makeRedirect(`${registrationPath(registration)}#scores`, 'scores-retried', count);
  }

  async function addDeployment(context: SignedInContext): Promise<Reply> {
    const { form, t, actor } = context;
    const loaded = await load(context);
    const { registration } = loaded;
    try {
      await ltiRegistrations.addDeployment(actor, registration.id, form.get('deploymentId') ?? '');
      return makeRedirect(`${registrationPath(registration)}#deployments`, 'deployment-added');
    } catch (error) {
      return show(loaded, { form: refuseForm(error, { form, t, languages }), status: 422 });
    }
  }

  async function askRemoveDeployment(context: SignedInContext): Promise<Reply> {
    const deploymentId = context.query.get('deployment') ?? '';
    return makePage('registration-deployment', { ...(await load(context)), deploymentId });
  }

  async function removeDeployment(context: SignedInContext): Promise<Reply> {
    const { actor, form } = context;
    const { registration } = await load(context);
    await ltiRegistrations.removeDeployment(actor, registration.id, form.get('deployment') ?? '');
    return makeRedirect(`${registrationPath(registration)}#deployments`, 'deployment-removed');
  }

  const path = '/tenants/:tenantId/registrations/:registrationId';
  return [
    { method: 'get', path, access: 'viewer', handle: showSaved },
    // Opening the address of an answer or a refused form again leads to the page that it belongs
    // to.
    { method: 'get', path: `${path}/check`, access: 'viewer', handle: showSaved },
    { method: 'post', path: `${path}/check`, access: 'manager', handle: check },
    { method: 'post', path: `${path}/scores`, access: 'manager', handle: retryScores },
    { method: 'get', path: `${path}/deployments`, access: 'viewer', handle: showSaved },
    { method: 'post', path: `${path}/deployments`, access: 'manager', handle: addDeployment },
    { method: 'get', path: `${path}/deployments/remove`, access: 'manager', handle: askRemoveDeployment },
    { method: 'post', path: `${path}/deployments/remove`, access: 'manager', handle: removeDeployment },
  ];
}

/** Find the tenant and registration of a path. Errors: TENANT_UNKNOWN; REGISTRATION_UNKNOWN for a
 *  registration of another tenant, too. */
export function createLoadRegistration({ tenants, ltiRegistrations }: AdminFaceDeps) {
  return async ({ param }: SignedInContext): Promise<TenantRegistration> => {
    const tenant = await tenants.getTenant(param('tenantId'));
    const registration = await ltiRegistrations.getRegistration(param('registrationId'));
    if (registration.tenantId === tenant.id) return { tenant, registration };
    throw new AppError(
      'REGISTRATION_UNKNOWN',
      `${tenant.name} has no registration with the id ${registration.id}. Look at the list for those that there are.`,
    );
  };
}

/** Below `/admin`. */
export function registrationPath({ tenantId, id }: LtiRegistrationRecord): string {
  return `/tenants/${tenantId}/registrations/${id}`;
}

/** What a platform has to know of the tool, in the order in which platforms' forms ask for it. The
 *  names are keys below `registrations.addresses`. */
export function listRegistrationAddresses(publicUrl: string) {
  const names = ['launch', 'login', 'keys'] as const;
  return names.map((name) => ({ name, address: `${publicUrl}/lti/${name}` }));
}
