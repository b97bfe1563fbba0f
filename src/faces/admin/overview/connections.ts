import { AppError } from '../../../errors.ts';
import type { TenantRecord } from '../../../ports/store.ts';
import type { SecretName, Secrets } from '../../../services/secrets.ts';
import { destinationOf } from '../../../services/upstreams/upstream-keys.ts';
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

const labels: Readonly<Record<SecretName, string>> = {
  'upstream-api-key': 'upstream.apiKey',
  'marketplace-key': 'upstream.marketplaceKey',
};

export async function describeConnection(
  tenant: TenantRecord,
  health: Health,
  secrets: Secrets,
): Promise<Connection> {
  const keys = await Promise.all(keyNames(tenant).map((name) => describeKey(tenant, name, secrets)));
  return { tenant, servers: serversOf(tenant), keys, health };
}

function keyNames({ upstream: { kind } }: TenantRecord): readonly SecretName[] {
  if (kind === 'local') return [];
  return kind === 'direct' ? ['upstream-api-key'] : ['upstream-api-key', 'marketplace-key'];
}

function serversOf({ upstream }: TenantRecord): string[] {
  if (upstream.kind === 'local') return [];
  const urls = upstream.kind === 'direct' ? [upstream.url] : [upstream.marketplaceUrl, upstream.url];
  return [...new Set(urls.map((url) => (URL.canParse(url) ? new URL(url).host : url)))];
}

/** Opens the key to see that it can be opened, and forgets it. */
async function describeKey(tenant: TenantRecord, name: SecretName, secrets: Secrets): Promise<SavedKey> {
  const label = labels[name];
  const origin = destinationOf(tenant.upstream, name);
  const hint = await secrets.findHint(tenant.id, name, origin);
  if (hint === null) return { label, state: 'missing', lastFour: null };
  try {
    await secrets.findSecret(tenant.id, name, origin);
    return { label, state: 'saved', lastFour: hint.lastFour };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'SECRET_UNREADABLE')) throw error;
    return { label, state: 'unreadable', lastFour: hint.lastFour };
  }
}
