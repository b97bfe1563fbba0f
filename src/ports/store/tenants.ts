import type { TenantScope } from '#domain/admin';
import type {
  Branding,
  FeedbackSettings,
  SearchDefaults,
  SuggestionMode,
  TenantStatus,
  Upstream,
} from '#domain/tenant';
import { foldText, foldTexts } from '#domain/text';
import type { ListRequest, OpenRecords, RecordOf } from './record.ts';
import { describeRecord, field, is, pageSorted } from './record.ts';

export const tenantRecords = describeRecord('tenants', {
  fields: {
    /** Derived from the name at creation: lower-case letters, digits and hyphens, at most 40. */
    id: field.text(),
    name: field.text(),
    status: field.text<TenantStatus>(),
    upstream: field.json<Upstream>(),
    defaults: field.json<SearchDefaults>(),
    branding: field.json<Branding>(),
    feedback: field.json<FeedbackSettings>(),
    suggestions: field.initially(field.text<SuggestionMode>(), 'approval'),
    /** Whether assistants may use the tenant, over the Model Context Protocol. */
    hasAssistants: field.initially(field.flag, true),
    /** Whether administrators who sign in with a password need a second factor. */
    requiresSecondFactor: field.initially(field.flag, false),
    createdAt: field.instant,
    updatedAt: field.instant,
    /** Prevents two people from overwriting each other's changes. */
    version: field.integer,
  },
  impersonal: [
    'id name status upstream defaults branding feedback suggestions',
    'hasAssistants requiresSecondFactor createdAt updatedAt version',
  ],
  derived: {
    name: { of: ({ name }) => foldText(name) },
    search: { of: ({ name, id }) => foldTexts(name, id) },
  },
  indexes: [['status', 'id']],
  sorts: { name: 'derived.name', createdAt: 'createdAt' },
});

export type TenantRecord = RecordOf<typeof tenantRecords>;
export type TenantListRequest = ListRequest<'name' | 'createdAt'>;
export type TenantRepository = ReturnType<typeof createTenantRepository>;

export function createTenantRepository(open: OpenRecords, removeTenant: (id: string) => Promise<void>) {
  const records = open(tenantRecords);
  return {
    /** Removes the tenant last, so that it can be repeated after a crash. Administrators and links
     *  lose the id, which counts as a change. Shared answers of its upstream expire within 7 days,
     *  and nonces (launches, registration links) within a day. */
    removeTenant,
    /** Returns false when the id is taken. */
    addTenant: (record: TenantRecord) => records.putIf(record, null),
    findTenant: (id: string) => records.get({ id }),
    /** Replaces the previous version. Returns false when that was changed or removed. */
    replaceTenant: (record: TenantRecord) => records.putIf(record, { version: record.version - 1 }),
    listTenants(request: TenantListRequest) {
      const where = { id: is.inScope(request.scope), 'derived.search': is.containing(request.search) };
      return pageSorted(records, tenantRecords, where, request);
    },
    requiresSecondFactor: async (scope: TenantScope) =>
      (await records.count({ id: is.inScope(scope), requiresSecondFactor: true })) > 0,
    /** Lists the ids of tenants with this status, in order. */
    listTenantIds: async (status: TenantStatus) => (await records.summarize(['id'], { status })).map(({ id }) => id),
  };
}
