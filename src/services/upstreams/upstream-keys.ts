import type { Upstream } from '../../domain/tenant.ts';
import type { UpstreamKeyName } from '../secrets.ts';

export const upstreamKeyNames = [
  'upstream-api-key',
  'marketplace-key',
] as const satisfies readonly UpstreamKeyName[];

/** Which host and port a key is sent to under this upstream; null where it is sent nowhere. A saved key is bound to it:
 *  else anyone who may change the address could have the key sent to themselves. */
export function destinationOf(upstream: Upstream, name: UpstreamKeyName): string | null {
  if (upstream.kind === 'local') return null;
  if (name === 'upstream-api-key') return originOf(upstream.url);
  return upstream.kind === 'gateway' ? originOf(upstream.marketplaceUrl) : null;
}

/** Origin that feedback is sent to under this upstream; null for our own engine. */
export function feedbackOriginOf(upstream: Upstream): string | null {
  if (upstream.kind === 'local') return null;
  const address = upstream.kind === 'gateway' ? upstream.marketplaceUrl : upstream.url;
  return originOf(address) ?? address;
}

/** Host of the service itself, for people to read; null for our own engine. */
export function hostOf(upstream: Upstream): string | null {
  if (upstream.kind === 'local') return null;
  return URL.canParse(upstream.url) ? new URL(upstream.url).host : upstream.url;
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
