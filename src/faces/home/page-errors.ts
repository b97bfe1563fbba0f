import type { ErrorRequestHandler, RequestHandler } from 'express';
import { AppError, type ErrorKind } from '../../errors.ts';
import { httpStatusOf } from '../http-status.ts';
import { renderErrorPage } from './home-face.ts';

const titles: Readonly<Record<ErrorKind, string>> = {
  invalid: 'That cannot be used',
  unauthenticated: 'Please sign in',
  forbidden: 'Not allowed',
  not_found: 'There is nothing here',
  conflict: 'That does not fit any more',
  rate_limited: 'A moment, please',
  unavailable: 'Not available right now',
  internal: 'Something went wrong',
};

/** The last handlers of the host: every address nobody served, and every error, becomes a page. */
export const refuseUnknownPages: RequestHandler = () => {
  throw new AppError(
    'PATH_UNKNOWN',
    'No page has this address. The search and the ways to connect are on the front page.',
  );
};

export const showErrors: ErrorRequestHandler = (error, request, response, next) => {
  if (response.headersSent) return next(error);
  const known = toAppError(error);
  if (known.kind === 'internal') request.log.error(error);
  if (known.retryAfterSeconds !== undefined) response.set('Retry-After', String(known.retryAfterSeconds));
  response
    .status(httpStatusOf[known.kind])
    .type('html')
    .send(renderErrorPage(titles[known.kind], known.message, String(request.id)));
};

/** Express and its parsers mark what the caller did wrong by a status below 500. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const status = (error as { status?: unknown }).status;
  if (status === 413)
    return new AppError('BODY_TOO_LARGE', 'The text is too long. Shorten it and try again.', {
      cause: error,
    });
  if (typeof status === 'number' && status < 500) {
    return new AppError('PARAMETERS_INVALID', 'The request could not be read. Go back and try again.', {
      cause: error,
    });
  }
  return new AppError(
    'INTERNAL',
    'The host made a mistake. It is in the log under the reference below; please try again.',
    {
      cause: error,
    },
  );
}
