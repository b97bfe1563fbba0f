import type { Clock } from '../../ports/clock.ts';

/** Nobody is made to wait longer for what another host says. */
const MAX_SECONDS = 3600;

/** Whole seconds of a `Retry-After` header, which has seconds or a date; undefined where it says nothing of use. */
export function readRetryAfter(header: string | undefined, clock: Clock): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\s*\d{1,9}\s*$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - clock.now().getTime()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), MAX_SECONDS);
}
