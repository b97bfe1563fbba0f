import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { ErrorResponse } from '../../contract/index.ts';
import { AppError, type ErrorCode, type ErrorKind } from '../../errors.ts';

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

/** Where HTTP has a more telling status than the kind's. */
const statusOfCode: Readonly<Partial<Record<ErrorCode, number>>> = {
  BODY_TOO_LARGE: 413,
  MEDIA_TYPE_UNSUPPORTED: 415,
  METHOD_NOT_ALLOWED: 405,
  RESPONSE_INVALID: 502,
};

export const refuseUnknownPaths: RequestHandler = (request) => {
  throw new AppError('PATH_UNKNOWN', `There is no operation at ${request.baseUrl}. /docs lists them all.`);
};

/** Every error of the API as JSON. */
export const answerErrors: ErrorRequestHandler = (error, request, response, next) => {
  if (response.headersSent) return next(error);
  const known = toAppError(error);
  if (known.kind === 'internal') request.log?.error(error);
  if (known.retryAfterSeconds !== undefined) response.set('Retry-After', String(known.retryAfterSeconds));
  const statusCode = statusOfCode[known.code] ?? statusOfKind[known.kind];
  const body: ErrorResponse = {
    statusCode,
    code: known.code,
    message: known.message,
    ...(known.problems.length > 0 && { details: [...known.problems] }),
    reference: String(request.id),
  };
  response.status(statusCode).set('Cache-Control', 'no-store').json(body);
};

/** The body parser and the router mark what the caller did wrong by a type and a status below 500. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { type, status } = error as { type?: unknown; status?: unknown };
  const cause = { cause: error };
  if (type === 'entity.too.large') {
    return new AppError(
      'BODY_TOO_LARGE',
      'The body is larger than 64 kB. Send less, for example a shorter text.',
      cause,
    );
  }
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') {
    return new AppError(
      'MEDIA_TYPE_UNSUPPORTED',
      'The body must be JSON in UTF-8, plain, gzip or deflate.',
      cause,
    );
  }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError(
      'BODY_MALFORMED',
      'The request could not be read: it is not valid JSON or not valid UTF-8.',
      cause,
    );
  }
  return new AppError(
    'INTERNAL',
    'The host made a mistake. It is in its log under the reference; please try again.',
    cause,
  );
}
