import { sharesClientId } from '../../../domain/lti/products.ts';
import type { PlatformCheck } from '../../../ports/lti-platforms.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, formOf } from '../forms/forms.ts';
import { type AdminRoute, page, type Reply, redirect, type SignedInContext } from '../route.ts';
import { createLoadRegistration, type Loaded, registrationPath } from './load-registration.ts';
import { toolAddresses } from './tool-addresses.ts';

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
