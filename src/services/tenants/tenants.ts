import { setTimeout as wait } from 'node:timers/promises';
import { type Actor, systemActor } from '#domain/admin';
import {
  type Branding,
  DEFAULT_TENANT,
  type FeedbackSettings,
  type SearchDefaults,
  type SuggestionMode,
  type TenantStatus,
} from '#domain/tenant';
import type { Page, TenantListRequest, TenantRecord } from '#ports/store/store';
import { describeChangeForAudit } from './audit.ts';
import {
  createTenantChangedError,
  createTenantProtectedError,
  createTenantUnknownError,
  getTenantByName,
  makeTenant,
  makeTenantId,
  type TenantsDeps,
  validateTenantFeedback,
  validateTenantName,
} from './tenant-records.ts';
import { createUpstreamChanges, type UpstreamChange } from './upstream-changes.ts';

export interface TenantChange {
  /** The version that the change is based on. */
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

/** Tenants with their upstream, keys, defaults and branding. Every change is in the audit trail. */
export interface Tenants extends TenantLifecycle {
  /** The ID consists of the name and five random characters, and is never used again. Errors:
   *  FORM_INVALID (name empty or over 100 characters). */
  createTenant(actor: Actor, name: string): Promise<TenantRecord>;
  findTenant(id: string): Promise<TenantRecord | null>;
  /** Errors: TENANT_UNKNOWN. */
  getTenant(id: string): Promise<TenantRecord>;
  /** By ID, else by its whole name in any case. Errors: TENANT_UNKNOWN. */
  getTenantByIdOrName(idOrName: string): Promise<TenantRecord>;
  listTenants(request: TenantListRequest): Promise<Page<TenantRecord>>;
  /** Errors: TENANT_UNKNOWN, CHANGED_MEANWHILE. */
  changeTenant(actor: Actor, id: string, change: TenantChange): Promise<TenantRecord>;
  /** Errors: TENANT_UNKNOWN, CHANGED_MEANWHILE; FORM_INVALID for `sharedEmail` or
   *  `retentionDays`. */
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

  /** Does nothing where nothing changes. */
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

/** Until then, every host has noticed that the tenant may no longer be used, and has stored its
 *  counts. */
const GRACE_MS = 1500;

/** Creates, disables and deletes tenants. */
interface TenantLifecycle {
  /** Creates the default tenant where there is none, with `initial` as its upstream. For commands,
   *  which may run beside a host. */
  prepareDefault(initial?: Omit<UpstreamChange, 'version'>): Promise<void>;
  /** The same, and completes removals that a stopped host left. For the start of a host. */
  prepare(initial?: Omit<UpstreamChange, 'version'>): Promise<void>;
  /** Errors: TENANT_UNKNOWN, TENANT_PROTECTED for the default tenant. */
  disableTenant(actor: Actor, id: string): Promise<void>;
  /** Errors: TENANT_UNKNOWN. */
  enableTenant(actor: Actor, id: string): Promise<void>;
  /** Removes the tenant with all its data. Errors: TENANT_UNKNOWN, TENANT_PROTECTED. */
  deleteTenant(actor: Actor, id: string): Promise<void>;
}

interface Lifecycle extends TenantLifecycle {
  /** False when the id is taken. */
  addTenant(actor: Actor, record: TenantRecord): Promise<boolean>;
}

function createTenantLifecycle(deps: TenantsDeps): Lifecycle {
  const { tenants, audit, clock, graceMs = GRACE_MS } = deps;
  const upstreamChanges = createUpstreamChanges(deps);

  async function addTenant(actor: Actor, record: TenantRecord): Promise<boolean> {
    if (!(await tenants.addTenant(record))) return false;
    await audit.record(actor, { action: 'tenant.created', tenantId: record.id, target: record.name });
    return true;
  }

  /** Tries again while others change the tenant. */
  async function setStatus(id: string, status: TenantStatus): Promise<{ name: string; isNew: boolean }> {
    for (;;) {
      const record = await tenants.findTenant(id);
      if (record === null) throw createTenantUnknownError(id);
      if (record.status === status) return { name: record.name, isNew: false };
      if (record.status === 'deleting') throw createTenantUnknownError(id);
      const changed = { ...record, status, updatedAt: clock.now(), version: record.version + 1 };
      if (await tenants.replaceTenant(changed)) return { name: record.name, isNew: true };
    }
  }

  async function switchTo(status: 'active' | 'disabled', actor: Actor, id: string): Promise<void> {
    const { name, isNew } = await setStatus(id, status);
    const action = status === 'active' ? 'tenant.enabled' : 'tenant.disabled';
    if (isNew) await audit.record(actor, { action, tenantId: id, target: name });
  }

  async function remove(actor: Actor, id: string): Promise<void> {
    const found = await tenants.findTenant(id);
    // Another host that has just started may have removed it.
    if (found === null) return;
    const { name } = found;
    await tenants.removeTenant(id);
    // In the trail of the host, as that of the tenant is removed with it.
    await audit.record(actor, { action: 'tenant.deleted', tenantId: null, target: name, details: { id } });
  }

  async function prepareDefault(initial?: Omit<UpstreamChange, 'version'>): Promise<void> {
    if ((await tenants.findTenant(DEFAULT_TENANT)) === null) {
      const options = { now: clock.now(), upstream: initial?.upstream };
      await addTenant(systemActor, makeTenant(DEFAULT_TENANT, 'Default institution', options));
    }
    if (initial === undefined) return;
    await upstreamChanges.saveInitialKeys(initial);
    await upstreamChanges.saveInitialMark(initial);
  }

  return {
    addTenant,
    prepareDefault,
    async prepare(initial) {
      await prepareDefault(initial);
      for (const id of await tenants.listTenantIds('deleting')) await remove(systemActor, id);
    },
    async disableTenant(actor, id) {
      if (id === DEFAULT_TENANT) throw createTenantProtectedError('disabled');
      await switchTo('disabled', actor, id);
    },
    enableTenant: (actor, id) => switchTo('active', actor, id),
    async deleteTenant(actor, id) {
      if (id === DEFAULT_TENANT) throw createTenantProtectedError('deleted');
      await setStatus(id, 'deleting');
      await wait(graceMs);
      await remove(actor, id);
    },
  };
}
