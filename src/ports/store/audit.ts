import type { Actor, TenantScope } from '#domain/admin';
import { foldTexts } from '#domain/text';
import type { OpenRecords, PageRequest, Period, RecordOf, Where } from './record.ts';
import { describeRecord, field, is } from './record.ts';

export const auditRecords = describeRecord('audit', {
  fields: {
    id: field.text(),
    at: field.instant,
    actor: field.json<Actor>(),
    /** Null for entries of the whole host. */
    tenantId: field.nullable(field.text()),
    /** Action such as `tenant.created`; `services/tenants/audit.ts` lists all. */
    action: field.text(),
    /** Name of the changed thing at that time. */
    target: field.text(),
    /** Details by name; never secrets. */
    details: field.json<Readonly<Record<string, string>>>(),
  },
  personal: { actor: 'actor', about: 'at target details' },
  impersonal: 'id tenantId action',
  privacy: { seenBy: ['admins'], kept: 'audit', erasure: 'pseudonym' },
  retention: { kind: 'audit', since: 'at' },
  derived: { search: { of: ({ actor, target }) => foldTexts(actor.name, target, actor.address) } },
  indexes: [
    ['at', 'id'],
    ['tenantId', 'at', 'id'],
    ['tenantId', '-at', 'id'],
  ],
  sorts: { at: 'at' },
});

export type AuditEntry = RecordOf<typeof auditRecords>;

export interface AuditFilter {
  /** Null includes entries of the whole host; a list of tenants excludes them. */
  readonly scope: TenantScope;
  readonly action: string | null;
  readonly period: Period;
  /** Part of the actor's name, the target or the address, ignoring case; empty matches all. */
  readonly search: string;
}

export type AuditRepository = ReturnType<typeof createAuditRepository>;

export function createAuditRepository(open: OpenRecords) {
  const records = open(auditRecords);
  return {
    addAuditEntry: (entry: AuditEntry) => records.add([entry]),
    /** Lists entries, newest first unless `ascending`; ties in the order of the ids. */
    listAuditEntries: (request: AuditFilter & PageRequest & { readonly ascending: boolean }) =>
      records.page({ where: toAuditCondition(request), order: [request.ascending ? 'at' : '-at'] }, request),
    /** Reads entries after `after`, oldest first, at most `limit` (1 to 1,000). */
    readAuditEntries: (filter: AuditFilter, after: Pick<AuditEntry, 'at' | 'id'> | null, limit: number) =>
      records.find({ where: toAuditCondition(filter), order: ['at'], after, limit }),
  };
}

function toAuditCondition({ scope, action, period, search }: AuditFilter): Where<AuditEntry> {
  return {
    tenantId: is.inScope(scope),
    action: action ?? undefined,
    at: is.within(period),
    'derived.search': is.containing(search),
  };
}
