import { type Dispatcher, request } from 'undici';
import type { Endpoint } from './endpoints.ts';
import { readBytes } from './read-bytes.ts';
import { redirectTo } from './redirects.ts';
import { toTransportError } from './transport-errors.ts';

/** One call of one operation. */
export interface Call extends Endpoint {
  /** The JSON of a POST. */
  readonly body?: string;
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined;
}

/** What came back, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** As the header has it. */
  readonly retryAfter: string | undefined;
}

/** Makes a call.
 *  Errors: UPSTREAM_ADDRESS_REFUSED, UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_FAILED for a redirect that is not
 *  followed, RESPONSE_INVALID for what is no HTTP or too large. */
export type Send = (call: Call) => Promise<Answer>;

export interface SendOptions {
  readonly dispatcher: Dispatcher;
  /** For the whole call, redirects and body included. */
  readonly timeoutMs: number;
}

const MAX_REDIRECTS = 3;

/** The plain way of a call: once, with an end. */
export function createSend({ dispatcher, timeoutMs }: SendOptions): Send {
  return async (call) => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const signal =
      call.signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, call.signal]);
    try {
      // A socket that is still being made cannot be given up, so its answer is no longer waited for.
      return await Promise.race([follow(call, { dispatcher, signal }), rejectWhenAborted(signal)]);
    } catch (error) {
      throw toTransportError(error, call, signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  };
}

interface Way {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

async function follow(call: Call, way: Way, redirects = 0): Promise<Answer> {
  way.signal.throwIfAborted();
  const { statusCode, headers, body } = await request(call.url, {
    method: call.method,
    headers: headersOf(call),
    ...(call.body !== undefined && { body: call.body }),
    ...way,
  });
  const text = new TextDecoder().decode(await readBytes(body));
  const next = redirectTo(call, statusCode, headers.location);
  if (next !== null && redirects < MAX_REDIRECTS) return follow({ ...call, url: next }, way, redirects + 1);
  return { status: statusCode, text, retryAfter: headers['retry-after']?.toString() };
}

function headersOf({ key, body }: Call): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': 'skilldock',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { [key.name]: key.value }),
  };
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}
