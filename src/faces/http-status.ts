import type { ErrorKind } from '../errors.ts';

/** The HTTP status of each kind of error, for every face that answers over HTTP. */
export const httpStatusOf: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
};
