import { ltiProducts } from '#domain/lti/registration';
import type { AdminDeps } from '../deps.ts';
import { type FormState, readForm, refuseFormChange } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { loadRegistration, registrationPath, type TenantRegistration } from './registration.ts';
import { changedRegistrationForm, fillRegistrationForm } from './registration-form.ts';

const path = '/tenants/:tenantId/registrations/:registrationId';

/** Changing, deactivating, reactivating and deleting a registration. A page first describes the
 *  consequences of deactivating and deleting. */
export const registrationEditRoutes: AdminRoute[] = [
  { method: 'get', path: `${path}/edit`, access: 'manager', handle: showRegistrationEdit },
  { method: 'post', path: `${path}/edit`, access: 'manager', handle: saveRegistration },
  {
    method: 'get',
    path: `${path}/deactivate`,
    access: 'manager',
    handle: async (context, deps) =>
      makePage('registration-deactivate', { ...(await loadRegistration(context, deps)) }),
  },
  { method: 'post', path: `${path}/deactivate`, access: 'manager', handle: deactivateRegistration },
  { method: 'post', path: `${path}/activate`, access: 'manager', handle: activateRegistration },
  { method: 'get', path: `${path}/delete`, access: 'manager', handle: showDeleteRegistration },
  { method: 'post', path: `${path}/delete`, access: 'manager', handle: deleteRegistration },
];

function showRegistrationForm({ tenant, registration }: TenantRegistration, form: FormState, status = 200): Reply {
  return makePage('registration-edit', { tenant, registration, form, products: ltiProducts }, { status });
}

async function showRegistrationEdit(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const loaded = await loadRegistration(context, deps);
  return showRegistrationForm(loaded, fillRegistrationForm(loaded.registration));
}

async function saveRegistration(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, ltiRegistrations } = deps;
  const { form, t, actor } = context;
  const loaded = await loadRegistration(context, deps);
  const read = readForm(form, { schema: changedRegistrationForm, t });
  if ('state' in read) return showRegistrationForm(loaded, read.state, 422);
  const { version, platform } = read.data;
  try {
    const changed = await ltiRegistrations.change(actor, loaded.registration.id, version, platform);
    return makeRedirect(registrationPath(changed), 'registration-saved');
  } catch (error) {
    const now = await loadRegistration(context, deps);
    const fieldOf = { REGISTRATION_TAKEN: 'clientId' };
    return showRegistrationForm(
      now,
      refuseFormChange(error, { form, t, languages, fieldOf, now: now.registration }),
      422,
    );
  }
}

async function deactivateRegistration(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { ltiRegistrations } = deps;
  const { registration } = await loadRegistration(context, deps);
  await ltiRegistrations.deactivate(context.actor, registration.id);
  return makeRedirect(registrationPath(registration), 'registration-deactivated');
}

async function activateRegistration(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { ltiRegistrations } = deps;
  const { registration } = await loadRegistration(context, deps);
  await ltiRegistrations.activate(context.actor, registration.id);
  return makeRedirect(registrationPath(registration), 'registration-activated');
}

async function showDeleteRegistration(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { ltiScores } = deps;
  const { tenant, registration } = await loadRegistration(context, deps);
  const unsent = await ltiScores.countUnsent(registration);
  return makePage('registration-delete', { tenant, registration, unsent });
}

async function deleteRegistration(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { ltiRegistrations } = deps;
  const { tenant, registration } = await loadRegistration(context, deps);
  await ltiRegistrations.remove(context.actor, registration.id);
  return makeRedirect(`/registrations?tenant=${tenant.id}`, 'registration-removed');
}
