import { randomUUID } from 'node:crypto';
import { type Actor, systemActor } from '#domain/admin';
import type { LtiProduct, PlatformDetails, RegistrationOrigin } from '#domain/lti/registration';
import { isRegistrationIdentifier } from '#domain/lti/registration';
import { AppError } from '#errors';
import type {
  LtiRegistrationListRequest,
  LtiRegistrationRecord,
  LtiRegistrationRepository,
  PageRequest,
} from '#ports/store/store';
import { createChangedMeanwhileError, getActiveTenant } from '#services/tenants/tenant-records';
import type { LtiRegistrationsDeps } from './registration-records.ts';
import * as records from './registration-records.ts';
import { createPublicSigningKeys, readSigningKey, renewUnreadableSigningKeys } from './signing-keys.ts';
import { refuseDeploymentId, validateDeploymentId, validateDetails } from './validate-details.ts';

/** Platforms that may launch this host, of disabled tenants too. All changes are audited. Errors of
 *  functions with an ID of a registration: REGISTRATION_UNKNOWN. */
export type LtiRegistrations = ReturnType<typeof createLtiRegistrations>;

export interface NewRegistration extends PlatformDetails {
  readonly tenantId: string;
  readonly origin: RegistrationOrigin;
  /** Deployments that are accepted from the start. */
  readonly deploymentIds: readonly string[];
}

export function createLtiRegistrations(deps: LtiRegistrationsDeps) {
  const { registrations, secrets } = deps;
  const publicKeys = createPublicSigningKeys(deps);
  return {
    ...createLtiDeployments(deps),
    /** Creates the key pair as well. Errors: FORM_INVALID with every problem (fields as in
     *  `PlatformDetails`); REGISTRATION_TAKEN when issuer and client ID are registered;
     *  REGISTRATIONS_FULL when the host has 1,000; TENANT_UNKNOWN, TENANT_DISABLED. */
    async create(actor: Actor, registration: NewRegistration): Promise<LtiRegistrationRecord> {
      const record = await addRegistration(deps, actor, registration);
      publicKeys.clearCache();
      return record;
    },
    /** Sets the product of a generic platform to that of a launch; skipped after other changes. */
    noteProduct: (registration: LtiRegistrationRecord, product: LtiProduct) =>
      noteRegistrationProduct(deps, registration, product),
    /** Errors: those of `create`; REGISTRATION_UNKNOWN; CHANGED_MEANWHILE for an old `version`. */
    change: (actor: Actor, id: string, version: number, details: PlatformDetails) =>
      changeRegistration(deps, actor, { id, version, details }),
    activate: (actor: Actor, id: string) => setRegistrationStatus(deps, actor, id, 'active'),
    deactivate: (actor: Actor, id: string) => setRegistrationStatus(deps, actor, id, 'inactive'),
    /** Removes keys and deployments; placements stay. Errors: REGISTRATION_UNKNOWN. */
    async remove(actor: Actor, id: string): Promise<void> {
      await removeRegistration(deps, actor, id);
      publicKeys.clearCache();
    },
    getRegistration: (id: string) => records.getRegistrationRecord(registrations, id),
    findRegistrationOfClient: (issuer: string, clientId: string) =>
      registrations.findRegistrationOfClient(issuer, clientId),
    listRegistrationsOfIssuer: (issuer: string) => registrations.listRegistrationsOfIssuer(issuer),
    listRegistrations: (request: LtiRegistrationListRequest) => registrations.listRegistrations(request),
    /** Errors: SECRET_UNREADABLE. */
    signingKeyOf: (registration: LtiRegistrationRecord) => readSigningKey(secrets, registration),
    /** Replaces every signing key that cannot be read. @returns how many were replaced */
    async renewUnreadableKeys(actor: Actor): Promise<number> {
      const renewed = await renewUnreadableSigningKeys(deps, actor);
      publicKeys.clearCache();
      return renewed;
    },
    /** JSON Web Keys with `kid`, `alg` and `use`; changes on other hosts show within a minute. */
    listPublicKeys: publicKeys.list,
  };
}

