import type { ErrorRequestHandler, Response } from 'express';
import type { ErrorResponse } from '#contract/index';
import { AppError } from '#errors';
import { isGivenUp } from '../aborted-with.ts';
import { beginErrorAnswer } from '../app-errors.ts';

/** Every error of the API as JSON. */
export const answerErrors: ErrorRequestHandler = (thrown, request, response, next) => {
  if (response.headersSent) return next(thrown);
  if (isGivenUp(thrown, response)) return;
  const { error, statusCode, message, reference } = beginErrorAnswer(thrown, request, response);
  setRateLimit(response, error);
  const body: ErrorResponse = {
    statusCode,
    code: error.code,
    message,
    ...(error.problems.length > 0 && { details: [...error.problems] }),
    reference,
  };
  response.json(body);
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

export function createApiPathError(path: string): AppError {
  return new AppError('PATH_UNKNOWN', `There is no operation at ${path}. /docs lists them all.`);
}

/** Addresses of the API are plain ASCII; one that cannot even be decoded is malformed rather than unknown.
 *  Errors: PARAMETERS_INVALID. */
export function refuseMalformedApiPath(path: string): void {
  if (!path.includes('%')) return;
  try {
    decodeURIComponent(path);
  } catch (cause) {
    throw new AppError('PARAMETERS_INVALID', 'The path of the address is not valid percent-encoded UTF-8.', {
      cause,
      problems: [{ path: 'path', problem: 'is not valid percent-encoded UTF-8' }],
    });
  }
}
