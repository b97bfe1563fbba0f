import type { Upstream } from '../../domain/tenant.ts';

/** What a change did, by field, for the audit trail: `{ 'defaults.lang': 'none → fr' }`. Empty where nothing changed. */
export function describeChange(before: object, after: object): Readonly<Record<string, string>> {
  const [old, now] = [flatten(before), flatten(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const changed = names.filter((name) => old[name] !== now[name]);
  return Object.fromEntries(changed.map((name) => [name, `${cut(old[name])} → ${cut(now[name])}`]));
}

const NONE = 'none';
const MAX_SHOWN = 200;

function cut(text = NONE): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function flatten(values: object, prefix = ''): Record<string, string> {
  const entries = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.entries(flatten(value as object, `${prefix}${name}.`));
    return [[prefix + name, show(value)]];
  });
  return Object.fromEntries(entries);
}

function show(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return NONE;
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The same upstream with addresses as they may be shown: one that holds a password or a key in its query does not. */
export function showUpstream(upstream: Upstream): Upstream {
  if (upstream.kind === 'local') return upstream;
  const url = showAddress(upstream.url);
  if (upstream.kind === 'direct') return { kind: 'direct', url };
  return { kind: 'gateway', url, marketplaceUrl: showAddress(upstream.marketplaceUrl) };
}

function showAddress(address: string): string {
  if (!URL.canParse(address)) return '(not an address)';
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/$/, '');
}
