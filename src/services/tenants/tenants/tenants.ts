import type { Actor } from '#domain/admin';
import type { Branding, FeedbackSettings, SearchDefaults, SuggestionMode } from '#domain/tenant';
import type { Page, TenantListRequest, TenantRecord } from '#ports/store/store';
import { describeChangeForAudit } from '../audit.ts';
import { createTenantLifecycle, type TenantLifecycle } from './tenant-lifecycle.ts';
import {
  createTenantChangedError,
  createTenantUnknownError,
  getTenantByName,
  makeTenant,
  makeTenantId,
  type TenantsDeps,
  validateTenantFeedback,
  validateTenantName,
} from './tenant-records.ts';
import { createUpstreamChanges, type UpstreamChange } from './tenant-upstream-changes.ts';

export interface TenantChange {
  /** The version that was looked at. */
  readonly version: number;
  readonly name?: string;
  readonly defaults?: SearchDefaults;
  readonly branding?: Branding;
  readonly suggestions?: SuggestionMode;
  readonly hasAssistants?: boolean;
}

export interface FeedbackSettingsChange {
  readonly version: number;
  readonly settings: FeedbackSettings;
}

/** Institutions: their upstream, keys, defaults and looks. Every change is in the audit trail. */
export interface Tenants extends TenantLifecycle {
  /** The id is made of the name and five random characters, and never used again. Errors: FORM_INVALID (name empty or over 100 characters). */
  createTenant(actor: Actor, name: string): Promise<TenantRecord>;
  findTenant(id: string): Promise<TenantRecord | null>;
  /** Errors: TENANT_UNKNOWN. */
  getTenant(id: string): Promise<TenantRecord>;
  /** By id, or else by its exact name in any case. Errors: TENANT_UNKNOWN. */
  getTenantByIdOrName(idOrName: string): Promise<TenantRecord>;
  listTenants(request: TenantListRequest): Promise<Page<TenantRecord>>;
  /** Errors: TENANT_UNKNOWN, CHANGED_MEANWHILE. */
  changeTenant(actor: Actor, id: string, change: TenantChange): Promise<TenantRecord>;
  /** Errors: TENANT_UNKNOWN, CHANGED_MEANWHILE; FORM_INVALID for `sharedEmail` or `retentionDays`. */
  changeFeedbackSettings(actor: Actor, id: string, change: FeedbackSettingsChange): Promise<TenantRecord>;
  /** Errors: TENANT_UNKNOWN, CHANGED_MEANWHILE. */
  changeUpstream(actor: Actor, id: string, change: UpstreamChange): Promise<TenantRecord>;
}

export function createTenants(deps: TenantsDeps): Tenants {
  const { tenants, audit, clock } = deps;
  const { addTenant, ...lifecycle } = createTenantLifecycle(deps);
  const upstreamChanges = createUpstreamChanges(deps);

  /** A tenant that is being deleted counts as gone. */
  async function getTenant(id: string): Promise<TenantRecord> {
    const record = await tenants.findTenant(id);
    if (record === null || record.status === 'deleting') throw createTenantUnknownError(id);
    return record;
  }

  async function getVersion(id: string, version: number): Promise<TenantRecord> {
    const record = await getTenant(id);
    if (record.version !== version) throw createTenantChangedError(record.name);
    return record;
  }

  /** Writes what was changed into the audit trail; does nothing where nothing was. */
  async function replace(actor: Actor, record: TenantRecord, change: Partial<TenantRecord>) {
    const details = describeChangeForAudit(record, { ...record, ...change });
    if (Object.keys(details).length === 0) return record;
    const changed = { ...record, ...change, updatedAt: clock.now(), version: record.version + 1 };
    if (!(await tenants.replaceTenant(changed))) throw createTenantChangedError(record.name);
    const { id: tenantId, name: target } = changed;
    await audit.record(actor, { action: 'tenant.changed', tenantId, target, details });
    return changed;
  }

  return {
    ...lifecycle,
    findTenant: (id) => tenants.findTenant(id),
    getTenant,
    getTenantByIdOrName: async (idOrName) =>
      (await tenants.findTenant(idOrName)) === null
        ? getTenantByName(tenants, idOrName)
        : getTenant(idOrName),
    listTenants: (request) => tenants.listTenants(request),

    async createTenant(actor, name) {
      const wanted = validateTenantName(name);
      for (;;) {
        const record = makeTenant(makeTenantId(wanted), wanted, { now: clock.now() });
        if (await addTenant(actor, record)) return record;
      }
    },

    async changeTenant(actor, id, { version, ...wanted }) {
      const record = await getVersion(id, version);
      const change =
        wanted.name === undefined ? wanted : { ...wanted, name: validateTenantName(wanted.name) };
      return replace(actor, record, change);
    },

    async changeFeedbackSettings(actor, id, { version, settings }) {
      const record = await getVersion(id, version);
      return replace(actor, record, { feedback: validateTenantFeedback(settings) });
    },

    changeUpstream: async (actor, id, change) =>
      upstreamChanges.changeUpstream(actor, await getVersion(id, change.version), change),
  };
}
