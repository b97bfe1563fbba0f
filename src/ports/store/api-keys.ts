import type { TenantScope } from '#domain/admin';
import type { ApiKeyScope } from '#domain/tenant';
import { foldText } from '#domain/text';
import type { ListRequest, OpenRecords, Period, RecordOf } from './record.ts';
import { describeRecord, field, is, pageSorted } from './record.ts';

export const apiKeyRecords = describeRecord('apiKeys', {
  fields: {
    id: field.text(),
    tenantId: field.ofTenant,
    name: field.text(),
    /** SHA-256, hexadecimal; the key itself is not stored. */
    keyHash: field.text(),
    scopes: field.texts<ApiKeyScope>(),
    perSecond: field.integer,
    perDay: field.integer,
    createdAt: field.instant,
    expiresAt: field.nullable(field.instant),
    revokedAt: field.nullable(field.instant),
    /** When a successor was made; null without one. */
    replacedAt: field.initially(field.nullable(field.instant), null),
    /** Exact to the minute; null when the key was never used. */
    lastUsedAt: field.nullable(field.instant),
  },
  impersonal: 'id tenantId name keyHash scopes perSecond perDay createdAt expiresAt revokedAt replacedAt lastUsedAt',
  derived: { name: { of: ({ name }) => foldText(name) } },
  unique: [['keyHash']],
  sorts: { createdAt: 'createdAt', name: 'derived.name', lastUsedAt: 'lastUsedAt' },
});

export type ApiKeyRecord = RecordOf<typeof apiKeyRecords>;
export type ApiKeyListRequest = ListRequest<'createdAt' | 'name' | 'lastUsedAt'>;
export type ApiKeyRepository = ReturnType<typeof createApiKeyRepository>;

const MAX_ENDING = 1_000;

export function createApiKeyRepository(open: OpenRecords) {
  const records = open(apiKeyRecords);
  return {
    addApiKey: (record: ApiKeyRecord) => records.add([record]),
    findApiKey: (id: string) => records.get({ id }),
    findApiKeyByHash: (keyHash: string) => records.get({ keyHash }),
    listApiKeys(request: ApiKeyListRequest) {
      const where = { tenantId: is.inScope(request.scope), 'derived.name': is.containing(request.search) };
      return pageSorted(records, apiKeyRecords, where, request);
    },
    /** Returns false when there is no such key or it was revoked before. */
    revokeApiKey: async (id: string, revokedAt: Date) =>
      (await records.changeIf({ id, revokedAt: null }, { revokedAt })) === 1,
    /** Lists up to 1,000 working keys without a successor that end in a period, soonest first. */
    listEndingApiKeys: (scope: TenantScope, period: Period) =>
      records.find({
        where: { tenantId: is.inScope(scope), expiresAt: is.within(period), revokedAt: null, replacedAt: null },
        order: ['expiresAt'],
        limit: MAX_ENDING,
      }),
    async noteApiKeyReplaced(id: string, replacedAt: Date): Promise<void> {
      await records.changeIf({ id }, { replacedAt });
    },
    /** Lets a key end at an instant. Returns false if it was revoked or has ended by then. */
    expireApiKey: async (id: string, at: Date) =>
      (await records.changeIf({ id, revokedAt: null, expiresAt: is.orNull(is.above(at)) }, { expiresAt: at })) === 1,
    /** Moves `lastUsedAt` forward, never back. */
    async noteApiKeyUse(id: string, usedAt: Date): Promise<void> {
      await records.changeIf({ id, lastUsedAt: is.orNull(is.below(usedAt)) }, { lastUsedAt: usedAt });
    },
  };
}
