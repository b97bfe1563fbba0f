import { randomUUID } from 'node:crypto';
import type { Actor } from '#domain/admin';
import type { PlatformDetails, RegistrationOrigin } from '#domain/lti/registration';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { getActiveTenant } from '#services/tenants/tenants/tenant-records';
import {
  createRegistrationsFullError,
  createRegistrationTakenError,
  type LtiRegistrationsDeps,
  nameRegistrationKeySecret,
  recordRegistration,
} from './registration-records.ts';
import { validateDetails } from './validate-details.ts';

export interface NewRegistration extends PlatformDetails {
  readonly tenantId: string;
  readonly origin: RegistrationOrigin;
  /** Known from the start. */
  readonly deploymentIds: readonly string[];
}

/** Makes the key pair as well. Errors: FORM_INVALID with all that is wrong (names of fields as in `PlatformDetails`);
 *  REGISTRATION_TAKEN when issuer and client id are registered; REGISTRATIONS_FULL when the host has 1,000 already;
 *  TENANT_UNKNOWN, TENANT_DISABLED. */
export type AddRegistration = (actor: Actor, registration: NewRegistration) => Promise<LtiRegistrationRecord>;

/** As many as the set of public keys can hold. */
const MAX_REGISTRATIONS = 1_000;

/** Adds a registration, and its key first: so every registration that is found can sign. */
export function createRegistrationAdding(deps: LtiRegistrationsDeps): AddRegistration {
  const { registrations, tenants, secrets, audit, clock, makeKeyPair } = deps;

  /** Errors: REGISTRATIONS_FULL. That two at once take the very last place is accepted. */
  async function requireRoom(): Promise<void> {
    const order = { sort: 'name', descending: false } as const;
    const every = { scope: null, search: '', ...order, page: 0, pageSize: 1 };
    const { total } = await registrations.listRegistrations(every);
    if (total >= MAX_REGISTRATIONS) throw createRegistrationsFullError();
  }

  async function prepare(registration: NewRegistration) {
    const details = validateDetails(registration, registration.deploymentIds);
    await getActiveTenant(tenants, registration.tenantId);
    const { issuer, clientId } = details;
    if ((await registrations.findRegistrationOfClient(issuer, clientId)) !== null)
      throw createRegistrationTakenError(details);
    await requireRoom();
    return details;
  }

  async function addDeployments({ id, tenantId }: LtiRegistrationRecord, deploymentIds: readonly string[]) {
    const rest = { registrationId: id, tenantId, firstSeenAt: clock.now() };
    for (const deploymentId of deploymentIds) await registrations.addDeployment({ ...rest, deploymentId });
  }

  return async (actor, registration) => {
    const { tenantId, origin, deploymentIds } = registration;
    const details = await prepare(registration);
    const { privateKey, ...key } = await makeKeyPair();
    const now = clock.now();
    const id = randomUUID();
    const times = { createdAt: now, updatedAt: now, version: 1 };
    const record = { ...details, ...key, ...times, id, tenantId, origin, status: 'active' } as const;
    const secret = nameRegistrationKeySecret(id);
    await secrets.putSecret(tenantId, secret, { plain: privateKey, boundTo: key.keyId });
    if (!(await registrations.addRegistration(record))) {
      await secrets.removeSecret(tenantId, secret);
      throw createRegistrationTakenError(details);
    }
    await addDeployments(record, deploymentIds);
    const { issuer, clientId } = details;
    await recordRegistration(audit, actor, {
      action: 'registration.created',
      registration: record,
      details: { issuer, clientId, origin },
    });
    return record;
  };
}
