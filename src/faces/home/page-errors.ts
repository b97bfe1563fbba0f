import type { ErrorRequestHandler, RequestHandler } from 'express';
import { AppError, type ErrorKind, isPassing } from '../../errors.ts';
import { isGivenUp } from '../aborted-with.ts';
import { beginErrorAnswer } from '../app-errors.ts';
import { views } from '../views.ts';

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

/** A page that says what happened and what to do. */
export const showErrors: ErrorRequestHandler = (thrown, request, response, next) => {
  if (response.headersSent) return next(thrown);
  if (isGivenUp(thrown, response)) return;
  const { error, message, reference } = beginErrorAnswer(thrown, request, response);
  const canRetry = request.method === 'GET' && isPassing(error);
  const model = { title: titles[error.kind], message, reference, canRetry };
  response.type('html').send(views.render('error', model));
};
