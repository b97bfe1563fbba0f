import { randomUUID } from 'node:crypto';
import { type Actor, systemActor } from '#domain/admin';
import type { LtiProduct, PlatformDetails, RegistrationOrigin } from '#domain/lti/registration';
import type { LtiRegistrationListRequest, LtiRegistrationRecord, Page } from '#ports/store/store';
import { createTenantChangedError, getActiveTenant } from '#services/tenants/tenant-records';
import { createDeployments, type Deployments } from './deployments.ts';
import {
  createRegistrationKeyError,
  createRegistrationsFullError,
  createRegistrationTakenError,
  createRegistrationUnknownError,
  describeRegistrationDetails,
  type LtiRegistrationsDeps,
  nameRegistrationKeySecret,
  recordRegistration,
} from './registration-records.ts';
import {
  createKeyRenewal,
  createPublicSigningKeys,
  type RenewUnreadableKeys,
  type SigningKey,
} from './signing-keys.ts';
import { validateDetails } from './validate-details.ts';

/** Platforms that may launch this host, whether their tenants are active or not. Every change is in the audit trail. */
export interface LtiRegistrations extends Deployments {
  readonly create: AddRegistration;
  /** Sets the product of a generic platform to the one that a launch named. Where somebody changed the registration meanwhile, it
   *  stays as it is: the next launch will name it again. */
  noteProduct(registration: LtiRegistrationRecord, product: LtiProduct): Promise<void>;
  /** Errors: as with `create`, REGISTRATION_UNKNOWN, CHANGED_MEANWHILE when `version` is not the present one. */
  change(actor: Actor, id: string, version: number, details: PlatformDetails): Promise<LtiRegistrationRecord>;
  /** Errors: REGISTRATION_UNKNOWN. */
  activate(actor: Actor, id: string): Promise<void>;
  deactivate(actor: Actor, id: string): Promise<void>;
  /** With its key and its deployments. Its placements stay with the tenant. */
  remove(actor: Actor, id: string): Promise<void>;
  /** Errors: REGISTRATION_UNKNOWN. */
  getRegistration(id: string): Promise<LtiRegistrationRecord>;
  findRegistrationOfClient(issuer: string, clientId: string): Promise<LtiRegistrationRecord | null>;
  listRegistrationsOfIssuer(issuer: string): Promise<readonly LtiRegistrationRecord[]>;
  listRegistrations(request: LtiRegistrationListRequest): Promise<Page<LtiRegistrationRecord>>;
  /** Errors: SECRET_UNREADABLE. */
  signingKeyOf(registration: LtiRegistrationRecord): Promise<SigningKey>;
  readonly renewUnreadableKeys: RenewUnreadableKeys;
  /** JSON Web Keys with `kid`, `alg` and `use`, of those keys that this host can sign with. Changes of another host are seen within a
   *  minute. */
  listPublicKeys(): Promise<readonly Readonly<Record<string, string>>[]>;
}

