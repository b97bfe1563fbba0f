import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { ErrorResponse } from '../../contract/index.ts';
import { AppError, type ErrorCode, type ErrorKind } from '../../errors.ts';
import { httpStatusOf } from '../http-status.ts';

/** Where HTTP has a more telling status than the kind's. */
const statusOfCode: Readonly<Partial<Record<ErrorCode, number>>> = {
  BODY_TOO_LARGE: 413,
  MEDIA_TYPE_UNSUPPORTED: 415,
  METHOD_NOT_ALLOWED: 405,
  RESPONSE_INVALID: 502,
};

/** What may be said to anyone of an error that is the host's own: its message can name files of the host. */
const publicMessages: Readonly<Partial<Record<ErrorKind, string>>> = {
  internal: 'The host made a mistake. It is in its log under the reference; please try again.',
  unavailable: 'The host cannot answer at the moment. Please try again later.',
};

export const refuseUnknownPaths: RequestHandler = (request) => {
  const path = request.originalUrl.split('?', 1)[0];
  throw new AppError('PATH_UNKNOWN', `There is no operation at ${path}. /docs lists them all.`);
};

/** Every error of the API as JSON. */
export const answerErrors: ErrorRequestHandler = (error, request, response, next) => {
  if (response.headersSent) return next(error);
  const known = toAppError(error);
  const reference = String(request.id ?? randomUUID());
  const publicMessage = publicMessages[known.kind];
  if (publicMessage !== undefined) request.log?.error({ err: error, reference });
  if (known.retryAfterSeconds !== undefined) response.set('Retry-After', String(known.retryAfterSeconds));
  setRateLimit(response, known);
  const statusCode = statusOfCode[known.code] ?? httpStatusOf[known.kind];
  const body: ErrorResponse = {
    statusCode,
    code: known.code,
    message: publicMessage ?? known.message,
    ...(known.problems.length > 0 && { details: [...known.problems] }),
    reference,
  };
  response.status(statusCode).set('Cache-Control', 'no-store').json(body);
};

/** The window of a key that is used up. */
function setRateLimit(response: Response, { code, data }: AppError): void {
  if (code !== 'RATE_LIMITED') return;
  response.set({
    'RateLimit-Limit': String(data.limit),
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': String(data.resetSeconds),
  });
}

/** Addresses of the API are plain ASCII; one that cannot even be decoded is malformed rather than unknown. */
export const refuseMalformedPaths: RequestHandler = (request, _response, next) => {
  try {
    decodeURIComponent(request.path);
  } catch (cause) {
    throw new AppError('PARAMETERS_INVALID', 'The path of the address is not valid percent-encoded UTF-8.', {
      cause,
      problems: [{ path: 'path', problem: 'is not valid percent-encoded UTF-8' }],
    });
  }
  next();
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
  return new AppError('INTERNAL', 'An unexpected error, see its cause.', cause);
}
