import type { Actor, TenantScope } from '../../domain/admin.ts';
import type { Page, PageRequest, Period } from './page.ts';

/** One change: who did what, when, from where. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly actor: Actor;
  /** Null for what belongs to the whole host. */
  readonly tenantId: string | null;
  /** `tenant.created`, `api-key.revoked`; the list is in `services/audit.ts`. */
  readonly action: string;
  /** What was changed, as it was called then. */
  readonly target: string;
  /** What exactly, by name; never secrets. */
  readonly details: Readonly<Record<string, string>>;
}

export interface AuditFilter {
  /** Null also sees entries of the whole host; a list of tenants sees those of its tenants only. */
  readonly scope: TenantScope;
  readonly action: string | null;
  readonly period: Period;
  /** Part of the actor's name, of the target or of the address, in any case; empty finds all. */
  readonly search: string;
}

export interface AuditRepository {
  addAuditEntry(entry: AuditEntry): Promise<void>;
  /** Newest first unless `ascending`; ties in the order of the ids. */
  listAuditEntries(
    request: AuditFilter & PageRequest & { readonly ascending: boolean },
  ): Promise<Page<AuditEntry>>;
  /** Oldest first, those after the entry `after`, at most `limit` (1 to 1,000): for exports of any length. */
  readAuditEntries(
    filter: AuditFilter,
    after: Pick<AuditEntry, 'at' | 'id'> | null,
    limit: number,
  ): Promise<readonly AuditEntry[]>;
}
