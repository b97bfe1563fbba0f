import type { LtiProduct, RegistrationOrigin } from '#domain/lti/registration';
import { foldText, foldTexts } from '#domain/text';
import type { ListRequest, OpenRecords, PageRequest, RecordOf } from './record.ts';
import { describeRecord, field, is, KEY, pageSorted } from './record.ts';

export const ltiRegistrationRecords = describeRecord('ltiRegistrations', {
  fields: {
    id: field.text(),
    tenantId: field.ofTenant,
    issuer: field.text(),
    clientId: field.text(),
    name: field.text(),
    product: field.text<LtiProduct>(),
    authorizationEndpoint: field.text(),
    tokenEndpoint: field.text(),
    tokenAudience: field.nullable(field.text()),
    jwksUri: field.text(),
    acceptsNewDeployments: field.flag,
    status: field.text<'active' | 'inactive'>(),
    origin: field.text<RegistrationOrigin>(),
    /** `kid` of this tool's signing key for the platform; the private half is a secret. */
    keyId: field.text(),
    /** The public half, as a JSON Web Key. */
    publicKey: field.json<Readonly<Record<string, string>>>(),
    createdAt: field.instant,
    updatedAt: field.instant,
    version: field.integer,
  },
  impersonal: [
    'id tenantId issuer clientId name product authorizationEndpoint tokenEndpoint tokenAudience jwksUri',
    'acceptsNewDeployments status origin keyId publicKey createdAt updatedAt version',
  ],
  derived: {
    name: { of: ({ name }) => foldText(name) },
    search: { of: ({ name, issuer, clientId }) => foldTexts(name, issuer, clientId) },
  },
  unique: [['issuer', 'clientId']],
  indexes: [['issuer', 'id']],
  sorts: { createdAt: 'createdAt', name: 'derived.name' },
});

/** A platform that may launch this tool. Issuer and client id together are unique on the host. */
export type LtiRegistrationRecord = RecordOf<typeof ltiRegistrationRecords>;

export const ltiDeploymentRecords = describeRecord('ltiDeployments', {
  fields: {
    registrationId: field.references('ltiRegistrations', true),
    deploymentId: field.text(),
    tenantId: field.ofTenant,
    firstSeenAt: field.instant,
  },
  impersonal: 'registrationId deploymentId tenantId firstSeenAt',
  key: ['registrationId', 'deploymentId'],
  indexes: [['registrationId', '-firstSeenAt', KEY]],
});

export type LtiDeploymentRecord = RecordOf<typeof ltiDeploymentRecords>;
/** `search` is a part of the name, the issuer or the client id. */
export type LtiRegistrationListRequest = ListRequest<'createdAt' | 'name'>;
export type LtiRegistrationRepository = ReturnType<typeof createLtiRegistrationRepository>;
const MAX_REGISTRATIONS = 100;
const MAX_KEYS = 1_000;

export function createLtiRegistrationRepository(open: OpenRecords) {
  const registrations = open(ltiRegistrationRecords);
  const deployments = open(ltiDeploymentRecords);
  return {
    /** Returns false when issuer and client id are taken. */
    addRegistration: (record: LtiRegistrationRecord) => registrations.putIf(record, null),
    findRegistration: (id: string) => registrations.get({ id }),
    findRegistrationOfClient: (issuer: string, clientId: string) => registrations.get({ issuer, clientId }),
    /** Lists registrations in the order of their ids, at most 100. */
    listRegistrationsOfIssuer: (issuer: string) => registrations.find({ where: { issuer }, limit: MAX_REGISTRATIONS }),
    /** Replaces the previous version. Returns false when that changed, or the client is taken. */
    replaceRegistration: (record: LtiRegistrationRecord) =>
      registrations.putIf(record, { version: record.version - 1 }),
    listRegistrations(request: LtiRegistrationListRequest) {
      const where = { tenantId: is.inScope(request.scope), 'derived.search': is.containing(request.search) };
      return pageSorted(registrations, ltiRegistrationRecords, where, request);
    },
    /** Lists the keys of all registrations, in the order of their ids, at most 1,000. */
    listPublicKeys: async () =>
      (await registrations.find({ limit: MAX_KEYS })).map(({ keyId, publicKey }) => ({ keyId, publicKey })),
    /** Removes a registration with its deployments. Returns false when there is none. */
    removeRegistration: async (id: string) => (await registrations.remove({ id })) === 1,
    /** Returns false when it exists already, or the registration does not. */
    addDeployment: (record: LtiDeploymentRecord) => deployments.putIf(record, null),
    findDeployment: (registrationId: string, deploymentId: string) => deployments.get({ registrationId, deploymentId }),
    /** Lists deployments, newest first, ties in the order of their ids. */
    listDeployments: (registrationId: string, page: PageRequest) =>
      deployments.page({ where: { registrationId }, order: ['-firstSeenAt'] }, page),
    removeDeployment: async (registrationId: string, deploymentId: string) =>
      (await deployments.remove({ registrationId, deploymentId })) === 1,
  };
}
