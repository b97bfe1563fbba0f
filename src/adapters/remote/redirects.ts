import { AppError } from '../../errors.ts';
import { hideKey } from './hide-key.ts';
import type { Call } from './send.ts';

/** Where a call is to be made again; null where this is no redirect.
 *  Only the same origin is followed: a key given for one host is not for another, not even for the same one in clear.
 *  Errors: UPSTREAM_FAILED for every other redirect, naming the origin it leads to. */
export function redirectTo(
  { url, method, operation, key }: Call,
  status: number,
  location: string | string[] | undefined,
): URL | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const target =
    typeof location === 'string' && URL.canParse(location, url.href) ? new URL(location, url) : null;
  // What is posted is posted again only where the service asks for that.
  const isSameCall = method === 'GET' || status === 307 || status === 308;
  if (target !== null && target.origin === url.origin && isSameCall) return target;
  const where = target === null ? 'nowhere that can be read' : hideKey(target.origin, key?.value);
  throw new AppError(
    'UPSTREAM_FAILED',
    `${url.host} answers ${operation} by sending us on to ${where}, where we do not follow. Enter the address where the service really is.`,
    { data: { status, operation, detail: `Redirect to ${where}` } },
  );
}
