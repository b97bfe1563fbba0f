import type { Upstream } from '#domain/tenant';
import type { TenantRecord } from '#ports/store/store';
import type { UpstreamConnection } from '#ports/upstream';
import { isSecretReadable, type SecretHint, type Secrets, type UpstreamKeyName } from '#services/host/secrets';

/** Keys in plain text by name; absent, undefined or empty if there is none. */
type UpstreamKeys = Readonly<Partial<Record<UpstreamKeyName, string | undefined>>>;

export const upstreamKeyNames = ['upstream-api-key', 'marketplace-key'] as const satisfies readonly UpstreamKeyName[];

/** Returns the origin that a key is sent to under this upstream; null if it is sent nowhere. Saved
 *  keys are bound to it: else anyone who may change the address could get the key.
 *  @example findUpstreamKeyDestination({ kind: 'direct', url: 'https://api.example.org/v1' },
 *  'upstream-api-key') // 'https://api.example.org' */
export function findUpstreamKeyDestination(upstream: Upstream, name: UpstreamKeyName): string | null {
  if (upstream.kind === 'local') return null;
  if (name === 'upstream-api-key') return findUpstreamKeyOrigin(upstream.url);
  return upstream.kind === 'gateway' ? findUpstreamKeyOrigin(upstream.marketplaceUrl) : null;
}

/** Returns the origin that feedback is sent to; null for the built-in engine. */
export function findUpstreamOrigin(upstream: Upstream): string | null {
  if (upstream.kind === 'local') return null;
  const address = upstream.kind === 'gateway' ? upstream.marketplaceUrl : upstream.url;
  return findUpstreamKeyOrigin(address) ?? address;
}

/** Returns the host of the service, for people to read; null for the built-in engine. */
export function findUpstreamHost(upstream: Upstream): string | null {
  if (upstream.kind === 'local') return null;
  return URL.canParse(upstream.url) ? new URL(upstream.url).host : upstream.url;
}

const findUpstreamKeyOrigin = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null);

/** The part of an upstream key that may be shown. */
export interface ShownKey {
  readonly name: UpstreamKeyName;
  /** Null if none is saved for the address it would be sent to. */
  readonly hint: SecretHint | null;
  /** False if a key is saved that this host cannot open. */
  readonly isReadable: boolean;
}

/** Lists the keys that an upstream takes. Each is opened to check that it can be. */
export async function showKeys(secrets: Secrets, tenantId: string, upstream: Upstream): Promise<readonly ShownKey[]> {
  const showKey = async (name: UpstreamKeyName, origin: string): Promise<ShownKey> => {
    const hint = await secrets.findHint(tenantId, name, origin);
    const isReadable = hint === null || (await isSecretReadable(() => secrets.findSecret(tenantId, name, origin)));
    return { name, hint, isReadable };
  };
  const shownKeys = upstreamKeyNames.flatMap((name) => {
    const origin = findUpstreamKeyDestination(upstream, name);
    return origin === null ? [] : [showKey(name, origin)];
  });
  return Promise.all(shownKeys);
}

/** Returns a text that changes with everything that a connection depends on. */
export async function makeUpstreamStamp(secrets: Secrets, tenant: TenantRecord): Promise<string> {
  const { id, createdAt, updatedAt, version, upstream } = tenant;
  if (upstream.kind === 'local') return 'local';
  const hints = await Promise.all(
    upstreamKeyNames.map((name) => secrets.findHint(id, name, findUpstreamKeyDestination(upstream, name))),
  );
  return JSON.stringify([createdAt, updatedAt, version, upstream, hints]);
}

/** Returns the saved keys in `names` of this upstream's addresses. Errors: SECRET_UNREADABLE. */
export async function readKeys(
  secrets: Secrets,
  { id, upstream }: Pick<TenantRecord, 'id' | 'upstream'>,
  names: readonly UpstreamKeyName[] = upstreamKeyNames,
): Promise<UpstreamKeys> {
  const keys: Partial<Record<UpstreamKeyName, string>> = {};
  for (const name of names) {
    const plain = await secrets.findSecret(id, name, findUpstreamKeyDestination(upstream, name));
    if (plain !== null) keys[name] = plain;
  }
  return keys;
}

/** Returns null for the built-in engine. */
export function toUpstreamConnection(upstream: Upstream, keys: UpstreamKeys): UpstreamConnection | null {
  if (upstream.kind === 'local') return null;
  const apiKey = keys['upstream-api-key'];
  const { url, isEnteredByOwner = false } = upstream;
  const direct = { url, ...(apiKey && { apiKey }), ...(isEnteredByOwner && { isEnteredByOwner }) };
  if (upstream.kind === 'direct') return direct;
  const key = keys['marketplace-key'];
  return { ...direct, marketplace: { url: upstream.marketplaceUrl, ...(key && { key }) } };
}
