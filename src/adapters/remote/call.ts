import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '#ports/clock';
import type { Endpoint } from './endpoints.ts';

/** One call of one operation. */
export interface Call extends Endpoint {
  /** The JSON of a POST. */
  readonly body?: string;
  /** The same each time the same thing is posted. A header, because a service may refuse fields it does not know. */
  readonly idempotencyKey?: string;
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined;
  /** The caller's part of the signal: it is not aborted when the operation's time is over. */
  readonly callerSignal?: AbortSignal | undefined;
  /** When the time of the whole operation is over, by `performance.now()`. */
  readonly deadlineMs?: number;
}

/** What came back, whatever its status. */
export interface Answer {
  readonly status: number;
  /** The same, or the status of a failure within the answer. */
  readonly effectiveStatus: number;
  readonly text: string;
  /** The parsed JSON; undefined where the text is not JSON. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Makes a call.
 *  Errors: UPSTREAM_ADDRESS_REFUSED, UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_FAILED for a redirect that is not followed,
 *  RESPONSE_INVALID for what is not HTTP or too large; the reason of the call's signal once that is aborted. */
export type Send = (call: Call) => Promise<Answer>;

/** What stands around a call: it may wait, refuse, repeat, or learn from the answer. */
export type Policy = (call: Call, send: Send) => Promise<Answer>;

/** Whether a failed call was ended before it could tell anything about the service: by its caller, or so soon after its start,
 *  because the operation's time was over, that nobody could have answered.
 *  @param startedMs by `performance.now()`
 *  @param minTimeMs after this, a call without an answer is late */
export function isCallGivenUp({ signal, callerSignal }: Call, startedMs: number, minTimeMs: number): boolean {
  if (callerSignal?.aborted) return true;
  return signal?.aborted === true && performance.now() - startedMs < minTimeMs;
}

/** No other host can make anybody wait longer than this. */
const MAX_SECONDS = 3600;

/** Whole seconds of a `Retry-After` header, which has seconds or a date; undefined where it cannot be used.
 *  @example readCallRetryAfter('120', clock) // 120 */
export function readCallRetryAfter(header: string | undefined, clock: Clock): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\s*\d{1,9}\s*$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - clock.now().getTime()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), MAX_SECONDS);
}
