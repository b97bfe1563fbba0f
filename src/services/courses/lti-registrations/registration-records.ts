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
  /** A new one each time: that of `signing-keys.ts`. */
  makeKeyPair(): Promise<KeyPair>;
  readonly registrations: LtiRegistrationRepository;
  readonly tenants: TenantRepository;
  readonly secrets: Secrets;
  readonly audit: Audit;
  readonly clock: Clock;
}

export const pickRegistrationDetails = ({
  issuer,
  clientId,
  name,
  product,
  authorizationEndpoint,
  tokenEndpoint,
  tokenAudience,
  jwksUri,
  acceptsNewDeployments,
}: PlatformDetails): PlatformDetails => ({
  issuer,
  clientId,
  name,
  product,
  authorizationEndpoint,
  tokenEndpoint,
  tokenAudience,
  jwksUri,
  acceptsNewDeployments,
});

/** For the audit trail; empty where nothing changed. */
export function describeRegistrationDetails(
  before: PlatformDetails,
  after: PlatformDetails,
): Readonly<Record<string, string>> {
  return describeChangeForAudit(
    { registration: pickRegistrationDetails(before) },
    { registration: pickRegistrationDetails(after) },
  );
}

export interface RegistrationEvent {
  readonly action: AuditAction & `registration.${string}`;
  readonly registration: LtiRegistrationRecord;
  readonly details?: Readonly<Record<string, string>>;
}

export function recordRegistration(
  audit: Audit,
  actor: Actor,
  { action, registration: { tenantId, name }, details = {} }: RegistrationEvent,
): Promise<void> {
  return audit.record(actor, { action, tenantId, target: name, details });
}

/** Under which the private key is among the tenant's secrets. */
export const nameRegistrationKeySecret = (registrationId: string): SecretName =>
  `${KEY_PREFIX}${registrationId}`;

export const KEY_PREFIX = 'lti-key:';

export function createRegistrationUnknownError(): AppError {
  return new AppError(
    'REGISTRATION_UNKNOWN',
    'There is no such platform. It may have been removed; the list of platforms shows those that are there.',
  );
}

export function createRegistrationTakenError({ issuer, clientId }: PlatformDetails): AppError {
  return new AppError(
    'REGISTRATION_TAKEN',
    `The platform ${issuer} is registered with the client id ${clientId} already, perhaps by another institution. Change that registration, or check the client id.`,
  );
}

export function createRegistrationsFullError(): AppError {
  return new AppError(
    'REGISTRATIONS_FULL',
    'This host has 1,000 platforms already, which is as many as there can be. Remove those that nobody uses any more.',
  );
}

export function createRegistrationKeyError({ name }: LtiRegistrationRecord): AppError {
  return new AppError(
    'SECRET_UNREADABLE',
    `The key that this host signs with towards ${name} is not there. Remove the platform and register it again.`,
  );
}
