import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { AppError, type ErrorCode, type ErrorKind } from '#errors';

/** Shown in place of messages that can name files of the host. */
const publicMessages: Readonly<Partial<Record<ErrorKind, string>>> = {
  internal: 'The host made a mistake. It is in its log under the reference; please try again.',
  unavailable: 'The host cannot answer at the moment. Please try again later.',
};

/** Hides files and upstreams of the host; undefined if the error's own message may be shown. */
function writePublicErrorMessage({ code, kind, data, retryAfterSeconds }: AppError): string | undefined {
  const retry = retryAfterSeconds === undefined ? 'Try again later.' : `Try again in ${retryAfterSeconds} s.`;
  if (code === 'UPSTREAM_THROTTLED') return `${describeAllowedRequests(data)} ${retry}`;
  if (code.startsWith('UPSTREAM_'))
    return 'The service behind this host cannot answer at the moment. Please try again later.';
  return publicMessages[kind];
}

const unitsOfTime: ReadonlyMap<number, string> = new Map([
  [1_000, 'a second'],
  [60_000, 'a minute'],
  [3_600_000, 'an hour'],
  [86_400_000, 'a day'],
]);

/** Writes how many requests the upstream allows, as far as the error states it. */
function describeAllowedRequests({ limit, windowMs }: AppError['data']): string {
  if (typeof limit !== 'number' || typeof windowMs !== 'number')
    return 'The service behind this host allows no more requests at the moment.';
  const requests = limit === 1 ? '1 request' : `${limit.toLocaleString('en')} requests`;
  const time = unitsOfTime.get(windowMs) ?? `in ${Math.ceil(windowMs / 1_000)} s`;
  return `The key of this host at the service behind it allows ${requests} ${time}.`;
}

export interface PublicError {
  readonly error: AppError;
  readonly statusCode: number;
  /** Safe to show to anyone; `error.message` is not. */
  readonly message: string;
  readonly reference: string;
}

/** Sets status and headers of the answer, and logs a fault of the host. The face adds the body. */
export function beginErrorAnswer(thrown: unknown, request: Request, response: Response): PublicError {
  const { isFault, ...publicError } = toPublicError(thrown, request.id);
  const { error, statusCode, reference } = publicError;
  if (isFault) request.log?.error({ err: thrown, reference });
  response.status(statusCode).set('Cache-Control', 'no-store');
  if (error.retryAfterSeconds !== undefined) response.set('Retry-After', String(error.retryAfterSeconds));
  return publicError;
}

/** Tells whether the work ended because the client has left, so that nothing has failed. */
function isRequestGivenUp(thrown: unknown, response: Response): boolean {
  return response.destroyed && thrown instanceof DOMException && thrown.name === 'AbortError';
}

/** Creates the last handler of a face. A client that has left gets no answer. */
export function answerErrorsBy(
  send: (error: PublicError, request: Request, response: Response) => void,
): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    if (!isRequestGivenUp(thrown, response)) send(beginErrorAnswer(thrown, request, response), request, response);
  };
}

/** Returns what may be shown; `isFault` says that the host, or a service behind it, failed. */
export function toPublicError(
  thrown: unknown,
  id: unknown = randomUUID(),
): PublicError & { readonly isFault: boolean } {
  const error = toAppError(thrown);
  const publicMessage = writePublicErrorMessage(error);
  const message = publicMessage ?? error.message;
  const isFault = publicMessage !== undefined;
  return { error, statusCode: toHttpStatus(error), message, reference: String(id), isFault };
}

/** Body parsers and the router mark mistakes of the caller by a type and a status below 500. */
function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { type, status, limit } = (thrown ?? {}) as Readonly<Record<string, unknown>>;
  const cause = { cause: thrown };
  if (type === 'entity.too.large') {
    const allowed = typeof limit === 'number' ? `${Math.floor(limit / 1024)} kB` : 'what is allowed here';
    const message = `The body is larger than ${allowed}. Send less, for example a shorter text.`;
    return new AppError('BODY_TOO_LARGE', message, cause);
  }
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') {
    const message =
      'The character set or the Content-Encoding of the body is not taken here. Send UTF-8, uncompressed.';
    return new AppError('MEDIA_TYPE_UNSUPPORTED', message, cause);
  }
  if (thrown instanceof URIError) {
    const message = 'The path of the address is not valid percent-encoded UTF-8.';
    return new AppError('PARAMETERS_INVALID', message, cause);
  }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    const message = 'The body could not be read: it is malformed or not valid UTF-8.';
    return new AppError('BODY_MALFORMED', message, cause);
  }
  return new AppError('INTERNAL', 'An unexpected error, see its cause.', cause);
}

const statusOfKind: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
};

/** Codes for which HTTP has a more precise status than for their kind. */
const statusOfCode: Readonly<Partial<Record<ErrorCode, number>>> = {
  BODY_TOO_LARGE: 413,
  UPLOAD_TOO_LARGE: 413,
  MEDIA_TYPE_UNSUPPORTED: 415,
  METHOD_NOT_ALLOWED: 405,
  RESPONSE_INVALID: 502,
  UPSTREAM_UNREACHABLE: 502,
  UPSTREAM_FAILED: 502,
  UPSTREAM_KEY_REFUSED: 502,
  UPSTREAM_ADDRESS_REFUSED: 502,
  UPSTREAM_TIMEOUT: 504,
};

export function toHttpStatus({ code, kind }: Pick<AppError, 'code' | 'kind'>): number {
  return statusOfCode[code] ?? statusOfKind[kind];
}
