const MAX_ADDRESS = 2_000;

/** Why a text cannot be the address of a page: it is no web address, or has a user name or
 *  password, which would be shown to all. */
type WebAddressProblem = 'notAWebAddress' | 'addressWithLogin';

/** Null when it can be used. */
export function findWebAddressProblem(text: string): WebAddressProblem | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_ADDRESS || !URL.canParse(trimmed)) return 'notAWebAddress';
  const { protocol, hostname, username, password, href } = new URL(trimmed);
  const isWeb = (protocol === 'https:' || protocol === 'http:') && hostname !== '';
  if (!isWeb || href.length > MAX_ADDRESS) return 'notAWebAddress';
  return username === '' && password === '' ? null : 'addressWithLogin';
}

/** Normalizes an address; null where it cannot be used.
 *  @example parseWebAddress(' https://Example.org/a b ') // 'https://example.org/a%20b' */
export function parseWebAddress(text: string): string | null {
  return findWebAddressProblem(text) === null ? new URL(text.trim()).href : null;
}

/** Query parameters that only select content; the value of any other may be a key. */
const open = new Set(['set', 'from', 'until', 'metadataPrefix', 'verb', 'channel_id', 'playlist_id', 'page']);

/** An address to be shown, without user names and without values of query parameters that may be
 *  keys.
 *  @example showWebAddress('https://ada:pw@example.org/feed?page=2&key=abc') //
 *  'https://example.org/feed?page=2&key=…' */
export function showWebAddress(url: string): string {
  if (!URL.canParse(url)) return url.replace(/\?.*/s, '?…');
  const { protocol, host, pathname, searchParams } = new URL(url);
  const query = [...searchParams].map(([name, value]) => {
    if (open.has(name)) return `${name}=${value}`;
    return value === '' ? '…' : `${name}=…`;
  });
  return `${protocol}//${host}${pathname}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** Whether `showWebAddress` leaves something out. */
export function mayHoldKey(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password, searchParams } = new URL(url);
  return username !== '' || password !== '' || [...searchParams.keys()].some((name) => !open.has(name));
}

/** Whether two addresses have one origin, but for a `www.` before the host.
 *  @example isSameSite('https://lms.example/a', 'https://www.lms.example/b') // true */
export function isSameSite(one: string, other: string): boolean {
  const [site, otherSite] = [one, other].map((url) => new URL(url).origin.replace('//www.', '//'));
  return site === otherSite;
}

/** Whether listening on `host` means every address of the machine. */
export function isEveryAddress(host: string | undefined): boolean {
  return host === undefined || host === '0.0.0.0' || host === '::';
}

/** The origin at which a host that listens on `host` reaches itself.
 *  @example findLoopbackOrigin('::', 3000) // 'http://127.0.0.1:3000' */
export function findLoopbackOrigin(host: string | undefined, port: number): string {
  const name = host === undefined || isEveryAddress(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Whether an address names the machine it is used on: `localhost` and names below it, 127.0.0.0/8,
 *  ::1. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
