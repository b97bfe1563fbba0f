import { type Actor, systemActor } from '#domain/admin';
import { isRegistrationIdentifier } from '#domain/lti/registration';
import type { LtiRegistrationRecord, LtiRegistrationRepository, PageRequest } from '#ports/store/store';
import { getRegistrationRecord, type LtiRegistrationsDeps, recordRegistration } from './registration-records.ts';
import { refuseDeploymentId, validateDeploymentId } from './validate-details.ts';

/** Deployments of the tool within a registration. */
export type Deployments = ReturnType<typeof createDeployments>;

/** Keeps a platform that invents deployments from filling the store. */
const MAX_DEPLOYMENTS = 1_000;

export function createDeployments(deps: LtiRegistrationsDeps) {
  const { registrations, audit } = deps;
  return {
    listDeployments: (registrationId: string, page: PageRequest) => registrations.listDeployments(registrationId, page),
    /** Whether a launch from this deployment is accepted. A new deployment is added, unless the
     *  registration accepts no new ones or has 1,000 already. */
    async admitDeployment(registration: LtiRegistrationRecord, deploymentId: string): Promise<boolean> {
      if ((await registrations.findDeployment(registration.id, deploymentId)) !== null) return true;
      if (!registration.acceptsNewDeployments || !isRegistrationIdentifier(deploymentId)) return false;
      if (await areDeploymentsFull(registrations, registration)) return false;
      await addDeployment(deps, systemActor, registration, deploymentId);
      return true;
    },
    /** Whether the registration has 1,000 deployments, which is the limit. */
    areDeploymentsFull: (registration: LtiRegistrationRecord) => areDeploymentsFull(registrations, registration),
    /** Does nothing where the deployment exists. Errors: REGISTRATION_UNKNOWN; FORM_INVALID, also
     *  where there are 1,000 already. */
    async addDeployment(actor: Actor, registrationId: string, typedId: string): Promise<void> {
      const registration = await getRegistrationRecord(registrations, registrationId);
      const deploymentId = validateDeploymentId(typedId);
      if ((await registrations.findDeployment(registrationId, deploymentId)) !== null) return;
      if (await areDeploymentsFull(registrations, registration)) refuseDeploymentId('lti-deployments-full');
      await addDeployment(deps, actor, registration, deploymentId);
    },
    /** Errors: REGISTRATION_UNKNOWN. */
    async removeDeployment(actor: Actor, registrationId: string, deploymentId: string): Promise<void> {
      const registration = await getRegistrationRecord(registrations, registrationId);
      if (!(await registrations.removeDeployment(registrationId, deploymentId))) return;
      const event = { action: 'registration.deployment-removed', registration } as const;
      await recordRegistration(audit, actor, { ...event, details: { deploymentId } });
    },
  };
}

async function areDeploymentsFull(registrations: LtiRegistrationRepository, { id }: LtiRegistrationRecord) {
  const { total } = await registrations.listDeployments(id, { page: 0, pageSize: 1 });
  return total >= MAX_DEPLOYMENTS;
}

async function addDeployment(
  { registrations, audit, clock }: LtiRegistrationsDeps,
  actor: Actor,
  registration: LtiRegistrationRecord,
  deploymentId: string,
): Promise<void> {
  const { id: registrationId, tenantId } = registration;
  const deployment = { registrationId, tenantId, deploymentId, firstSeenAt: clock.now() };
  // False where another launch has added it at the same moment.
  if (!(await registrations.addDeployment(deployment))) return;
  const event = { action: 'registration.deployment-added', registration } as const;
  await recordRegistration(audit, actor, { ...event, details: { deploymentId } });
}
