import type { TenantRecord } from '../../../ports/store/store.ts';
import type { UpstreamKeyName } from '../../../services/secrets.ts';
import type { ShownKey, TenantUpstreams } from '../../../services/upstreams/upstreams.ts';
import type { Health } from './health.ts';

/** Where the searches of a tenant go, and whether they arrive. */
export interface Connection {
  readonly tenant: TenantRecord;
  /** Names of the servers that are asked; empty for our own engine. */
  readonly servers: readonly string[];
  /** The keys that this kind of upstream takes. */
  readonly keys: readonly SavedKey[];
  readonly health: Health;
}

export interface SavedKey {
  /** Key of its name in the catalogues. */
  readonly label: string;
  readonly state: 'saved' | 'missing' | 'unreadable';
  /** Null where it is not saved, or too short to show any of it. */
  readonly lastFour: string | null;
}

const labels: Readonly<Record<UpstreamKeyName, string>> = {
  'upstream-api-key': 'upstream.apiKey',
  'marketplace-key': 'upstream.marketplaceKey',
};

export async function describeConnection(
  tenant: TenantRecord,
  health: Health,
  upstreams: TenantUpstreams,
): Promise<Connection> {
  const keys = await upstreams.findKeys(tenant.id, tenant.upstream);
  return { tenant, servers: serversOf(tenant), keys: keys.map(toSavedKey), health };
}

function serversOf({ upstream }: TenantRecord): string[] {
  if (upstream.kind === 'local') return [];
  const urls = upstream.kind === 'direct' ? [upstream.url] : [upstream.marketplaceUrl, upstream.url];
  return [...new Set(urls.map((url) => (URL.canParse(url) ? new URL(url).host : url)))];
}

function toSavedKey({ name, hint, isReadable }: ShownKey): SavedKey {
  const state = hint === null ? 'missing' : isReadable ? 'saved' : 'unreadable';
  return { label: labels[name], state, lastFour: hint?.lastFour ?? null };
}
