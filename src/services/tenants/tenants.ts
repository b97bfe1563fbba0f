import { setTimeout as wait } from 'node:timers/promises';
import { type Actor, systemActor, type TenantScope } from '#domain/admin';
import type { Branding, FeedbackSettings, SearchDefaults, SuggestionMode, TenantStatus } from '#domain/tenant';
import { DEFAULT_TENANT } from '#domain/tenant';
import type { TenantListRequest, TenantRecord } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import { describeChangeForAudit } from './audit.ts';
import type { TenantsDeps } from './tenant-records.ts';
import * as records from './tenant-records.ts';
import type { UpstreamChange } from './upstream-changes.ts';
import { changeUpstream, saveInitialMark, saveInitialUpstreamKeys } from './upstream-changes.ts';

type InitialUpstream = Omit<UpstreamChange, 'version'>;

export interface TenantChange {
  /** The version that the change is based on. */
  readonly version: number;
  readonly name?: string;
  readonly defaults?: SearchDefaults;
  readonly branding?: Branding;
  readonly suggestions?: SuggestionMode;
  readonly hasAssistants?: boolean;
  readonly requiresSecondFactor?: boolean;
}

export interface FeedbackSettingsChange {
  readonly version: number;
  readonly settings: FeedbackSettings;
}

/** Creates, changes and removes tenants. Every change is in the audit trail. */
export function createTenants(deps: TenantsDeps) {
  const { tenants } = deps;
  return {
    ...bindState(deps, { prepareDefault, prepare, disableTenant, deleteTenant, createTenant, changeTenant }),
    /** Errors: TENANT_UNKNOWN. */
    enableTenant: (actor: Actor, id: string) => switchStatus(deps, actor, id, 'active'),
    findTenant: (id: string) => tenants.findTenant(id),
    /** Errors: TENANT_UNKNOWN. */
    getTenant: (id: string) => records.getLivingTenant(tenants, id),
    /** Returns a tenant by its ID, or else by its name, ignoring case. Errors: TENANT_UNKNOWN. */
    getTenantByIdOrName: async (idOrName: string) =>
      (await tenants.findTenant(idOrName)) === null
        ? records.getTenantByName(tenants, idOrName)
        : records.getLivingTenant(tenants, idOrName),
    requiresSecondFactor: (scope: TenantScope) => tenants.requiresSecondFactor(scope),
    listTenants: (request: TenantListRequest) => tenants.listTenants(request),
    /** Errors: TENANT_UNKNOWN, CHANGED_MEANWHILE, FORM_INVALID (`sharedEmail`, `retentionDays`). */
    changeFeedbackSettings: async (actor: Actor, id: string, { version, settings }: FeedbackSettingsChange) =>
      replaceTenant(deps, actor, await getTenantVersion(deps, id, version), {
        feedback: records.validateTenantFeedback(settings),
      }),
    /** Errors: TENANT_UNKNOWN, CHANGED_MEANWHILE. */
    changeUpstream: async (actor: Actor, id: string, change: UpstreamChange) =>
      changeUpstream(deps, actor, await getTenantVersion(deps, id, change.version), change),
  };
}

export type Tenants = ReturnType<typeof createTenants>;

/** Creates a missing default tenant with its upstream. Commands do so beside a host, too. */
async function prepareDefault(deps: TenantsDeps, initial?: InitialUpstream): Promise<void> {
  if ((await deps.tenants.findTenant(DEFAULT_TENANT)) === null) {
    const options = { now: deps.clock.now(), upstream: initial?.upstream };
    await addTenant(deps, systemActor, records.makeTenant(DEFAULT_TENANT, 'Default institution', options));
  }
  if (initial === undefined) return;
  await saveInitialUpstreamKeys(deps, initial);
  await saveInitialMark(deps, initial);
}

/** Prepares the default tenant at a start, and completes removals that a stopped host left. */
async function prepare(deps: TenantsDeps, initial?: InitialUpstream): Promise<void> {
  await prepareDefault(deps, initial);
  for (const id of await deps.tenants.listTenantIds('deleting')) await removeTenant(deps, systemActor, id);
}

/** Errors: TENANT_UNKNOWN, CHANGED_MEANWHILE. */
async function changeTenant(deps: TenantsDeps, actor: Actor, id: string, { version, ...change }: TenantChange) {
  const record = await getTenantVersion(deps, id, version);
  const name = change.name === undefined ? record.name : records.validateTenantName(change.name);
  return replaceTenant(deps, actor, record, { ...change, name });
}