/** Stores the private key before the registration, so that every stored registration can sign. */
async function addRegistration(deps: LtiRegistrationsDeps, actor: Actor, registration: NewRegistration) {
  const { registrations, secrets, audit, clock, makeKeyPair } = deps;
  const { tenantId, origin, deploymentIds } = registration;
  const details = await checkNewRegistration(deps, registration);
  const { privateKey, ...key } = await makeKeyPair();
  const now = clock.now();
  const id = randomUUID();
  const times = { createdAt: now, updatedAt: now, version: 1 };
  const record = { ...details, ...key, ...times, id, tenantId, origin, status: 'active' } as const;
  const secret = records.nameRegistrationKeySecret(id);
  await secrets.putSecret(tenantId, secret, { plain: privateKey, boundTo: key.keyId });
  if (!(await registrations.addRegistration(record))) {
    await secrets.removeSecret(tenantId, secret);
    throw createRegistrationTakenError(details);
  }
  for (const deploymentId of deploymentIds)
    await registrations.addDeployment({ registrationId: id, tenantId, firstSeenAt: now, deploymentId });
  const { issuer, clientId } = details;
  const event = { action: 'registration.created', registration: record } as const;
  await records.auditRegistration(audit, actor, { ...event, details: { issuer, clientId, origin } });
  return record;
}

/** The published key set cannot hold more. */
const MAX_REGISTRATIONS = 1_000;

/** Two simultaneous calls may both take the last place. Errors: those of `create`. */
async function checkNewRegistration({ registrations, tenants }: LtiRegistrationsDeps, registration: NewRegistration) {
  const details = validateDetails(registration, registration.deploymentIds);
  await getActiveTenant(tenants, registration.tenantId);
  const { issuer, clientId } = details;
  if ((await registrations.findRegistrationOfClient(issuer, clientId)) !== null)
    throw createRegistrationTakenError(details);
  const firstPage = { scope: null, search: '', sort: 'name', descending: false, page: 0, pageSize: 1 } as const;
  const { total } = await registrations.listRegistrations(firstPage);
  if (total < MAX_REGISTRATIONS) return details;
  throw new AppError(
    'REGISTRATIONS_FULL',
    'This host has 1,000 platforms already, which is as many as there can be. Remove those that nobody uses any more.',
  );
}

async function noteRegistrationProduct(
  { registrations, audit, clock }: LtiRegistrationsDeps,
  before: LtiRegistrationRecord,
  product: LtiProduct,
): Promise<void> {
  if (before.product !== 'generic' || product === 'generic') return;
  const registration = { ...before, product, updatedAt: clock.now(), version: before.version + 1 };
  if (!(await registrations.replaceRegistration(registration))) return;
  const details = records.describeRegistrationChange(before, registration);
  await records.auditRegistration(audit, systemActor, { action: 'registration.changed', registration, details });
}

async function changeRegistration(
  deps: LtiRegistrationsDeps,
  actor: Actor,
  change: { readonly id: string; readonly version: number; readonly details: PlatformDetails },
): Promise<LtiRegistrationRecord> {
  const { registrations, tenants, audit, clock } = deps;
  const { id, version } = change;
  const before = await records.getRegistrationRecord(registrations, id);
  if (before.version !== version) throw createChangedMeanwhileError(before.name);
  const validated = validateDetails(change.details);
  await getActiveTenant(tenants, before.tenantId);
  const details = records.describeRegistrationChange(before, validated);
  if (Object.keys(details).length === 0) return before;
  const registration = { ...before, ...validated, updatedAt: clock.now(), version: version + 1 };
  if (!(await registrations.replaceRegistration(registration))) {
    const { issuer, clientId } = registration;
    const holder = await registrations.findRegistrationOfClient(issuer, clientId);
    const isChanged = holder === null || holder.id === id;
    throw isChanged ? createChangedMeanwhileError(before.name) : createRegistrationTakenError(registration);
  }
  await records.auditRegistration(audit, actor, { action: 'registration.changed', registration, details });
  return registration;
}

