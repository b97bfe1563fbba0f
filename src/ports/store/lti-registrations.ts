import type { TenantScope } from '../../domain/admin.ts';
import type { PlatformDetails, RegistrationOrigin } from '../../domain/lti/registration.ts';
import type { Page, PageRequest } from './page.ts';

/** A platform that may launch us. Issuer and client id together are unique on the host. */
export interface LtiRegistrationRecord extends PlatformDetails {
  readonly id: string;
  readonly tenantId: string;
  readonly status: 'active' | 'inactive';
  readonly origin: RegistrationOrigin;
  /** `kid` of the key that we sign with towards this platform; its private half is among the secrets. */
  readonly keyId: string;
  /** JSON Web Key of the public half. */
  readonly publicKey: Readonly<Record<string, string>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Counts the changes from 1. */
  readonly version: number;
}

/** One installation of the tool within a registration. */
export interface LtiDeploymentRecord {
  readonly registrationId: string;
  readonly deploymentId: string;
  readonly tenantId: string;
  readonly firstSeenAt: Date;
}

export interface LtiRegistrationListRequest extends PageRequest {
  readonly scope: TenantScope;
  /** Part of the name, issuer or client id, in any case; empty finds all. */
  readonly search: string;
  readonly sort: 'createdAt' | 'name';
  readonly descending: boolean;
}

export interface LtiRegistrationRepository {
  /** False when issuer and client id are taken. */
  addRegistration(record: LtiRegistrationRecord): Promise<boolean>;
  findRegistration(id: string): Promise<LtiRegistrationRecord | null>;
  findRegistrationOfClient(issuer: string, clientId: string): Promise<LtiRegistrationRecord | null>;
  /** All of an issuer, in the order of their ids, at most 100. */
  listRegistrationsOfIssuer(issuer: string): Promise<readonly LtiRegistrationRecord[]>;
  /** Replaces the record whose version is one less. False when it was changed or removed meanwhile, or issuer and client id
   *  are taken. */
  replaceRegistration(record: LtiRegistrationRecord): Promise<boolean>;
  /** Ties are in the order of the ids. */
  listRegistrations(request: LtiRegistrationListRequest): Promise<Page<LtiRegistrationRecord>>;
  /** Public keys of all registrations, in the order of their ids, at most 1,000. */
  listPublicKeys(): Promise<readonly Pick<LtiRegistrationRecord, 'keyId' | 'publicKey'>[]>;
  /** Its deployments go too. False when there is none. */
  removeRegistration(id: string): Promise<boolean>;
  /** False when it is there already, which stays as it is, or there is no such registration. */
  addDeployment(record: LtiDeploymentRecord): Promise<boolean>;
  findDeployment(registrationId: string, deploymentId: string): Promise<LtiDeploymentRecord | null>;
  /** Newest first, ties in the order of the deployment ids. */
  listDeployments(registrationId: string, page: PageRequest): Promise<Page<LtiDeploymentRecord>>;
  /** False when there is none. */
  removeDeployment(registrationId: string, deploymentId: string): Promise<boolean>;
}
