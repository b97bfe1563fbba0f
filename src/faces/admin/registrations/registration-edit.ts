import { ltiProducts } from '../../../domain/lti/registration.ts';
import { AppError } from '../../../errors.ts';
import type { Languages } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, readForm, refusedForm } from '../forms/forms.ts';
import { type AdminRoute, page, type Reply, redirect, type SignedInContext } from '../route.ts';
import { createLoadRegistration, type Loaded, registrationPath } from './registration.ts';
import { changedRegistrationForm, formOfRegistration } from './registration-form.ts';

/** Changing what is known of a platform. */
export function registrationEditRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const load = createLoadRegistration(deps);

  function show({ tenant, registration }: Loaded, form: FormState, status = 200): Reply {
    return page('registration-edit', { tenant, registration, form, products: ltiProducts }, { status });
  }

  async function save(context: SignedInContext): Promise<Reply> {
    const { form, t, actor } = context;
    const loaded = await load(context);
    const read = readForm(form, { schema: changedRegistrationForm, t });
    if ('state' in read) return show(loaded, read.state, 422);
    const { version, platform } = read.data;
    try {
      const { id } = loaded.registration;
      const changed = await deps.ltiRegistrations.change(actor, id, version, platform);
      return redirect(registrationPath(changed), 'registration-saved');
    } catch (error) {
      const state = refusedForm(error, { form, t, languages, fieldOf: { REGISTRATION_TAKEN: 'clientId' } });
      if (!(error instanceof AppError) || error.code !== 'CHANGED_MEANWHILE') return show(loaded, state, 422);
      // Whoever reads that and saves again knows what they replace.
      const now = await load(context);
      const values = { ...state.values, version: String(now.registration.version) };
      const problems = { form: t('registrations.changedMeanwhile') };
      return show(now, { ...state, values, problems }, 422);
    }
  }

  const path = '/tenants/:tenantId/registrations/:registrationId/edit';
  return [
    {
      method: 'get',
      path,
      access: 'manager',
      async handle(context) {
        const loaded = await load(context);
        return show(loaded, formOfRegistration(loaded.registration));
      },
    },
    { method: 'post', path, access: 'manager', handle: save },
  ];
}

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