/** Tries again while others change the registration. Errors: REGISTRATION_UNKNOWN. */
async function setRegistrationStatus(
  { registrations, audit, clock }: LtiRegistrationsDeps,
  actor: Actor,
  id: string,
  status: LtiRegistrationRecord['status'],
): Promise<void> {
  const action = status === 'active' ? 'registration.activated' : 'registration.deactivated';
  for (;;) {
    const before = await records.getRegistrationRecord(registrations, id);
    if (before.status === status) return;
    const registration = { ...before, status, updatedAt: clock.now(), version: before.version + 1 };
    if (await registrations.replaceRegistration(registration))
      return records.auditRegistration(audit, actor, { action, registration });
  }
}

/** Removes the key last: a key without a registration does no harm. */
async function removeRegistration({ registrations, secrets, audit }: LtiRegistrationsDeps, actor: Actor, id: string) {
  const registration = await records.getRegistrationRecord(registrations, id);
  const { tenantId, issuer, clientId } = registration;
  if (!(await registrations.removeRegistration(id))) throw records.createRegistrationUnknownError();
  await secrets.removeSecret(tenantId, records.nameRegistrationKeySecret(id));
  const details = { issuer, clientId };
  await records.auditRegistration(audit, actor, { action: 'registration.removed', registration, details });
}

function createRegistrationTakenError({ issuer, clientId }: PlatformDetails): AppError {
  return new AppError(
    'REGISTRATION_TAKEN',
    `The platform ${issuer} is registered with the client id ${clientId} already, perhaps by another institution. Change that registration, or check the client id.`,
  );
}

/** Keeps a platform that invents deployments from filling the store. */
const MAX_DEPLOYMENTS = 1_000;

function createLtiDeployments(deps: LtiRegistrationsDeps) {
  const { registrations, audit } = deps;
  return {
    listDeployments: (registrationId: string, page: PageRequest) => registrations.listDeployments(registrationId, page),
    /** Accepts a new deployment unless the registration accepts none or has 1,000. */
    async admitDeployment(registration: LtiRegistrationRecord, deploymentId: string): Promise<boolean> {
      if ((await registrations.findDeployment(registration.id, deploymentId)) !== null) return true;
      if (!registration.acceptsNewDeployments || !isRegistrationIdentifier(deploymentId)) return false;
      if (await areLtiDeploymentsFull(registrations, registration)) return false;
      await addLtiDeployment(deps, systemActor, registration, deploymentId);
      return true;
    },
    areDeploymentsFull: (registration: LtiRegistrationRecord) => areLtiDeploymentsFull(registrations, registration),
    /** Idempotent. Errors: REGISTRATION_UNKNOWN; FORM_INVALID, also beyond 1,000 deployments. */
    async addDeployment(actor: Actor, registrationId: string, typedId: string): Promise<void> {
      const registration = await records.getRegistrationRecord(registrations, registrationId);
      const deploymentId = validateDeploymentId(typedId);
      if ((await registrations.findDeployment(registrationId, deploymentId)) !== null) return;
      if (await areLtiDeploymentsFull(registrations, registration)) refuseDeploymentId('lti-deployments-full');
      await addLtiDeployment(deps, actor, registration, deploymentId);
    },
    async removeDeployment(actor: Actor, registrationId: string, deploymentId: string): Promise<void> {
      const registration = await records.getRegistrationRecord(registrations, registrationId);
      if (!(await registrations.removeDeployment(registrationId, deploymentId))) return;
      const event = { action: 'registration.deployment-removed', registration } as const;
      await records.auditRegistration(audit, actor, { ...event, details: { deploymentId } });
    },
  };
}

async function areLtiDeploymentsFull(registrations: LtiRegistrationRepository, { id }: LtiRegistrationRecord) {
  const { total } = await registrations.listDeployments(id, { page: 0, pageSize: 1 });
  return total >= MAX_DEPLOYMENTS;
}

async function addLtiDeployment(
  { registrations, audit, clock }: LtiRegistrationsDeps,
  actor: Actor,
  registration: LtiRegistrationRecord,
  deploymentId: string,
): Promise<void> {
  const { id: registrationId, tenantId } = registration;
  const deployment = { registrationId, tenantId, deploymentId, firstSeenAt: clock.now() };
  // False if another launch has added it at the same moment.
  if (!(await registrations.addDeployment(deployment))) return;
  const event = { action: 'registration.deployment-added', registration } as const;
  await records.auditRegistration(audit, actor, { ...event, details: { deploymentId } });
}
