import type { AppError, ErrorCode, ErrorKind } from '#errors';

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

/** The HTTP status of an error, for every face that answers over HTTP. */
export function toHttpStatus({ code, kind }: Pick<AppError, 'code' | 'kind'>): number {
  return statusOfCode[code] ?? statusOfKind[kind];
}
