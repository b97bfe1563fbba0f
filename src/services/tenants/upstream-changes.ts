import { type Actor, systemActor } from '#domain/admin';
import { DEFAULT_TENANT, markEnteredUpstream, type Upstream } from '#domain/tenant';
import type { TenantRecord } from '#ports/store/store';
import type { NewSecret, UpstreamKeyName } from '#services/host/secrets';
import { describeChangeForAudit } from './audit.ts';
import { createChangedMeanwhileError, type TenantsDeps } from './tenant-records.ts';
import { findUpstreamKeyDestination, upstreamKeyNames } from './upstream-keys.ts';

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

/** Saves missing keys of the default tenant that nobody has changed: a host may have stopped
 *  between creating the tenant and saving its keys. */
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
  // If another change came first, the next start marks it.
  if (await tenants.replaceTenant(changed)) await recordChange(deps, systemActor, tenant, changed);
}

async function recordChange({ audit }: TenantsDeps, actor: Actor, before: TenantRecord, { upstream }: TenantRecord) {
  const details = describeChangeForAudit(showUpstream(before.upstream), showUpstream(upstream));
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

/** Returns a new key, undefined to keep the saved one, or null to remove it. */
const readKeyChange = ({ apiKey, marketplaceKey }: KeyChange, name: UpstreamKeyName): string | null | undefined =>
  name === 'upstream-api-key' ? apiKey : marketplaceKey;

/** Returns an upstream whose addresses may be shown: without password and query. */
function showUpstream(upstream: Upstream): Upstream {
  if (upstream.kind === 'local') return upstream;
  const details = { ...upstream, url: showAddress(upstream.url) };
  if (details.kind === 'direct') return details;
  return { ...details, marketplaceUrl: showAddress(details.marketplaceUrl) };
}

function showAddress(address: string): string {
  if (!URL.canParse(address)) return '(not an address)';
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/$/, '');
}
