import { type Actor, systemActor } from '#domain/admin';
import { isRegistrationIdentifier } from '#domain/lti/registration';
import type {
  LtiDeploymentRecord,
  LtiRegistrationRecord,
  LtiRegistrationRepository,
  Page,
  PageRequest,
} from '#ports/store/store';
import {
  getRegistrationRecord,
  type LtiRegistrationsDeps,
  recordRegistration,
} from './registration-records.ts';
import { refuseDeploymentId, validateDeploymentId } from './validate-details.ts';

/** Deployments of the tool within a registration. */
export interface Deployments {
  listDeployments(registrationId: string, page: PageRequest): Promise<Page<LtiDeploymentRecord>>;
  /** Whether a launch from this deployment is accepted. A new deployment is added, unless the
   *  registration accepts no new ones or has 1,000 already. */
  admitDeployment(registration: LtiRegistrationRecord, deploymentId: string): Promise<boolean>;
  /** Whether the registration has 1,000 deployments, which is the limit. */
  areDeploymentsFull(registration: LtiRegistrationRecord): Promise<boolean>;
  /** Does nothing where the deployment exists. Errors: REGISTRATION_UNKNOWN; FORM_INVALID, also
   *  where there are 1,000 already. */
  addDeployment(actor: Actor, registrationId: string, deploymentId: string): Promise<void>;
  /** Errors: REGISTRATION_UNKNOWN. */
  removeDeployment(actor: Actor, registrationId: string, deploymentId: string): Promise<void>;
}

/** Keeps a platform that invents deployments from filling the store. */
const MAX_DEPLOYMENTS = 1_000;

export function createDeployments(deps: LtiRegistrationsDeps): Deployments {
  const { registrations, audit } = deps;
  return {
    listDeployments: (registrationId, page) => registrations.listDeployments(registrationId, page),
    async admitDeployment(registration, deploymentId) {
      if ((await registrations.findDeployment(registration.id, deploymentId)) !== null) return true;
      if (!registration.acceptsNewDeployments || !isRegistrationIdentifier(deploymentId)) return false;
      if (await areDeploymentsFull(registrations, registration)) return false;
      await addDeployment(deps, systemActor, registration, deploymentId);
      return true;
    },
    areDeploymentsFull: (registration) => areDeploymentsFull(registrations, registration),
    async addDeployment(actor, registrationId, typedId) {
      const registration = await getRegistrationRecord(registrations, registrationId);
      const deploymentId = validateDeploymentId(typedId);
      if ((await registrations.findDeployment(registrationId, deploymentId)) !== null) return;
      if (await areDeploymentsFull(registrations, registration)) refuseDeploymentId('lti-deployments-full');
      await addDeployment(deps, actor, registration, deploymentId);
    },
    async removeDeployment(actor, registrationId, deploymentId) {
      const registration = await getRegistrationRecord(registrations, registrationId);
      if (!(await registrations.removeDeployment(registrationId, deploymentId))) return;
      const event = { action: 'registration.deployment-removed', registration } as const;
      await recordRegistration(audit, actor, { ...event, details: { deploymentId } });
    },
  };
}

async function areDeploymentsFull(
  registrations: LtiRegistrationRepository,
  { id }: LtiRegistrationRecord,
): Promise<boolean> {
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
