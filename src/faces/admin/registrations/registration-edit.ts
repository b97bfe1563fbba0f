import { ltiProducts } from '#domain/lti/registration';
import type { Languages } from '#faces/words/i18n';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, readForm, refuseFormChange } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { createLoadRegistration, registrationPath, type TenantRegistration } from './registration.ts';
import { changedRegistrationForm, fillRegistrationForm } from './registration-form.ts';

/** Changing what is known of a platform; deactivating, reactivating and deleting its registration.
 *  Where something ends, a page says what first. */
export function registrationEditRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const { ltiRegistrations, ltiScores } = deps;
  const load = createLoadRegistration(deps);

  function show({ tenant, registration }: TenantRegistration, form: FormState, status = 200): Reply {
    return makePage('registration-edit', { tenant, registration, form, products: ltiProducts }, { status });
  }

  async function showSaved(context: SignedInContext): Promise<Reply> {
    const loaded = await load(context);
    return show(loaded, fillRegistrationForm(loaded.registration));
  }

  async function save(context: SignedInContext): Promise<Reply> {
    const { form, t, actor } = context;
    const loaded = await load(context);
    const read = readForm(form, { schema: changedRegistrationForm, t });
    if ('state' in read) return show(loaded, read.state, 422);
    const { version, platform } = read.data;
    try {
      const changed = await ltiRegistrations.change(actor, loaded.registration.id, version, platform);
      return makeRedirect(registrationPath(changed), 'registration-saved');
    } catch (error) {
      const now = await load(context);
      const fieldOf = { REGISTRATION_TAKEN: 'clientId' };
      return show(now, refuseFormChange(error, { form, t, languages, fieldOf, now: now.registration }), 422);
    }
  }

  async function deactivate(context: SignedInContext): Promise<Reply> {
    const { registration } = await load(context);
    await ltiRegistrations.deactivate(context.actor, registration.id);
    return makeRedirect(registrationPath(registration), 'registration-deactivated');
  }

  async function activate(context: SignedInContext): Promise<Reply> {
    const { registration } = await load(context);
    await ltiRegistrations.activate(context.actor, registration.id);
    return makeRedirect(registrationPath(registration), 'registration-activated');
  }

  async function askDelete(context: SignedInContext): Promise<Reply> {
    const { tenant, registration } = await load(context);
    const unsent = await ltiScores.countUnsent(registration);
    return makePage('registration-delete', { tenant, registration, unsent });
  }

  async function remove(context: SignedInContext): Promise<Reply> {
    const { tenant, registration } = await load(context);
    await ltiRegistrations.remove(context.actor, registration.id);
    return makeRedirect(`/registrations?tenant=${tenant.id}`, 'registration-removed');
  }

  const path = '/tenants/:tenantId/registrations/:registrationId';
  return [
    { method: 'get', path: `${path}/edit`, access: 'manager', handle: showSaved },
    { method: 'post', path: `${path}/edit`, access: 'manager', handle: save },
    {
      method: 'get',
      path: `${path}/deactivate`,
      access: 'manager',
      handle: async (context) => makePage('registration-deactivate', { ...(await load(context)) }),
    },
    { method: 'post', path: `${path}/deactivate`, access: 'manager', handle: deactivate },
    { method: 'post', path: `${path}/activate`, access: 'manager', handle: activate },
    { method: 'get', path: `${path}/delete`, access: 'manager', handle: askDelete },
    { method: 'post', path: `${path}/delete`, access: 'manager', handle: remove },
  ];
}
