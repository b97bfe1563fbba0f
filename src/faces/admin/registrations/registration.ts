import { sharesClientId } from '../../../domain/lti/registration.ts';
import { AppError } from '../../../errors.ts';
import type { PlatformCheck } from '../../../ports/lti-platforms.ts';
import type { LtiRegistrationRecord, TenantRecord } from '../../../ports/store/store.ts';
import type { Languages } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, formOf, refusedForm } from '../forms/forms.ts';
import { type AdminRoute, page, type Reply, redirect, type SignedInContext } from '../route.ts';
import { toolAddresses } from './tool-addresses.ts';

export interface Loaded {
  readonly tenant: TenantRecord;
  readonly registration: LtiRegistrationRecord;
}

type LoadRegistration = (context: Pick<SignedInContext, 'params'>) => Promise<Loaded>;

const DEPLOYMENTS_SHOWN = 100;

export interface RegistrationPageMore {
  /** What was found when the platform was checked. */
  readonly checks?: readonly PlatformCheck[];
  /** Of the field for another deployment. */
  readonly form?: FormState;
  readonly status?: number;
}

export type ShowRegistration = (loaded: Loaded, more?: RegistrationPageMore) => Promise<Reply>;

export function createShowRegistration(deps: AdminFaceDeps): ShowRegistration {
  const { ltiRegistrations, ltiScores, publicUrl } = deps;
  return async ({ tenant, registration }, { checks, form = formOf({}), status = 200 } = {}) => {
    const { id } = registration;
    const [deployments, unsent] = await Promise.all([
      ltiRegistrations.listDeployments(id, { page: 0, pageSize: DEPLOYMENTS_SHOWN }),
      ltiScores.countUnsent(registration),
    ]);
    const addresses = toolAddresses(publicUrl);
    const letsAllIn = registration.acceptsNewDeployments && sharesClientId(registration.product);
    const model = { tenant, registration, deployments, letsAllIn, unsent, addresses, form, checks };
    return page('registration', model, { status });
  };
}

/** One platform: what is known of it, whether it answers, and what did not reach it. */
export function registrationRoutes(deps: AdminFaceDeps): AdminRoute[] {
  const load = createLoadRegistration(deps);
  const show = createShowRegistration(deps);
  const { platforms, ltiScores } = deps;

  async function check(context: SignedInContext): Promise<Reply> {
    const loaded = await load(context);
    return show(loaded, { checks: await platforms.check(loaded.registration) });
  }

  async function retryScores(context: SignedInContext): Promise<Reply> {
    const { registration } = await load(context);
    const count = await ltiScores.retry(context.actor, registration);
    return redirect(`${registrationPath(registration)}#scores`, 'scores-retried', count);
  }

  const path = '/tenants/:tenantId/registrations/:registrationId';
  const showSaved = async (context: SignedInContext) => show(await load(context));
  return [
    { method: 'get', path, access: 'viewer', handle: showSaved },
    { method: 'get', path: `${path}/check`, access: 'viewer', handle: showSaved },
    { method: 'post', path: `${path}/check`, access: 'manager', handle: check },
    { method: 'post', path: `${path}/scores`, access: 'manager', handle: retryScores },
  ];
}

/** Find what `:tenantId` and `:registrationId` of a path name. Errors: TENANT_UNKNOWN; REGISTRATION_UNKNOWN for a
 *  registration of another tenant, too. */
export function createLoadRegistration({
  tenants,
  ltiRegistrations,
}: Pick<AdminFaceDeps, 'tenants' | 'ltiRegistrations'>): LoadRegistration {
  return async ({ params }) => {
    const tenant = await tenants.getTenant(params.tenantId!);
    const registration = await ltiRegistrations.getRegistration(params.registrationId!);
    if (registration.tenantId === tenant.id) return { tenant, registration };
    throw new AppError(
      'REGISTRATION_UNKNOWN',
      `${tenant.name} has no registration with the id ${registration.id}. Look at the list for those that there are.`,
    );
  };
}

export const registrationPath = ({ tenantId, id }: LtiRegistrationRecord): string =>
  `/tenants/${tenantId}/registrations/${id}`;

/** The installations of the tool in a platform that may launch it. */
export function registrationDeploymentsRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const { ltiRegistrations } = deps;
  const load = createLoadRegistration(deps);
  const show = createShowRegistration(deps);

  async function add(context: SignedInContext): Promise<Reply> {
    const { form, t, actor } = context;
    const loaded = await load(context);
    const { registration } = loaded;
    try {
      await ltiRegistrations.addDeployment(actor, registration.id, form.get('deploymentId') ?? '');
      return redirect(`${registrationPath(registration)}#deployments`, 'deployment-added');
    } catch (error) {
      return show(loaded, { form: refusedForm(error, { form, t, languages }), status: 422 });
    }
  }

  const path = '/tenants/:tenantId/registrations/:registrationId/deployments';
  return [
    // Whoever opens the address of a refused form again comes to the page that it is on.
    { method: 'get', path, access: 'viewer', handle: async (context) => show(await load(context)) },
    { method: 'post', path, access: 'manager', handle: add },
    {
      method: 'get',
      path: `${path}/remove`,
      access: 'manager',
      async handle(context) {
        const deploymentId = context.query.get('deployment') ?? '';
        return page('registration-deployment', { ...(await load(context)), deploymentId });
      },
    },
    {
      method: 'post',
      path: `${path}/remove`,
      access: 'manager',
      async handle(context) {
        const { registration } = await load(context);
        const { actor, form } = context;
        await ltiRegistrations.removeDeployment(actor, registration.id, form.get('deployment') ?? '');
        return redirect(`${registrationPath(registration)}#deployments`, 'deployment-removed');
      },
    },
  ];
}
