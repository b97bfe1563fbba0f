import type { TenantScope } from '#domain/admin';
import { foldText } from '#domain/text';
import {
  atMost,
  below,
  containing,
  describeRecord,
  inScope,
  instant,
  noneOf,
  nullable,
  type OpenRecords,
  ofTenant,
  orNull,
  type Page,
  type PageRequest,
  type RecordOf,
  references,
  sortBy,
  text,
  texts,
} from './record.ts';

export const assistantClientRecords = describeRecord('assistantClients', {
  fields: {
    id: text(),
    /** As it calls itself; nobody has checked it. */
    name: text(),
    redirectUris: texts(),
    createdAt: instant,
    /** When somebody last let it in; null where nobody has. */
    lastUsedAt: nullable(instant),
  },
});

/** An assistant that registered itself (RFC 7591). It has no secret; PKCE protects its codes. */
export type AssistantClientRecord = RecordOf<typeof assistantClientRecords>;

export const assistantGrantRecords = describeRecord('assistantGrants', {
  fields: {
    id: text(),
    tenantId: ofTenant,
    adminId: references('admins', true),
    /** Of a client of this host, or the address of its metadata document. */
    clientId: text(),
    /** As it was called then. */
    clientName: text(),
    /** Address of the endpoint that its tokens are for. */
    resource: text(),
    accessHash: text(),
    accessExpiresAt: instant,
    refreshHash: text(),
    /** Hash of the part that all refresh tokens of the grant share: a token with it that is not the
     *  current one is a copy. */
    familyHash: text(),
    createdAt: instant,
    /** To the minute; null when it was never used. */
    lastUsedAt: nullable(instant),
    /** When it has to be granted anew. */
    expiresAt: instant,
  },
  derived: { clientName: { of: ({ clientName }) => foldText(clientName) } },
  unique: [['accessHash'], ['refreshHash'], ['familyHash']],
  indexes: [['adminId'], ['clientId'], ['expiresAt']],
  sorts: { createdAt: 'createdAt', clientName: 'derived.clientName', lastUsedAt: 'lastUsedAt' },
});

/** Rights of an assistant, with SHA-256 hashes (hexadecimal) of its current tokens. */
export type AssistantGrantRecord = RecordOf<typeof assistantGrantRecords>;

export interface AssistantGrantListRequest extends PageRequest {
  readonly scope: TenantScope;
  /** Of one administrator; null for all. */
  readonly adminId: string | null;
  /** Part of the assistant's name, in any case; empty finds all. */
  readonly search: string;
  /** Those never used come last, whichever way. */
  readonly sort: 'createdAt' | 'clientName' | 'lastUsedAt';
  readonly descending: boolean;
}

/** Assistants and their grants. Grants go with their tenant and their administrator. */
export interface AssistantRepository {
  addAssistantClient(record: AssistantClientRecord): Promise<void>;
  findAssistantClient(id: string): Promise<AssistantClientRecord | null>;
  noteAssistantClientUse(id: string, usedAt: Date): Promise<void>;
  countAssistantClients(): Promise<number>;
  /** Removes clients without a grant that registered before, and were last granted one before.
   *  @returns how many there were */
  removeIdleAssistantClients(before: Date): Promise<number>;
  addAssistantGrant(record: AssistantGrantRecord): Promise<void>;
  findAssistantGrant(id: string): Promise<AssistantGrantRecord | null>;
  findAssistantGrantByAccess(accessHash: string): Promise<AssistantGrantRecord | null>;
  /** By what its refresh tokens have in common. */
  findAssistantGrantByFamily(familyHash: string): Promise<AssistantGrantRecord | null>;
  /** Replaces a grant that still has this refresh token: of two renewals, one succeeds. */
  renewAssistantGrant(record: AssistantGrantRecord, refreshHash: string): Promise<boolean>;
  /** Ties are in the order of the ids. */
  listAssistantGrants(request: AssistantGrantListRequest): Promise<Page<AssistantGrantRecord>>;
  /** Never moves the instant back. */
  noteAssistantGrantUse(id: string, usedAt: Date): Promise<void>;
  /** False when there is none. */
  removeAssistantGrant(id: string): Promise<boolean>;
  /** Those whose end has come. @returns how many there were */
  removeEndedAssistantGrants(now: Date): Promise<number>;
}

export function createAssistantRepository(open: OpenRecords): AssistantRepository {
  const clients = open(assistantClientRecords);
  const grants = open(assistantGrantRecords);
  const unusedSince = (at: Date) => ({ lastUsedAt: orNull(below(at)) });
  return {
    addAssistantClient: (record) => clients.add([record]),
    findAssistantClient: (id) => clients.get({ id }),
    async noteAssistantClientUse(id, usedAt) {
      await clients.changeIf({ id, ...unusedSince(usedAt) }, { lastUsedAt: usedAt });
    },
    countAssistantClients: () => clients.count(),
    async removeIdleAssistantClients(before) {
      // One that is let in meanwhile was used just now.
      const inUse = await grants.distinct('clientId');
      return clients.remove({ id: noneOf(inUse), createdAt: below(before), ...unusedSince(before) });
    },
    addAssistantGrant: (record) => grants.add([record]),
    findAssistantGrant: (id) => grants.get({ id }),
    findAssistantGrantByAccess: (accessHash) => grants.get({ accessHash }),
    findAssistantGrantByFamily: (familyHash) => grants.get({ familyHash }),
    renewAssistantGrant: (record, refreshHash) => grants.putIf(record, { refreshHash }),
    listAssistantGrants: (request) =>
      grants.page(
        {
          where: {
            tenantId: inScope(request.scope),
            adminId: request.adminId ?? undefined,
            'derived.clientName': containing(request.search),
          },
          order: sortBy(assistantGrantRecords, request),
        },
        request,
      ),
    async noteAssistantGrantUse(id, usedAt) {
      await grants.changeIf({ id, ...unusedSince(usedAt) }, { lastUsedAt: usedAt });
    },
    removeAssistantGrant: async (id) => (await grants.remove({ id })) === 1,
    removeEndedAssistantGrants: (now) => grants.remove({ expiresAt: atMost(now) }),
  };
}
