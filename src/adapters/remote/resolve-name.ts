import { type LookupAddress, type LookupAllOptions, Resolver } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { promisify } from 'node:util';

export type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface NameResolverOptions {
  /** Replaces the system's servers: `127.0.0.1:5353`. */
  readonly servers?: readonly string[];
  /** Limit for one name with all of its search domains; 3,000 by default. */
  readonly deadlineMs?: number;
  /** Files in the formats of `hosts` and `resolv.conf`; those of the system by default. */
  readonly hostsFile?: string;
  readonly resolverFile?: string;
}

const DEADLINE_MS = 3_000;
const systemHosts = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/** Resolves names by the file of hosts and by DNS, with the search domains of `resolv.conf`. The
 *  system's `dns.lookup` cannot be cancelled, and each call occupies one of the four threads that
 *  also read files: a few names whose servers do not answer would stop all of that for minutes.
 *  Errors: ENOTFOUND if there is no address; EAI_AGAIN if that is not clear in time. */
export function createNameResolver(options: NameResolverOptions = {}): LookupAll {
  const { servers, deadlineMs = DEADLINE_MS, hostsFile = systemHosts } = options;
  const readHosts = createFileReader(hostsFile, parseHosts);
  const readSearch = createFileReader(options.resolverFile ?? '/etc/resolv.conf', parseSearch);
  return (hostname, { family }, callback) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const version = Number(String(family ?? 0).replace('IPv', ''));
    const answer = (addresses: readonly LookupAddress[]) => {
      const fitting = addresses.filter((address) => version === 0 || address.family === version);
      callback(fitting.length === 0 ? createNameError('ENOTFOUND', name) : null, fitting);
    };
    const listed = readHosts()?.get(name) ?? resolveLoopbackName(name);
    if (listed !== null) return void setImmediate(answer, listed);
    const resolver = new Resolver({ timeout: Math.ceil(deadlineMs / 3), tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
    resolveNameInTurn(resolver, listSearchNames(name, hostname, readSearch()))
      .finally(() => clearTimeout(deadline))
      .then(answer, (error: NodeJS.ErrnoException) => callback(createNameError('EAI_AGAIN', name, error), []));
  };
}

async function resolveNameInTurn(resolver: Resolver, names: readonly string[]): Promise<LookupAddress[]> {
  for (const name of names) {
    const [four, six] = await Promise.all([
      promisify(resolver.resolve4.bind(resolver) as ResolveAddresses)(name).catch(ignoreMissingName),
      promisify(resolver.resolve6.bind(resolver) as ResolveAddresses)(name).catch(ignoreMissingName),
    ]);
    const addresses = [
      ...four.map((address) => ({ address, family: 4 })),
      ...six.map((address) => ({ address, family: 6 })),
    ];
    if (addresses.length > 0) return addresses;
  }
  return [];
}

type ResolveAddresses = (name: string, callback: (error: Error | null, addresses: string[]) => void) => void;

/** Returns no address if DNS says so. Other errors, such as timeouts, say nothing about that. */
function ignoreMissingName(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
  throw error;
}

/** Resolves names of this machine (RFC 6761, section 6.3). Null for any other name. */
function resolveLoopbackName(name: string): readonly LookupAddress[] | null {
  if (name !== 'localhost' && !name.endsWith('.localhost')) return null;
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
}

type Search = { readonly domains: readonly string[]; readonly ndots: number };

/** Lists names to try: with fewer dots than `ndots`, search domains first (`resolv.conf(5)`). */
function listSearchNames(name: string, typed: string, search: Search | null): readonly string[] {
  if (search === null || typed.endsWith('.')) return [name];
  const inDomains = search.domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 < search.ndots ? [...inDomains, name] : [name, ...inDomains];
}

/** Reads `resolv.conf`, of which at most six domains and fifteen dots count. */
function parseSearch(text: string): Search {
  let domains: readonly string[] = [];
  let ndots = 1;
  for (const [keyword = '', ...values] of splitConfigLines(text)) {
    if (keyword === 'search' || keyword === 'domain') domains = values;
    if (keyword !== 'options') continue;
    for (const option of values) if (option.startsWith('ndots:')) ndots = Number(option.slice(6)) || 0;
  }
  return { domains: domains.slice(0, 6), ndots: Math.min(ndots, 15) };
}

function parseHosts(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const [address = '', ...names] of splitConfigLines(text)) {
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const addresses = hosts.get(name.toLowerCase()) ?? [];
      if (!addresses.some((each) => each.address === address)) addresses.push({ address, family });
      hosts.set(name.toLowerCase(), addresses);
    }
  }
  return hosts;
}

function splitConfigLines(text: string): string[][] {
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
}

/** Returns a function that reads a small file, again after a change; null if there is none. */
function createFileReader<T>(path: string, parse: (text: string) => T): () => T | null {
  let cached: { readonly stamp: string; readonly value: T } | null = null;
  return () => {
    try {
      const { mtimeMs, size, ino } = statSync(path);
      const stamp = `${mtimeMs} ${size} ${ino}`;
      if (cached?.stamp !== stamp) cached = { stamp, value: parse(readFileSync(path, 'utf8')) };
      return cached.value;
    } catch {
      return null;
    }
  };
}

const createNameError = (code: 'ENOTFOUND' | 'EAI_AGAIN', name: string, cause?: Error): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code} ${name}`, cause === undefined ? {} : { cause }), { code });
