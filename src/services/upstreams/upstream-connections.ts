import type { Upstream } from '../../domain/tenant.ts';
import type { TenantRecord } from '../../ports/store/store.ts';
import type { UpstreamConnection } from '../../ports/upstream.ts';
import type { Secrets, UpstreamKeyName } from '../secrets.ts';
import { destinationOf, upstreamKeyNames } from './upstream-keys.ts';

/** Plain keys by name; absent, undefined or empty where there is none. */
export type UpstreamKeys = Readonly<Partial<Record<UpstreamKeyName, string | undefined>>>;

/** What a connection is made of, in a word: it need not be made anew as long as this stays the same. */
export async function stampOf(secrets: Secrets, tenant: TenantRecord): Promise<string> {
  const { id, createdAt, updatedAt, version, upstream } = tenant;
  if (upstream.kind === 'local') return 'local';
  const hints = await Promise.all(
    upstreamKeyNames.map((name) => secrets.findHint(id, name, destinationOf(upstream, name))),
  );
  return JSON.stringify([createdAt, updatedAt, version, upstream, hints]);
}

/** The tenant's keys that were saved for the addresses of this upstream. Errors: SECRET_UNREADABLE of a key of `names`, others
 *  are not read. */
export async function readKeys(
  secrets: Secrets,
  { id, upstream }: Pick<TenantRecord, 'id' | 'upstream'>,
  names: readonly UpstreamKeyName[] = upstreamKeyNames,
): Promise<UpstreamKeys> {
  const keys: Partial<Record<UpstreamKeyName, string>> = {};
  for (const name of names) {
    const plain = await secrets.findSecret(id, name, destinationOf(upstream, name));
    if (plain !== null) keys[name] = plain;
  }
  return keys;
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
