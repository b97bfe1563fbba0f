import type {
  Branding,
  FeedbackSettings,
  SearchDefaults,
  SuggestionMode,
  TenantStatus,
  Upstream,
} from '#domain/tenant';
import { foldText, foldTexts } from '#domain/text';
import { describeRecord, field, is, type ListRequest, type OpenRecords, pageSorted, type RecordOf } from './record.ts';

export const tenantRecords = describeRecord('tenants', {
  fields: {
    /** Made of the name when the tenant is created, and unchanged then: lower-case letters, digits
     *  and hyphens, at most 40. */
    id: field.text(),
    name: field.text(),
    status: field.text<TenantStatus>(),
    upstream: field.json<Upstream>(),
    defaults: field.json<SearchDefaults>(),
    branding: field.json<Branding>(),
    feedback: field.json<FeedbackSettings>(),
    suggestions: field.initially(field.text<SuggestionMode>(), 'approval'),
    /** Whether assistants may ask for it, over the Model Context Protocol. */
    hasAssistants: field.initially(field.flag, true),
    createdAt: field.instant,
    updatedAt: field.instant,
    /** Counts the changes from 1, so that two people do not overwrite each other unseen. */
    version: field.integer,
  },
  derived: {
    name: { of: ({ name }) => foldText(name) },
    search: { of: ({ name, id }) => foldTexts(name, id) },
  },
  indexes: [['status', 'id']],
  sorts: { name: 'derived.name', createdAt: 'createdAt' },
});

export type TenantRecord = RecordOf<typeof tenantRecords>;

/** Searched by name and id. */
export type TenantListRequest = ListRequest<'name' | 'createdAt'>;

export type TenantRepository = ReturnType<typeof createTenantRepository>;

export function createTenantRepository(open: OpenRecords, removeTenant: (id: string) => Promise<void>) {
  const records = open(tenantRecords);
  return {
    /** Removes what the tenant has in every repository, and the tenant last, so that it can be done
     *  again after a crash. Only answers of its upstream that hosts share stay: under hashes of the
     *  tenant's connection and the request, which nothing asks for any more, they expire within 7
     *  days; and so do nonces, which do not say whose they are: launches and registration links
     *  under way expire within a day. Scopes of administrators and links lose the id too, which
     *  counts as a change of the administrator. Audit entries of the tenant go as well. */
    removeTenant,
    /** False when the id is taken. */
    addTenant: (record: TenantRecord) => records.putIf(record, null),
    findTenant: (id: string) => records.get({ id }),
    /** Replaces the previous version. False when it was changed or removed meanwhile. */
    replaceTenant: (record: TenantRecord) => records.putIf(record, { version: record.version - 1 }),
    listTenants(request: TenantListRequest) {
      const where = { id: is.inScope(request.scope), 'derived.search': is.containing(request.search) };
      return pageSorted(records, tenantRecords, where, request);
    },
    /** Ids of every tenant with this status, in order. */
    listTenantIds: async (status: TenantStatus) => (await records.summarize(['id'], { status })).map(({ id }) => id),
  };
}
