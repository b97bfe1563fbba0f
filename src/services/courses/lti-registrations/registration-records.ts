import type { Actor } from '#domain/admin';
import type { PlatformDetails } from '#domain/lti/registration';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LtiRegistrationRecord, LtiRegistrationRepository, TenantRepository } from '#ports/store/store';
import type { SecretName, Secrets } from '#services/host/secrets';
import { type Audit, type AuditAction, describeChangeForAudit } from '#services/tenants/audit';

export interface KeyPair {
  readonly keyId: string;
  /** JSON Web Key with `kid`, `alg` and `use`. */
  readonly publicKey: Readonly<Record<string, string>>;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
}

export interface LtiRegistrationsDeps {
  /** Generates a new pair each time, as `makeSigningKeyPair` of `signing-keys.ts` does. */
  makeKeyPair(): Promise<KeyPair>;
  readonly registrations: LtiRegistrationRepository;
  readonly tenants: TenantRepository;
  readonly secrets: Secrets;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Errors: REGISTRATION_UNKNOWN. */
export async function getRegistrationRecord(
  registrations: LtiRegistrationRepository,
  id: string,
): Promise<LtiRegistrationRecord> {
  const record = await registrations.findRegistration(id);
  if (record === null) throw createRegistrationUnknownError();
  return record;
}

export function createRegistrationUnknownError(): AppError {
  return new AppError(
    'REGISTRATION_UNKNOWN',
    'There is no such platform. It may have been removed; the list of platforms shows those that are there.',
  );
}

const detailNames = [
  'issuer',
  'clientId',
  'name',
  'product',
  'authorizationEndpoint',
  'tokenEndpoint',
  'tokenAudience',
  'jwksUri',
  'acceptsNewDeployments',
] as const satisfies readonly (keyof PlatformDetails)[];

/** Returns the changed fields for the audit trail; empty if nothing changed. */
export function describeRegistrationChange(
  before: PlatformDetails,
  after: PlatformDetails,
): Readonly<Record<string, string>> {
  return describeChangeForAudit({ registration: pickDetails(before) }, { registration: pickDetails(after) });
}

const pickDetails = (details: PlatformDetails) => Object.fromEntries(detailNames.map((name) => [name, details[name]]));

export interface RegistrationEvent {
  readonly action: AuditAction & `registration.${string}`;
  readonly registration: LtiRegistrationRecord;
  readonly details?: Readonly<Record<string, string>>;
}

export function auditRegistration(audit: Audit, actor: Actor, event: RegistrationEvent): Promise<void> {
  const { action, registration, details = {} } = event;
  const { tenantId, name } = registration;
  return audit.record(actor, { action, tenantId, target: name, details });
}

export const KEY_PREFIX = 'lti-key:';

/** Returns the name of the private key among the secrets of the tenant. */
export const nameRegistrationKeySecret = (registrationId: string): SecretName => `${KEY_PREFIX}${registrationId}`;
