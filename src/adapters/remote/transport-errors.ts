import { AppError, hasErrorCode } from '#errors';
import type { Call } from './call.ts';
import { toReasonLine } from './explain.ts';

/** `unmade`: there was no connection, so no request arrived; `late`: the same, after a long wait;
 *  `broken`: the request may have arrived; `hopeless`: another try would fail in the same way. */
type ConnectionFailure = 'unmade' | 'late' | 'broken' | 'hopeless';

const CONNECT_TIMED_OUT = /^UND_ERR_CONNECT_TIMEOUT$/;

/** Reasons by the code of an error, of which the first matching pattern counts. */
const reasons: readonly (readonly [code: RegExp, connection: ConnectionFailure, problem: string])[] = [
  [/^(?:ENOTFOUND|EAI_)/, 'unmade', 'its name cannot be resolved'],
  [/^ECONNREFUSED$/, 'unmade', 'nothing listens there'],
  [CONNECT_TIMED_OUT, 'late', 'no connection came about in time'],
  [
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    'broken',
    'the connection was broken off',
  ],
  [/^E(?:HOST|NET)(?:UNREACH|DOWN)$/, 'unmade', 'there is no way to it from here'],
  [
    /CERT|SSL|TLS|^EPROTO$/,
    'hopeless',
    'no safe connection can be made, for example because its certificate is not accepted',
  ],
  [/^UND_ERR_(?:DESTROYED|CLOSED)$/, 'hopeless', 'this host is stopping'],
];

const TIMED_OUT = /TIMEOUT|^ETIMEDOUT$/;
const NOT_HTTP = /^(?:HPE_|HTTPParserError$|UND_ERR_HEADERS_OVERFLOW)/;

/** Makes the error of a call without an answer. The thrown error can contain bytes of the answer or
 *  the request, even a key. UPSTREAM_UNREACHABLE has a `ConnectionFailure` as `data.connection`. */
export function toTransportError(error: unknown, call: Call): AppError {
  if (error instanceof AppError) return error;
  const { operation, url, key } = call;
  const { code, message } = readTransportCause(error);
  const cause = new Error(toReasonLine(`${code} ${message}`, key?.value) ?? code);
  if (TIMED_OUT.test(code) && !CONNECT_TIMED_OUT.test(code)) return createTimeoutError(call, cause);
  if (NOT_HTTP.test(code))
    return new AppError(
      'RESPONSE_INVALID',
      `The answer of ${url.host} to ${operation} is not HTTP. Check the address and its port.`,
      { cause, data: { operation } },
    );
  const { connection, problem } = findTransportReason(code);
  return new AppError(
    'UPSTREAM_UNREACHABLE',
    `${url.host} cannot be reached for ${operation}: ${problem} (${code}). Check the address, or try again later.`,
    { cause, data: { operation, connection } },
  );
}

/** Finds the reason of a failure by a code of Node, its TLS or undici. */
export function findTransportReason(code: string): Readonly<{ connection: ConnectionFailure; problem: string }> {
  const reason = reasons.find(([pattern]) => pattern.test(code));
  if (reason === undefined) return { connection: 'broken', problem: 'the connection failed' };
  const [, connection, problem] = reason;
  return { connection, problem };
}

export function createTimeoutError({ operation, url }: Call, cause?: Error): AppError {
  return new AppError('UPSTREAM_TIMEOUT', `${url.host} did not answer ${operation} in time. Try again later.`, {
    cause,
    data: { operation },
  });
}

/** Whether the service is not there, or did not answer in time. */
export const isSilenceError = (error: unknown): error is AppError =>
  hasErrorCode(error, 'UPSTREAM_UNREACHABLE', 'UPSTREAM_TIMEOUT');

/** Whether a long time passed without an answer, or without a connection. */
export function isLateError(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const connection: unknown = error.data.connection;
  return error.code === 'UPSTREAM_TIMEOUT' || connection === ('late' satisfies ConnectionFailure);
}

export function readTransportCause(error: unknown): { code: string; message: string } {
  // Of several addresses, all but the last are given up so soon that their errors mean little.
  const last: unknown = error instanceof AggregateError ? (error.errors.at(-1) ?? error) : error;
  const { code, name, message } = last as Readonly<Record<string, unknown>>;
  // Errors of the web platform have a number there.
  return { code: String(typeof code === 'string' ? code : name), message: String(message ?? '') };
}
