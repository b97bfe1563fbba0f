import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, request } from 'undici';
import type { Endpoint } from './endpoints.ts';
import { parseJson } from './explain.ts';
import { readBytes } from './read-bytes.ts';
import { redirectTo } from './redirects.ts';
import { toTransportError } from './transport-errors.ts';
import { withDeadline } from './with-deadline.ts';

/** One call of one operation. */
export interface Call extends Endpoint {
  /** The JSON of a POST. */
  readonly body?: string;
  /** The same each time the same thing is posted. A header, because a service may refuse fields it does not know. */
  readonly idempotencyKey?: string;
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined;
  /** The part of it that is the caller's: it does not give up because the time of the operation is over. */
  readonly callerSignal?: AbortSignal | undefined;
  /** When the time of the whole operation is over, by `performance.now()`. */
  readonly deadlineMs?: number;
}

/** What came back, whatever its status. */
export interface Answer {
  readonly status: number;
  /** The same, or of what failed within the answer. */
  readonly effectiveStatus: number;
  readonly text: string;
  /** The parsed JSON; undefined where the text is none. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Makes a call.
 *  Errors: UPSTREAM_ADDRESS_REFUSED, UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_FAILED for a redirect that is not
 *  followed, RESPONSE_INVALID for what is no HTTP or too large; the reason of the call's signal where that gives it up. */
export type Send = (call: Call) => Promise<Answer>;

export interface SendOptions {
  readonly dispatcher: Dispatcher;
  /** For the whole call, redirects and body included. */
  readonly timeoutMs: number;
  /** Of an answer; see `readBytes`. */
  readonly maxBytes?: number;
}

const MAX_REDIRECTS = 3;

/** The plain way of a call: once, with an end. */
export function createSend({ timeoutMs, ...options }: SendOptions): Send {
  return (call) =>
    withDeadline(call, timeoutMs, (signal) =>
      follow(call, { ...options, signal }).catch((error: unknown) => {
        throw toTransportError(error, call);
      }),
    );
}

interface Way extends Omit<SendOptions, 'timeoutMs'> {
  readonly signal: AbortSignal;
}

async function follow(call: Call, way: Way, redirects = 0): Promise<Answer> {
  way.signal.throwIfAborted();
  const { statusCode, headers, body } = await request(call.url, {
    method: call.method,
    headers: headersOf(call),
    ...(call.body !== undefined && { body: call.body }),
    dispatcher: way.dispatcher,
    signal: way.signal,
  });
  const text = new TextDecoder().decode(await readBytes(body, way.maxBytes));
  const next = redirectTo(call, statusCode, headers.location);
  if (next !== null && redirects < MAX_REDIRECTS) return follow({ ...call, url: next }, way, redirects + 1);
  const json = parseJson(text);
  return {
    status: statusCode,
    effectiveStatus: effectiveStatusOf(statusCode, json),
    text,
    body: json,
    headers,
  };
}

/** Some gateways answer 200 around a failure of what stands behind them, and only the envelope's `statusCode` tells. */
function effectiveStatusOf(status: number, body: unknown): number {
  if (status !== 200 || typeof body !== 'object' || body === null) return status;
  const inner = (body as { statusCode?: unknown }).statusCode;
  return typeof inner === 'number' && inner >= 400 && inner < 600 ? inner : status;
}

function headersOf({ key, body, idempotencyKey }: Call): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': 'skilldock',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(key !== undefined && { [key.name]: key.value }),
  };
}
