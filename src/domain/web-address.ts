const MAX_ADDRESS = 2_000;

/** `addressWithLogin`: a user name or password, which everybody would see. */
type WebAddressProblem = 'notAWebAddress' | 'addressWithLogin';

/** Returns null for a valid address. */
export function findWebAddressProblem(text: string): WebAddressProblem | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_ADDRESS || !URL.canParse(trimmed)) return 'notAWebAddress';
  const { protocol, hostname, username, password, href } = new URL(trimmed);
  const isWeb = (protocol === 'https:' || protocol === 'http:') && hostname !== '';
  if (!isWeb || href.length > MAX_ADDRESS) return 'notAWebAddress';
  return username === '' && password === '' ? null : 'addressWithLogin';
}

/** Returns the address as `URL` writes it; null for an invalid one.
 *  @example parseWebAddress(' https://Example.org/a b ') // 'https://example.org/a%20b' */
export function parseWebAddress(text: string): string | null {
  return findWebAddressProblem(text) === null ? new URL(text.trim()).href : null;
}

/** Query parameters whose values are not keys. */
const publicParameters = new Set([
  'set',
  'from',
  'until',
  'metadataPrefix',
  'verb',
  'channel_id',
  'playlist_id',
  'page',
]);

/** Returns an address for display, without user names and query values that may be keys.
 *  @example showWebAddress('https://ada:pw@example.org/feed?page=2&key=abc')
 *  // 'https://example.org/feed?page=2&key=…' */
export function showWebAddress(url: string): string {
  if (!URL.canParse(url)) return url.replace(/\?.*/s, '?…');
  const { protocol, host, pathname, searchParams } = new URL(url);
  const query = [...searchParams].map(([name, value]) => {
    if (publicParameters.has(name)) return `${name}=${value}`;
    return value === '' ? '…' : `${name}=…`;
  });
  return `${protocol}//${host}${pathname}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

export function mayAddressHoldKey(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password, searchParams } = new URL(url);
  return username !== '' || password !== '' || [...searchParams.keys()].some((name) => !publicParameters.has(name));
}

/** Compares origins, ignoring a `www.` before the host.
 *  @example isSameSite('https://lms.example/a', 'https://www.lms.example/b') // true */
export function isSameSite(a: string, b: string): boolean {
  const siteOf = (url: string) => new URL(url).origin.replace('//www.', '//');
  return siteOf(a) === siteOf(b);
}

/** Returns whether a host listens on all addresses of its machine. */
export function isEveryAddress(host: string | undefined): boolean {
  return host === undefined || host === '0.0.0.0' || host === '::';
}

/** Returns the origin at which a host that listens on `host` reaches itself.
 *  @example findLoopbackOrigin('::', 3000) // 'http://127.0.0.1:3000' */
export function findLoopbackOrigin(host: string | undefined, port: number): string {
  const name = host === undefined || isEveryAddress(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Returns true for `localhost` and its subdomains, 127.0.0.0/8 and ::1. */
export function isLoopbackAddress(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Reads the wait of a `Retry-After` header, in seconds or until a date; undefined if unusable.
 *  @example readRetryAfterMs('120', Date.now()) // 120_000 */
export function readRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** Returns where an answer redirects to; null for other answers, and for an invalid address. */
export function findRedirectAddress(status: number, location: string | undefined, base: string): string | null {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return null;
  return URL.canParse(location, base) ? new URL(location, base).href : null;
}
