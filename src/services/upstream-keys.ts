import type { Upstream } from '../domain/tenant.ts';
import type { SecretName } from './secrets.ts';

export const upstreamKeyNames = [
  'upstream-api-key',
  'marketplace-key',
] as const satisfies readonly SecretName[];

/** Which host and port a key is sent to under this upstream; null where it is sent nowhere. A saved key may be used only
 *  where this stays the same: else anyone who may change the address could have the key sent to themselves. */
export function destinationOf(upstream: Upstream, name: SecretName): string | null {
  if (upstream.kind === 'local') return null;
  if (name === 'upstream-api-key') return originOf(upstream.url);
  return upstream.kind === 'gateway' ? originOf(upstream.marketplaceUrl) : null;
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
