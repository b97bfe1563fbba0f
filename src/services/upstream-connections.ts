import type { Upstream } from '../domain/tenant.ts';
import { AppError } from '../errors.ts';
import type { TenantRecord, TenantRepository } from '../ports/store.ts';
import type { UpstreamConnection } from '../ports/upstream.ts';
import type { SecretName, Secrets } from './secrets.ts';
import { unknownTenant } from './tenant-records.ts';
import { upstreamKeyNames } from './upstream-keys.ts';

/** Plain keys by name; absent, undefined or empty where there is none. */
export type UpstreamKeys = Readonly<Partial<Record<SecretName, string | undefined>>>;

export interface SavedUpstream {
  readonly upstream: Upstream;
  readonly keys: UpstreamKeys;
}

type Source = { readonly tenants: TenantRepository; readonly secrets: Secrets };

/** Errors: TENANT_UNKNOWN. */
export async function getLivingTenant(tenants: TenantRepository, id: string): Promise<TenantRecord> {
  const record = await tenants.findTenant(id);
  if (record === null || record.status === 'deleting') throw unknownTenant(id);
  return record;
}

/** Errors: TENANT_UNKNOWN, TENANT_DISABLED. */
export async function getActiveTenant(tenants: TenantRepository, id: string): Promise<TenantRecord> {
  const record = await getLivingTenant(tenants, id);
  if (record.status === 'active') return record;
  throw new AppError(
    'TENANT_DISABLED',
    `${record.name} is disabled at the moment. Ask the operator of this host to enable it.`,
  );
}

/** What a connection is made of, in a word: it need not be made anew as long as this stays the same. */
export async function stampOf({ secrets }: Pick<Source, 'secrets'>, tenant: TenantRecord): Promise<string> {
  if (tenant.upstream.kind === 'local') return 'local';
  const hints = await Promise.all(upstreamKeyNames.map((name) => secrets.findHint(tenant.id, name)));
  return [tenant.version, ...hints.map((hint) => hint?.updatedAt.getTime() ?? '-')].join(' ');
}

/** A tenant's upstream with the keys that were saved for exactly this address: of a change that happens while it is read,
 *  nothing or everything is seen. Errors: TENANT_UNKNOWN; SECRET_UNREADABLE of a key of `names`, others are not read. */
export async function readSavedUpstream(
  source: Source,
  id: string,
  names: readonly SecretName[] = upstreamKeyNames,
): Promise<SavedUpstream> {
  for (;;) {
    const before = await getLivingTenant(source.tenants, id);
    const keys: Partial<Record<SecretName, string>> = {};
    for (const name of before.upstream.kind === 'local' ? [] : names) {
      const plain = await source.secrets.findSecret(id, name);
      if (plain !== null) keys[name] = plain;
    }
    const after = await getLivingTenant(source.tenants, id);
    if (after.version === before.version) return { upstream: before.upstream, keys };
  }
}

/** Null for the local engine. */
export function toConnection(upstream: Upstream, keys: UpstreamKeys): UpstreamConnection | null {
  if (upstream.kind === 'local') return null;
  const apiKey = keys['upstream-api-key'];
  const direct = { url: upstream.url, ...(apiKey && { apiKey }) };
  if (upstream.kind === 'direct') return direct;
  const key = keys['marketplace-key'];
  return { ...direct, marketplace: { url: upstream.marketplaceUrl, ...(key && { key }) } };
}
