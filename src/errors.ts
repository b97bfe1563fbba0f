/** What went wrong, seen from the caller; each face turns a kind into its own words (an HTTP status, a page, a message). */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

/** Every error code of Skilldock with its kind. `docs/errors.md` explains each one; a test holds the two together. */
export const errorKinds = {
  PARAMETERS_INVALID: 'invalid',
  BODY_MALFORMED: 'invalid',
  BODY_TOO_LARGE: 'invalid',
  MEDIA_TYPE_UNSUPPORTED: 'invalid',
  METHOD_NOT_ALLOWED: 'invalid',
  REQUEST_ID_INVALID: 'invalid',
  PLACE_UNKNOWN: 'invalid',
  KEY_MISSING: 'unauthenticated',
  KEY_UNKNOWN: 'forbidden',
  KEY_SCOPE: 'forbidden',
  PATH_UNKNOWN: 'not_found',
  PROVIDER_UNKNOWN: 'not_found',
  API_KEY_NOT_FOUND: 'not_found',
  RATE_LIMITED: 'rate_limited',
  RESPONSE_INVALID: 'unavailable',
  CONFIG_INVALID: 'invalid',
  CATALOG_INVALID: 'invalid',
  DATA_DIR_UNWRITABLE: 'unavailable',
  LISTEN_FAILED: 'conflict',
  STORE_UNAVAILABLE: 'unavailable',
  SNAPSHOT_INVALID: 'internal',
  INTERNAL: 'internal',
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** One thing wrong with one parameter or field, named by its path as the caller wrote it (`levelMax`, `tags[2]`). */
export interface Problem {
  readonly path: string;
  readonly problem: string;
}

export interface AppErrorOptions {
  readonly cause?: unknown;
  readonly problems?: readonly Problem[];
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;
  /** Data for faces that answer in their own words; never secrets. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The one error class. The message says what happened, why, and what to do; it is safe to show. Nothing branches on it. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly problems: readonly Problem[];
  readonly retryAfterSeconds: number | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.kind = errorKinds[code];
    this.problems = options.problems ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.data = options.data ?? {};
  }
}
