import type { Languages } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { refusedForm } from '../forms/forms.ts';
import { createLoadRegistration, registrationPath } from '../registrations/load-registration.ts';
import { createShowRegistration } from '../registrations/registration.ts';
import { type AdminRoute, page, type Reply, redirect, type SignedInContext } from '../route.ts';

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
