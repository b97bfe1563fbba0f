import { type Actor, systemActor } from '../../domain/admin.ts';
import type { LtiRegistrationRecord } from '../../ports/store/store.ts';
import { checkedDeploymentId, isDeploymentId, refuseDeploymentId } from './checked-details.ts';
import type { LtiRegistrations, LtiRegistrationsDeps } from './lti-registrations.ts';
import { recordRegistration } from './registration-records.ts';

export interface DeploymentsDeps extends LtiRegistrationsDeps {
  readonly getRegistration: LtiRegistrations['getRegistration'];
}

type Deployments = Pick<
  LtiRegistrations,
  'listDeployments' | 'admitDeployment' | 'areDeploymentsFull' | 'addDeployment' | 'removeDeployment'
>;

/** A platform that invents deployments fills no store with them. */
const MAX_DEPLOYMENTS = 1_000;

/** Installations of the tool within a registration. */
export function createDeployments(deps: DeploymentsDeps): Deployments {
  const { registrations, getRegistration, audit, clock } = deps;

  async function areDeploymentsFull({ id }: LtiRegistrationRecord): Promise<boolean> {
    const { total } = await registrations.listDeployments(id, { page: 0, pageSize: 1 });
    return total >= MAX_DEPLOYMENTS;
  }

  async function add(actor: Actor, registration: LtiRegistrationRecord, deploymentId: string): Promise<void> {
    const { id: registrationId, tenantId } = registration;
    const deployment = { registrationId, tenantId, deploymentId, firstSeenAt: clock.now() };
    // Two launches at once see it for the first time; one of them adds it.
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
      const deploymentId = checkedDeploymentId(given);
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
