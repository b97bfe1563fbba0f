import { type Actor, systemActor } from '#domain/admin';
import type { LtiDeploymentRecord, LtiRegistrationRecord, Page, PageRequest } from '#ports/store/store';
import { type LtiRegistrationsDeps, recordRegistration } from './registration-records.ts';
import { isDeploymentId, refuseDeploymentId, validateDeploymentId } from './validate-details.ts';

export interface DeploymentsDeps extends LtiRegistrationsDeps {
  /** Errors: REGISTRATION_UNKNOWN. */
  getRegistration(id: string): Promise<LtiRegistrationRecord>;
}

/** Installations of the tool within a registration. */
export interface Deployments {
  listDeployments(registrationId: string, page: PageRequest): Promise<Page<LtiDeploymentRecord>>;
  /** False where it is not known and the registration takes no new ones, or has 1,000 already. */
  admitDeployment(registration: LtiRegistrationRecord, deploymentId: string): Promise<boolean>;
  /** Whether it has 1,000, so that there is no room for another. */
  areDeploymentsFull(registration: LtiRegistrationRecord): Promise<boolean>;
  /** What is there already stays. Errors: REGISTRATION_UNKNOWN; FORM_INVALID, also where there are 1,000 already. */
  addDeployment(actor: Actor, registrationId: string, deploymentId: string): Promise<void>;
  /** Errors: REGISTRATION_UNKNOWN. */
  removeDeployment(actor: Actor, registrationId: string, deploymentId: string): Promise<void>;
}

/** A limit, so that a platform that invents deployments cannot fill the store. */
const MAX_DEPLOYMENTS = 1_000;

export function createDeployments(deps: DeploymentsDeps): Deployments {
  const { registrations, getRegistration, audit, clock } = deps;

  async function areDeploymentsFull({ id }: LtiRegistrationRecord): Promise<boolean> {
    const { total } = await registrations.listDeployments(id, { page: 0, pageSize: 1 });
    return total >= MAX_DEPLOYMENTS;
  }

  async function add(actor: Actor, registration: LtiRegistrationRecord, deploymentId: string): Promise<void> {
    const { id: registrationId, tenantId } = registration;
    const deployment = { registrationId, tenantId, deploymentId, firstSeenAt: clock.now() };
    // Two launches saw it for the first time at once; the other one has added it.
    if (!(await registrations.addDeployment(deployment))) return;
    await recordRegistration(audit, actor, {
      action: 'registration.deployment-added',
      registration,
      details: { deploymentId },
    });
  }

  return {
    listDeployments: (registrationId, page) => registrations.listDeployments(registrationId, page),
    async admitDeployment(registration, deploymentId) {
      if ((await registrations.findDeployment(registration.id, deploymentId)) !== null) return true;
      if (!registration.acceptsNewDeployments || !isDeploymentId(deploymentId)) return false;
      if (await areDeploymentsFull(registration)) return false;
      await add(systemActor, registration, deploymentId);
      return true;
    },
    areDeploymentsFull,
    async addDeployment(actor, registrationId, given) {
      const registration = await getRegistration(registrationId);
      const deploymentId = validateDeploymentId(given);
      if ((await registrations.findDeployment(registrationId, deploymentId)) !== null) return;
      if (await areDeploymentsFull(registration)) refuseDeploymentId('lti-deployments-full');
      await add(actor, registration, deploymentId);
    },
    async removeDeployment(actor, registrationId, deploymentId) {
      const registration = await getRegistration(registrationId);
      if (!(await registrations.removeDeployment(registrationId, deploymentId))) return;
      await recordRegistration(audit, actor, {
        action: 'registration.deployment-removed',
        registration,
        details: { deploymentId },
      });
    },
  };
}
