import type { Config } from '../config.ts';
import type { Upstream } from '../domain/tenant.ts';
import type { UpstreamChange } from '../services/tenants/tenant-upstream-changes.ts';

/** What the default tenant begins with, as the settings say it; undefined for our own engine. */
export function toInitialUpstream({ upstream: wanted }: Config): Omit<UpstreamChange, 'version'> | undefined {
  if (wanted === undefined) return undefined;
  const { url, marketplaceUrl, apiKey = null, marketplaceKey = null } = wanted;
  const upstream: Upstream =
    marketplaceUrl === undefined ? { kind: 'direct', url } : { kind: 'gateway', url, marketplaceUrl };
  return { upstream, apiKey, marketplaceKey };
}
