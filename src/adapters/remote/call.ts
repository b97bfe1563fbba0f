import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, SentRequest } from '#contract/index';
import { omitUndefined } from '#domain/omit-undefined';
import { readRetryAfterMs } from '#domain/web-address';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { UpstreamConnection } from '#ports/upstream';
import { hideConnectionKeys } from './explain.ts';

export interface Call extends Endpoint {
  readonly body?: string;
  /** The same for each attempt to post one content; a header, as some refuse unknown fields. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal | undefined;
  /** The signal of the caller: unlike `signal`, it is not aborted at the deadline. */
  readonly callerSignal?: AbortSignal | undefined;
  /** When the whole operation has to end, by `performance.now()`. */
  readonly deadlineMs?: number;
}

export interface Endpoint {
  /** The name in the specification, such as `search-provider`. */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Absent if the operation needs none, or the connection has none. */
  readonly key?: KeyHeader;
  readonly isEnteredByOwner?: boolean;
}

interface KeyHeader {
  /** `authorization` is not in the specification; its value begins with the scheme. */
  readonly name: 'x-api-key' | 'x-marketplace-key' | 'authorization';
  readonly value: string;
}

export interface Answer {
  readonly status: number;
  /** The HTTP status, or that of a failure within the answer. */
  readonly effectiveStatus: number;
  readonly text: string;
  /** The parsed JSON; undefined if the text is not JSON. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Sends a call. Errors: UPSTREAM_ADDRESS_REFUSED, UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT;
 *  UPSTREAM_FAILED for a redirect; RESPONSE_INVALID for an answer that is too large, or not
 *  HTTP; the reason of the signal. */
export type Send = (call: Call) => Promise<Answer>;

/** Wraps a call: it may delay, refuse or repeat the call, or learn from the answer. */
export type Policy = (call: Call, send: Send) => Promise<Answer>;

export type Question = SentRequest & { readonly signal?: AbortSignal | undefined };

/** Returns parsed JSON. Errors: those of `locateEndpoint`, `Send`, policies and `readAnswer`. */
export type Ask = (operation: Operation, question?: Question) => Promise<unknown>;

export function createCall(
  connection: UpstreamConnection,
  operation: Operation,
  { query = '', body, idempotencyKey, signal }: Question = {},
): Call {
  const endpoint = locateEndpoint(connection, operation);
  endpoint.url.search = query;
  return { ...endpoint, ...omitUndefined({ body: JSON.stringify(body), idempotencyKey, signal }) };
}

/** Finds an operation by the addresses that an administrator entered:
 *  - Address of the service: `{base_url}` of the specification, such as `https://api.example.org`,
 *  without the paths it defines: `/domcomp/v1/similar`, `/learningobject/v2/provider` and so on.
 *  - Address of a marketplace gateway: `{marketplace_url}` of the specification, up to the last
 *  segment. Only the name of the operation is added, `/provider`, and no version: if the gateway
 *  has one, the entered address includes it. The gateway of a Skilldock is
 *  `https://skills.example.org/marketplace`. A gateway has the six learning-object operations;
 *  Competency operations use the address of the service.
 *  Errors: UPSTREAM_ADDRESS_REFUSED; UPSTREAM_KEY_REFUSED for a key that no header can carry. */
export function locateEndpoint(
  connection: UpstreamConnection,
  { name, method, path, scope, isAtGateway }: Operation,
): Endpoint {
  const gateway = isAtGateway ? connection.marketplace : undefined;
  const url = readBaseAddress(gateway?.url ?? connection.url);
  url.pathname = url.pathname.replace(/\/+$/, '') + (gateway === undefined ? path : `/${name}`);
  const key = scope ? findUpstreamKey(connection, gateway !== undefined) : undefined;
  const { isEnteredByOwner = false } = connection;
  return { operation: name, method, url, isEnteredByOwner, ...omitUndefined({ key }) };
}

/** Writes an address for display, without user name, password, query and keys. */
export function showEndpoint(connection: UpstreamConnection, operation: Operation): string {
  const { url, marketplace } = connection;
  const withoutKeys = { url, ...(marketplace !== undefined && { marketplace: { url: marketplace.url } }) };
  try {
    const endpoint = locateEndpoint(withoutKeys, operation);
    return hideConnectionKeys(endpoint.url.origin + endpoint.url.pathname, connection);
  } catch {
    return operation.path;
  }
}

const PRINTABLE = /^[\x20-\x7e]+$/;

function findUpstreamKey({ apiKey, marketplace }: UpstreamConnection, isGateway: boolean): KeyHeader | undefined {
  const value = isGateway ? marketplace?.key : apiKey;
  if (!value) return undefined;
  if (!PRINTABLE.test(value))
    throw new AppError(
      'UPSTREAM_KEY_REFUSED',
      'The key cannot be sent: it has characters in it that keys do not have. Copy it again.',
      { data: { detail: 'The key has characters in it that keys do not have.' } },
    );
  return { name: isGateway ? 'x-marketplace-key' : 'x-api-key', value };
}

/** Reads an entered address, which no error names, as it may hold a password or a key. */
function readBaseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw createBaseAddressError('is not a web address. Enter one such as https://api.example.org.');
  if (url.username !== '' || url.password !== '')
    throw createBaseAddressError('has a user name or password in it. Leave them out; keys have fields of their own.');
  if (url.search !== '' || url.hash !== '')
    throw createBaseAddressError('has a ? or # in it. Enter only what stands before.');
  return url;
}

const createBaseAddressError = (problem: string): AppError =>
  new AppError('UPSTREAM_ADDRESS_REFUSED', `The address of the service ${problem}`);

/** Whether a failed call ended too early to show the state of the service: the caller aborted it,
 *  or the deadline of the operation passed within `minTimeMs` of its start.
 *  @param startedMs by `performance.now()` */
export function isCallGivenUp({ signal, callerSignal }: Call, startedMs: number, minTimeMs: number): boolean {
  if (callerSignal?.aborted) return true;
  return signal?.aborted === true && performance.now() - startedMs < minTimeMs;
}

/** Maximum number of seconds: longer waits that a service asks for are reduced to this. */
const MAX_RETRY_AFTER_SECONDS = 3600;

/** Reads seconds or a date, as whole seconds. Undefined if the header is unusable.
 *  @example readRetryAfter('120', clock) // 120 */
export function readRetryAfter(header: string | undefined, clock: Clock): number | undefined {
  const waitMs = readRetryAfterMs(header, clock.now().getTime());
  return waitMs === undefined ? undefined : Math.min(Math.max(Math.ceil(waitMs / 1_000), 1), MAX_RETRY_AFTER_SECONDS);
}
