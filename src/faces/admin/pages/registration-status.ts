import type { AdminFaceDeps } from '../deps.ts';
import { createLoadRegistration, registrationPath } from '../registrations/load-registration.ts';
import { type AdminRoute, page, redirect, type SignedInContext } from '../route.ts';

/** Deactivating, reactivating and deleting a registration: where something ends, a page says what, and then the act. */
export function registrationStatusRoutes(deps: AdminFaceDeps): AdminRoute[] {
  const { ltiRegistrations, ltiScores } = deps;
  const load = createLoadRegistration(deps);

  async function showDelete(context: SignedInContext) {
    const { tenant, registration } = await load(context);
    const unsent = await ltiScores.countUnsent(registration);
    return page('registration-delete', { tenant, registration, unsent });
  }

  const path = '/tenants/:tenantId/registrations/:registrationId';
  return [
    {
      method: 'get',
      path: `${path}/deactivate`,
      access: 'manager',
      handle: async (context) => page('registration-deactivate', { ...(await load(context)) }),
    },
    {
      method: 'post',
      path: `${path}/deactivate`,
      access: 'manager',
      async handle(context) {
        const { registration } = await load(context);
        await ltiRegistrations.deactivate(context.actor, registration.id);
        return redirect(registrationPath(registration), 'registration-deactivated');
      },
    },
    {
      method: 'post',
      path: `${path}/activate`,
      access: 'manager',
      async handle(context) {
        const { registration } = await load(context);
        await ltiRegistrations.activate(context.actor, registration.id);
        return redirect(registrationPath(registration), 'registration-activated');
      },
    },
    { method: 'get', path: `${path}/delete`, access: 'manager', handle: showDelete },
    {
      method: 'post',
      path: `${path}/delete`,
      access: 'manager',
      async handle(context) {
        const { tenant, registration } = await load(context);
        await ltiRegistrations.remove(context.actor, registration.id);
        return redirect(`/registrations?tenant=${tenant.id}`, 'registration-removed');
      },
    },
  ];
}
