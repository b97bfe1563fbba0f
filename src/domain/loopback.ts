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
