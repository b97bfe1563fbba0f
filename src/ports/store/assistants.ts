import { foldText } from '#domain/text';
import type { ListRequest, OpenRecords, RecordOf } from './record.ts';
import { describeRecord, field, is, pageSorted } from './record.ts';

export const assistantClientRecords = describeRecord('assistantClients', {
  fields: {
    id: field.text(),
    /** Name that the client claims; it is not verified. */
    name: field.text(),
    redirectUris: field.texts(),
    createdAt: field.instant,
    /** The last time that a person authorized it; null for never. */
    lastUsedAt: field.nullable(field.instant),
  },
  impersonal: 'id name redirectUris createdAt lastUsedAt',
});

/** A client that registered itself (RFC 7591). It has no secret; PKCE protects its codes. */
export type AssistantClientRecord = RecordOf<typeof assistantClientRecords>;

export const assistantGrantRecords = describeRecord('assistantGrants', {
  fields: {
    id: field.text(),
    tenantId: field.ofTenant,
    /** Null for a teacher, who has no account here. */
    adminId: field.nullable(field.references('admins', true)),
    /** The platform of a teacher, who is nobody without it; null for an administrator. */
    registrationId: field.initially(field.nullable(field.references('ltiRegistrations', true)), null),
    /** Account of a teacher, `lti:<registration id>:<user id>`; null for an administrator. */
    person: field.initially(field.nullable(field.text()), null),
    personName: field.initially(field.nullable(field.text()), null),
    /** Id of a client of this host, or the address of its metadata document. */
    clientId: field.text(),
    clientName: field.text(),
    /** The endpoint that its tokens are for. */
    resource: field.text(),
    accessHash: field.text(),
    accessExpiresAt: field.instant,
    refreshHash: field.text(),
    /** Hash of the shared part of all its refresh tokens: one that is not current is a copy. */
    familyHash: field.text(),
    createdAt: field.instant,
    /** Exact to the minute; null when it was never used. */
    lastUsedAt: field.nullable(field.instant),
    expiresAt: field.instant,
  },
  personal: {
    admin: 'adminId',
    account: 'person',
    name: 'personName',
    secret: 'accessHash refreshHash familyHash',
    about: 'accessExpiresAt clientId clientName createdAt lastUsedAt expiresAt',
  },
  impersonal: 'id tenantId registrationId resource',
  privacy: { seenBy: ['person', 'admins'], kept: 'grant', leaves: 'assistant', erasure: 'remove' },
  derived: { clientName: { of: ({ clientName }) => foldText(clientName) } },
  unique: [['accessHash'], ['refreshHash'], ['familyHash']],
  indexes: [['adminId'], ['clientId'], ['expiresAt']],
  sorts: { createdAt: 'createdAt', clientName: 'derived.clientName', lastUsedAt: 'lastUsedAt' },
});

/** Rights of an assistant, with SHA-256 hashes (hexadecimal) of its current tokens. */
export type AssistantGrantRecord = RecordOf<typeof assistantGrantRecords>;

export interface AssistantGrantListRequest extends ListRequest<'createdAt' | 'clientName' | 'lastUsedAt'> {
  readonly adminId: string | null;
}

/** Grants are removed with their tenant, their administrator and their platform. */
export function createAssistantRepository(open: OpenRecords) {
  const clients = open(assistantClientRecords);
  const grants = open(assistantGrantRecords);
  const unusedSince = (at: Date) => ({ lastUsedAt: is.orNull(is.below(at)) });
  return {
    addAssistantClient: (record: AssistantClientRecord) => clients.add([record]),
    findAssistantClient: (id: string) => clients.get({ id }),
    async noteAssistantClientUse(id: string, usedAt: Date): Promise<void> {
      await clients.changeIf({ id, ...unusedSince(usedAt) }, { lastUsedAt: usedAt });
    },
    countAssistantClients: () => clients.count(),
    /** Removes clients without a grant that registered, and were last used, before this instant. */
    async removeIdleAssistantClients(before: Date): Promise<number> {
      // A client that is authorized meanwhile has a recent `lastUsedAt`.
      const inUse = await grants.distinct('clientId');
      return clients.remove({ id: is.noneOf(inUse), createdAt: is.below(before), ...unusedSince(before) });
    },
    addAssistantGrant: (record: AssistantGrantRecord) => grants.add([record]),
    findAssistantGrant: (id: string) => grants.get({ id }),
    findAssistantGrantByAccess: (accessHash: string) => grants.get({ accessHash }),
    findAssistantGrantByFamily: (familyHash: string) => grants.get({ familyHash }),
    /** Replaces a grant that still has this refresh token: of two renewals, one succeeds. */
    renewAssistantGrant: (record: AssistantGrantRecord, refreshHash: string) => grants.putIf(record, { refreshHash }),
    listAssistantGrants({ scope, adminId, search, ...page }: AssistantGrantListRequest) {
      const tenantId = is.inScope(scope);
      const where = { tenantId, adminId: adminId ?? undefined, 'derived.clientName': is.containing(search) };
      return pageSorted(grants, assistantGrantRecords, where, page);
    },
    /** Lists the grants of a teacher, newest first. */
    listAssistantGrantsOf: (tenantId: string, person: string) =>
      grants.find({ where: { tenantId, person }, order: ['-createdAt'] }),
    /** Moves `lastUsedAt` forward, never back. */
    async noteAssistantGrantUse(id: string, usedAt: Date): Promise<void> {
      await grants.changeIf({ id, ...unusedSince(usedAt) }, { lastUsedAt: usedAt });
    },
    removeAssistantGrant: async (id: string) => (await grants.remove({ id })) === 1,
    removeEndedAssistantGrants: (now: Date) => grants.remove({ expiresAt: is.atMost(now) }),
  };
}