export function createLtiRegistrations(deps: LtiRegistrationsDeps): LtiRegistrations {
  const { registrations, tenants, secrets, audit, clock } = deps;
  const add = createRegistrationAdding(deps);
  const publicKeys = createPublicSigningKeys(deps);

  async function getRegistration(id: string): Promise<LtiRegistrationRecord> {
    const record = await registrations.findRegistration(id);
    if (record === null) throw createRegistrationUnknownError();
    return record;
  }

  /** Errors: CHANGED_MEANWHILE, REGISTRATION_TAKEN. */
  async function replace(record: LtiRegistrationRecord, change: Partial<LtiRegistrationRecord>) {
    const changed = { ...record, ...change, updatedAt: clock.now(), version: record.version + 1 };
    if (await registrations.replaceRegistration(changed)) return changed;
    const holder = await registrations.findRegistrationOfClient(changed.issuer, changed.clientId);
    throw holder === null || holder.id === record.id
      ? createTenantChangedError(record.name)
      : createRegistrationTakenError(changed);
  }

  /** Whatever others change at the same time, the status is still what is wanted. */
  async function switchTo(status: LtiRegistrationRecord['status'], actor: Actor, id: string): Promise<void> {
    for (;;) {
      const record = await getRegistration(id);
      if (record.status === status) return;
      const changed = { ...record, status, updatedAt: clock.now(), version: record.version + 1 };
      if (!(await registrations.replaceRegistration(changed))) continue;
      return recordRegistration(audit, actor, {
        action: status === 'active' ? 'registration.activated' : 'registration.deactivated',
        registration: changed,
      });
    }
  }

  async function signingKeyOf(registration: LtiRegistrationRecord): Promise<SigningKey> {
    const { id, tenantId, keyId } = registration;
    const privateKey = await secrets.findSecret(tenantId, nameRegistrationKeySecret(id), keyId);
    if (privateKey === null) throw createRegistrationKeyError(registration);
    return { keyId, privateKey };
  }

  const renewKeys = createKeyRenewal(deps, signingKeyOf);

  return {
    ...createDeployments({ ...deps, getRegistration }),
    async create(actor, registration) {
      const record = await add(actor, registration);
      publicKeys.forget();
      return record;
    },
    async noteProduct(registration, product) {
      if (registration.product !== 'generic' || product === 'generic') return;
      const version = registration.version + 1;
      const changed = { ...registration, product, updatedAt: clock.now(), version };
      if (!(await registrations.replaceRegistration(changed))) return;
      const details = describeRegistrationDetails(registration, changed);
      const event = { action: 'registration.changed', registration: changed, details } as const;
      await recordRegistration(audit, systemActor, event);
    },
    async change(actor, id, version, details) {
      const record = await getRegistration(id);
      if (record.version !== version) throw createTenantChangedError(record.name);
      const wanted = validateDetails(details);
      await getActiveTenant(tenants, record.tenantId);
      const changes = describeRegistrationDetails(record, wanted);
      if (Object.keys(changes).length === 0) return record;
      const changed = await replace(record, wanted);
      const event = { action: 'registration.changed', registration: changed, details: changes } as const;
      await recordRegistration(audit, actor, event);
      return changed;
    },
    activate: (actor, id) => switchTo('active', actor, id),
    deactivate: (actor, id) => switchTo('inactive', actor, id),
    async remove(actor, id) {
      const record = await getRegistration(id);
      // In this order: a key without a registration does no harm.
      if (!(await registrations.removeRegistration(id))) throw createRegistrationUnknownError();
      publicKeys.forget();
      await secrets.removeSecret(record.tenantId, nameRegistrationKeySecret(id));
      const details = { issuer: record.issuer, clientId: record.clientId };
      await recordRegistration(audit, actor, {
        action: 'registration.removed',
        registration: record,
        details,
      });
    },
    getRegistration,
    findRegistrationOfClient: (issuer, clientId) => registrations.findRegistrationOfClient(issuer, clientId),
    listRegistrationsOfIssuer: (issuer) => registrations.listRegistrationsOfIssuer(issuer),
    listRegistrations: (request) => registrations.listRegistrations(request),
    signingKeyOf,
    async renewUnreadableKeys(actor) {
      const renewed = await renewKeys(actor);
      publicKeys.forget();
      return renewed;
    },
    listPublicKeys: publicKeys.list,
  };
}

export interface NewRegistration extends PlatformDetails {
  readonly tenantId: string;
  readonly origin: RegistrationOrigin;
  /** Known from the start. */
  readonly deploymentIds: readonly string[];
}

/** Makes the key pair as well. Errors: FORM_INVALID with all that is wrong (names of fields as in `PlatformDetails`);
 *  REGISTRATION_TAKEN when issuer and client id are registered; REGISTRATIONS_FULL when the host has 1,000 already;
 *  TENANT_UNKNOWN, TENANT_DISABLED. */
type AddRegistration = (actor: Actor, registration: NewRegistration) => Promise<LtiRegistrationRecord>;

/** As many as the set of public keys can hold. */
const MAX_REGISTRATIONS = 1_000;

/** Adds a registration, and its key first: so every registration that is found can sign. */
function createRegistrationAdding(deps: LtiRegistrationsDeps): AddRegistration {
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
