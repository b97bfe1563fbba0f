import { AppError } from '../../errors.ts';
import { toLine } from './explain.ts';
import type { Call } from './send.ts';

/** The first pattern that fits an error's code says what happened. */
const reasons: readonly (readonly [code: RegExp, what: string])[] = [
  [/^(?:ENOTFOUND|EAI_)/, 'its name cannot be resolved'],
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    'the connection was broken off',
  ],
  [/^E(?:HOST|NET)(?:UNREACH|DOWN)$/, 'there is no way to it from here'],
  [
    /CERT|SSL|TLS|^EPROTO$/,
    'no safe connection can be made, for example because its certificate is not accepted',
  ],
];

const TIMED_OUT = /TIMEOUT|^ETIMEDOUT$/;
const NOT_HTTP = /^(?:HPE_|HTTPParserError$|UND_ERR_HEADERS_OVERFLOW)/;

/** A failure to get any answer, in our words. The thrown error does not go along whole: it can hold bytes of the answer
 *  or of the request, and a key among them.
 *  @param wasGivenUp whether the time of the call was over, or its caller wanted no answer any more */
export function toTransportError(
  error: unknown,
  { operation, url, key }: Call,
  wasGivenUp: boolean,
): AppError {
  if (error instanceof AppError) return error;
  const { code, message } = describe(error);
  const cause = new Error(toLine(`${code} ${message}`, key?.value) ?? code);
  const options = { cause, data: { operation } };
  if (wasGivenUp || TIMED_OUT.test(code))
    return new AppError(
      'UPSTREAM_TIMEOUT',
      `${url.host} did not answer ${operation} in time. Try again later.`,
      options,
    );
  if (NOT_HTTP.test(code))
    return new AppError(
      'RESPONSE_INVALID',
      `What ${url.host} answers to ${operation} is no HTTP. Check the address and its port.`,
      options,
    );
  const what = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'the connection failed';
  return new AppError(
    'UPSTREAM_UNREACHABLE',
    `${url.host} cannot be reached for ${operation}: ${what} (${code}). Check the address, or try again later.`,
    options,
  );
}

function describe(error: unknown): { code: string; message: string } {
  const { code, name, message } = error as Readonly<Record<string, unknown>>;
  // Errors of the web platform have a number there.
  return { code: String(typeof code === 'string' ? code : name), message: String(message ?? '') };
}
