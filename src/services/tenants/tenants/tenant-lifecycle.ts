import { setTimeout as wait } from 'node:timers/promises';
import { type Actor, systemActor } from '#domain/admin';
import { DEFAULT_TENANT, type TenantStatus } from '#domain/tenant';
import type { TenantRecord } from '#ports/store/store';
import {
  createTenantProtectedError,
  createTenantUnknownError,
  makeTenant,
  type TenantsDeps,
} from './tenant-records.ts';
import { createUpstreamChanges, type UpstreamChange } from './tenant-upstream-changes.ts';

/** By then every host has noticed that the tenant may no longer be used, and has stored its counts. */
const GRACE_MS = 1500;

/** Makes, disables and deletes tenants. */
export interface TenantLifecycle {
  /** Makes the default tenant where there is none, with `initial` as its upstream. For commands beside a host. */
  prepareDefault(initial?: Omit<UpstreamChange, 'version'>): Promise<void>;
  /** The same, and ends removals that a stopped host left. For the start of a host. */
  prepare(initial?: Omit<UpstreamChange, 'version'>): Promise<void>;
  /** Errors: TENANT_UNKNOWN, TENANT_PROTECTED for the default tenant. */
  disableTenant(actor: Actor, id: string): Promise<void>;
  /** Errors: TENANT_UNKNOWN. */
  enableTenant(actor: Actor, id: string): Promise<void>;
  /** Removes everything of the tenant. Errors: TENANT_UNKNOWN, TENANT_PROTECTED. */
  deleteTenant(actor: Actor, id: string): Promise<void>;
}

interface Lifecycle extends TenantLifecycle {
  /** False when the id is taken. */
  addTenant(actor: Actor, record: TenantRecord): Promise<boolean>;
}

export function createTenantLifecycle(deps: TenantsDeps): Lifecycle {
  const { tenants, audit, clock, graceMs = GRACE_MS } = deps;
  const upstreamChanges = createUpstreamChanges(deps);

  async function addTenant(actor: Actor, record: TenantRecord): Promise<boolean> {
    if (!(await tenants.addTenant(record))) return false;
    await audit.record(actor, { action: 'tenant.created', tenantId: record.id, target: record.name });
    return true;
  }

  /** Whatever others change at the same time, the status is still what is wanted. */
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
    // Another host that has just started may have done it.
    if (found === null) return;
    const { name } = found;
    await tenants.removeTenant(id);
    // Of the whole host: the tenant's own entries went with it.
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
