import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { runWithDeadline } from '#domain/async/deadline';
import { readUpTo } from '#domain/async/read-up-to';
import { omitUndefined } from '#domain/omit-undefined';
import { parseJson } from '#domain/text';
import { AppError } from '#errors';
import type { Answer, Call, Send } from './call.ts';
import { hideKey } from './explain.ts';
import { createTimeoutError, toTransportError } from './transport-errors.ts';

export interface SendOptions {
  readonly dispatcher: Dispatcher;
  /** Limit of a call with its redirects and body. */
  readonly timeoutMs: number;
  readonly maxBytes?: number;
}

const MAX_REDIRECTS = 3;

export function createCallSender({ timeoutMs, ...options }: SendOptions): Send {
  return (call) =>
    runWithDeadline({ timeoutMs, signal: call.signal, createLateError: () => createTimeoutError(call) }, (signal) =>
      sendAndFollow(call, { ...options, signal }).catch((error: unknown) => {
        throw toTransportError(error, call);
      }),
    );
}

type SendContext = Omit<SendOptions, 'timeoutMs'> & { readonly signal: AbortSignal };

async function sendAndFollow(call: Call, context: SendContext, redirects = 0): Promise<Answer> {
  context.signal.throwIfAborted();
  const { statusCode, headers, body } = await request(call.url, {
    method: call.method,
    headers: omitUndefined({
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'skilldock',
      'content-type': call.body && 'application/json',
      'idempotency-key': call.idempotencyKey,
      ...(call.key !== undefined && { [call.key.name]: call.key.value }),
    }),
    ...(call.body !== undefined && { body: call.body }),
    dispatcher: context.dispatcher,
    signal: context.signal,
  });
  const bytes = await readBytes(body, context.maxBytes);
  const text = new TextDecoder().decode(bytes);
  const next = findRedirect(call, statusCode, headers.location);
  if (next !== null && redirects < MAX_REDIRECTS) return sendAndFollow({ ...call, url: next }, context, redirects + 1);
  const isExcessive = isExcessiveJson(bytes);
  if (isExcessive && statusCode >= 200 && statusCode < 300)
    throw new AppError(
      'RESPONSE_INVALID',
      `The answer of ${call.url.host} to ${call.operation} nests deeper or has more values than any operation needs. Its operator has to look at it.`,
    );
  const json = isExcessive ? undefined : parseJson(text);
  const effectiveStatus = readEffectiveStatus(statusCode, json);
  return { status: statusCode, effectiveStatus, text, body: json, headers };
}

/** Some gateways answer 200 for a failure; only `statusCode` in the envelope shows it. */
function readEffectiveStatus(status: number, body: unknown): number {
  if (status !== 200 || typeof body !== 'object' || body === null) return status;
  const inner = (body as { statusCode?: unknown }).statusCode;
  return typeof inner === 'number' && inner >= 400 && inner < 600 ? inner : status;
}

/** Finds a redirect. Errors: UPSTREAM_FAILED for another origin, which a key must not reach. */
function findRedirect(call: Call, status: number, location: string | string[] | undefined): URL | null {
  const { url, method, operation, key } = call;
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const target = typeof location === 'string' && URL.canParse(location, url.href) ? new URL(location, url) : null;
  // A POST is repeated as a POST only if the status asks for that.
  const isSameCall = method === 'GET' || status === 307 || status === 308;
  if (target !== null && target.origin === url.origin && isSameCall) return target;
  const place = target === null ? 'nowhere that can be read' : hideKey(target.origin, key?.value);
  throw new AppError(
    'UPSTREAM_FAILED',
    `${url.host} answers ${operation} by sending us on to ${place}, where we do not follow. Enter the address where the service really is.`,
    { data: { status, operation, detail: `Redirect to ${place}` } },
  );
}

const MB = 1024 * 1024;

/** Limit of an answer: far more than a page of learning objects or a list of providers has. */
const MAX_BYTES = 2 * MB;

const unpack = promisify(gunzip);

/** Reads a body, and unpacks gzip, whatever headers say. Errors: RESPONSE_INVALID. */
async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number = MAX_BYTES): Promise<Uint8Array> {
  const { bytes, isLonger } = await readUpTo(body, maxBytes);
  if (isLonger) throw createTooLargeError(maxBytes);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpackBounded(bytes, maxBytes) : bytes;
}

async function unpackBounded(packed: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await unpack(packed, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw createTooLargeError(maxBytes);
    throw new AppError(
      'RESPONSE_INVALID',
      'The answer of the service cannot be unpacked. Its operator has to look at it.',
      { cause },
    );
  }
}

function createTooLargeError(maxBytes: number): AppError {
  return new AppError(
    'RESPONSE_INVALID',
    `The answer of the service is larger than ${maxBytes / MB} MB, which none of its operations needs. Its operator has to look at it.`,
  );
}

// Limits far above any answer: parsing more would block the host.
const MAX_DEPTH = 64;
const MAX_VALUES = 200_000;
const MAX_NAMES = 2_000;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Whether JSON nests more than 64 deep, has more than 200,000 values, or an object of more than
 *  2,000 names. Reads bytes without parsing them, in a few milliseconds for each megabyte.
 *  @param json in UTF-8; other text may give either answer */
export function isExcessiveJson(json: Uint8Array): boolean {
  // For each open list or object, how many names it may still have; lists have any number.
  const namesLeft: number[] = [];
  let values = 1;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) {
      const allowed = (namesLeft.pop() ?? Number.POSITIVE_INFINITY) - 1;
      namesLeft.push(allowed);
      if (++values > MAX_VALUES || allowed <= 0) return true;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      namesLeft.push(byte === OPEN_OBJECT ? MAX_NAMES : Number.POSITIVE_INFINITY);
      if (++values > MAX_VALUES || namesLeft.length > MAX_DEPTH) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) namesLeft.pop();
  }
  return false;
}