/** Errors: FORM_INVALID (name empty or over 100 characters). */
async function createTenant(deps: TenantsDeps, actor: Actor, typedName: string): Promise<TenantRecord> {
  const name = records.validateTenantName(typedName);
  for (;;) {
    const record = records.makeTenant(records.makeTenantId(name), name, { now: deps.clock.now() });
    if (await addTenant(deps, actor, record)) return record;
  }
}

async function addTenant({ tenants, audit }: TenantsDeps, actor: Actor, record: TenantRecord): Promise<boolean> {
  if (!(await tenants.addTenant(record))) return false;
  await audit.record(actor, { action: 'tenant.created', tenantId: record.id, target: record.name });
  return true;
}

async function getTenantVersion({ tenants }: TenantsDeps, id: string, version: number): Promise<TenantRecord> {
  const record = await records.getLivingTenant(tenants, id);
  if (record.version !== version) throw records.createChangedMeanwhileError(record.name);
  return record;
}

/** Does nothing if nothing changes. Errors: CHANGED_MEANWHILE. */
async function replaceTenant(
  { tenants, audit, clock }: TenantsDeps,
  actor: Actor,
  record: TenantRecord,
  change: Partial<TenantRecord>,
): Promise<TenantRecord> {
  const details = describeChangeForAudit(record, { ...record, ...change });
  if (Object.keys(details).length === 0) return record;
  const changed = { ...record, ...change, updatedAt: clock.now(), version: record.version + 1 };
  if (!(await tenants.replaceTenant(changed))) throw records.createChangedMeanwhileError(record.name);
  const { id: tenantId, name: target } = changed;
  await audit.record(actor, { action: 'tenant.changed', tenantId, target, details });
  return changed;
}

/** Errors: TENANT_UNKNOWN, TENANT_PROTECTED for the default tenant. */
async function disableTenant(deps: TenantsDeps, actor: Actor, id: string): Promise<void> {
  if (id === DEFAULT_TENANT) throw records.createTenantProtectedError('disabled');
  await switchStatus(deps, actor, id, 'disabled');
}

async function switchStatus(deps: TenantsDeps, actor: Actor, id: string, status: 'active' | 'disabled'): Promise<void> {
  const { name, isNew } = await setTenantStatus(deps, id, status);
  const action = status === 'active' ? 'tenant.enabled' : 'tenant.disabled';
  if (isNew) await deps.audit.record(actor, { action, tenantId: id, target: name });
}

/** Sets the status, and tries again if another call has changed the tenant. @returns the name of
 *  the tenant and whether its status is new */
async function setTenantStatus({ tenants, clock }: TenantsDeps, id: string, status: TenantStatus) {
  for (;;) {
    const record = await tenants.findTenant(id);
    if (record === null) throw records.createTenantUnknownError(id);
    if (record.status === status) return { name: record.name, isNew: false };
    if (record.status === 'deleting') throw records.createTenantUnknownError(id);
    const changed = { ...record, status, updatedAt: clock.now(), version: record.version + 1 };
    if (await tenants.replaceTenant(changed)) return { name: record.name, isNew: true };
  }
}

/** Time after which every host has noticed the deletion and has stored its counts. */
const GRACE_MS = 1500;

/** Removes the tenant with all its data. Errors: TENANT_UNKNOWN, TENANT_PROTECTED. */
async function deleteTenant(deps: TenantsDeps, actor: Actor, id: string): Promise<void> {
  if (id === DEFAULT_TENANT) throw records.createTenantProtectedError('deleted');
  await setTenantStatus(deps, id, 'deleting');
  await wait(deps.graceMs ?? GRACE_MS);
  await removeTenant(deps, actor, id);
}

async function removeTenant({ tenants, audit }: TenantsDeps, actor: Actor, id: string): Promise<void> {
  const tenant = await tenants.findTenant(id);
  // Another host that has just started may have removed it.
  if (tenant === null) return;
  await tenants.removeTenant(id);
  // In the trail of the host, as that of the tenant is removed with it.
  await audit.record(actor, { action: 'tenant.deleted', tenantId: null, target: tenant.name, details: { id } });
}
