import { type Actor, systemActor } from '#domain/admin';
import { DEFAULT_TENANT, markEnteredUpstream, type Upstream } from '#domain/tenant';
import type { TenantRecord } from '#ports/store/store';
import type { NewSecret, UpstreamKeyName } from '#services/host/secrets';
import { findUpstreamKeyDestination, upstreamKeyNames } from '#services/tenants/upstream-keys';
import { describeChangeForAudit } from './audit.ts';
import { createChangedMeanwhileError, type TenantsDeps } from './tenant-records.ts';

export interface UpstreamChange {
  readonly version: number;
  readonly upstream: Upstream;
  /** Whether an owner makes the change; false by default. */
  readonly isByOwner?: boolean;
  /** A new key; null removes the saved one. Where it is absent, the saved key is kept only if its
   *  address keeps the same origin, so that nobody learns a key by redirecting it. */
  readonly apiKey?: string | null;
  readonly marketplaceKey?: string | null;
}

/** Changes the upstream of a tenant. Keys are bound to the address they were given for, so that
 *  none is sent elsewhere while others change it. Errors: CHANGED_MEANWHILE. */
export async function changeUpstream(
  deps: TenantsDeps,
  actor: Actor,
  record: TenantRecord,
  change: UpstreamChange,
): Promise<TenantRecord> {
  const { tenants, secrets, clock } = deps;
  const { isByOwner = false } = change;
  const upstream = markEnteredUpstream(change.upstream, { before: record.upstream, isByOwner });
  const changed = { ...record, upstream, updatedAt: clock.now(), version: record.version + 1 };
  if (!(await tenants.replaceTenant(changed))) throw createChangedMeanwhileError(record.name);
  await recordChange(deps, actor, record, changed);
  for (const name of upstreamKeyNames) {
    const hint = await secrets.findHint(record.id, name, findUpstreamKeyDestination(upstream, name));
    if (hint === null || readKeyChange(change, name) === null) await removeKey(deps, actor, changed, name);
  }
  for (const key of listNewUpstreamKeys(change)) await saveUpstreamKey(deps, actor, changed, key);
  return changed;
}

/** A host may have stopped between creating the default tenant and saving its keys. */
export async function saveInitialUpstreamKeys(deps: TenantsDeps, initial: KeyChange): Promise<void> {
  const tenant = await deps.tenants.findTenant(DEFAULT_TENANT);
  if (tenant?.version !== 1) return;
  for (const key of listNewUpstreamKeys(initial)) {
    const { name, boundTo } = key;
    if (findUpstreamKeyDestination(tenant.upstream, name) !== boundTo) continue;
    if ((await deps.secrets.findHint(tenant.id, name, boundTo)) === null)
      await saveUpstreamKey(deps, systemActor, tenant, key);
  }
}

/** Marks the default tenant's initial upstream as entered by an owner, unless it is marked. */
export async function saveInitialMark(deps: TenantsDeps, initial: Pick<UpstreamChange, 'upstream'>): Promise<void> {
  const { tenants, clock } = deps;
  const tenant = await tenants.findTenant(DEFAULT_TENANT);
  if (tenant === null || tenant.upstream.kind === 'local' || tenant.upstream.isEnteredByOwner) return;
  const upstream = markEnteredUpstream(tenant.upstream, { before: initial.upstream, isByOwner: false });
  if (upstream.kind === 'local' || !upstream.isEnteredByOwner) return;
  const changed = { ...tenant, upstream, updatedAt: clock.now(), version: tenant.version + 1 };
  // Where another change came first, the next start does it.
  if (await tenants.replaceTenant(changed)) await recordChange(deps, systemActor, tenant, changed);
}

async function recordChange({ audit }: TenantsDeps, actor: Actor, before: TenantRecord, { upstream }: TenantRecord) {
  const details = describeChangeForAudit(showTenantUpstream(before.upstream), showTenantUpstream(upstream));
  const { id: tenantId, name: target } = before;
  if (Object.keys(details).length > 0)
    await audit.record(actor, { action: 'tenant.upstream-changed', tenantId, target, details });
}

async function removeKey({ secrets, audit }: TenantsDeps, actor: Actor, tenant: TenantRecord, name: UpstreamKeyName) {
  const { id: tenantId, name: target } = tenant;
  if (await secrets.removeSecret(tenantId, name))
    await audit.record(actor, { action: 'tenant.key-removed', tenantId, target, details: { key: name } });
}

async function saveUpstreamKey({ secrets, audit }: TenantsDeps, actor: Actor, tenant: TenantRecord, key: NewKey) {
  const { id: tenantId, name: target } = tenant;
  await secrets.putSecret(tenantId, key.name, key);
  await audit.record(actor, { action: 'tenant.key-saved', tenantId, target, details: { key: key.name } });
}

type NewKey = NewSecret & { readonly name: UpstreamKeyName };
type KeyChange = Omit<UpstreamChange, 'version'>;

function listNewUpstreamKeys(change: KeyChange): NewKey[] {
  return upstreamKeyNames.flatMap((name) => {
    const plain = readKeyChange(change, name);
    const boundTo = findUpstreamKeyDestination(change.upstream, name);
    return plain && boundTo !== null ? [{ name, plain, boundTo }] : [];
  });
}

/** Undefined keeps the saved key, null removes it. */
const readKeyChange = ({ apiKey, marketplaceKey }: KeyChange, name: UpstreamKeyName): string | null | undefined =>
  name === 'upstream-api-key' ? apiKey : marketplaceKey;

/** The upstream with addresses that may be shown: without password and query. */
function showTenantUpstream(upstream: Upstream): Upstream {
  if (upstream.kind === 'local') return upstream;
  const details = { ...upstream, url: showTenantUpstreamAddress(upstream.url) };
  if (details.kind === 'direct') return details;
  return { ...details, marketplaceUrl: showTenantUpstreamAddress(details.marketplaceUrl) };
}

function showTenantUpstreamAddress(address: string): string {
  if (!URL.canParse(address)) return '(not an address)';
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/$/, '');
}
