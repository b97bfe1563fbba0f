/** Each face translates the kind of an error to an HTTP status, a page or a message. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

/** `docs/errors.md` explains each code; a test compares the two. */
export const errorKinds = {
  PARAMETERS_INVALID: 'invalid',
  BODY_MALFORMED: 'invalid',
  BODY_TOO_LARGE: 'invalid',
  UPLOAD_TOO_LARGE: 'invalid',
  MEDIA_TYPE_UNSUPPORTED: 'invalid',
  METHOD_NOT_ALLOWED: 'invalid',
  REQUEST_ID_INVALID: 'invalid',
  PLACE_UNKNOWN: 'invalid',
  KEY_MISSING: 'unauthenticated',
  KEY_UNKNOWN: 'forbidden',
  KEY_SCOPE: 'forbidden',
  TOKEN_INVALID: 'unauthenticated',
  ORIGIN_REFUSED: 'forbidden',
  ASSISTANTS_OFF: 'forbidden',
  ASSISTANT_REFUSED: 'invalid',
  ASSISTANT_UNKNOWN: 'not_found',
  METRICS_TOKEN_WRONG: 'unauthenticated',
  PATH_UNKNOWN: 'not_found',
  PROVIDER_UNKNOWN: 'not_found',
  API_KEY_NOT_FOUND: 'not_found',
  TENANT_UNKNOWN: 'not_found',
  TENANT_DISABLED: 'forbidden',
  TENANT_PROTECTED: 'conflict',
  FEEDBACK_UNKNOWN: 'not_found',
  DEAD_LINK_UNKNOWN: 'not_found',
  OBJECT_UNKNOWN: 'not_found',
  OBJECT_KNOWN: 'conflict',
  OBJECTS_TOO_MANY: 'conflict',
  SHELF_FULL: 'conflict',
  PLAN_CLOSED: 'forbidden',
  PLAN_UNKNOWN: 'not_found',
  PLANS_TOO_MANY: 'conflict',
  ADMIN_UNKNOWN: 'not_found',
  ADMIN_NAME_TAKEN: 'conflict',
  LAST_OWNER: 'conflict',
  LINK_INVALID: 'not_found',
  SIGN_IN_FAILED: 'unauthenticated',
  SECOND_FACTOR_REQUIRED: 'unauthenticated',
  SECOND_FACTOR_WRONG: 'unauthenticated',
  SIGN_IN_REQUIRED: 'unauthenticated',
  OIDC_FAILED: 'unauthenticated',
  OIDC_UNAVAILABLE: 'unavailable',
  ROLE_INSUFFICIENT: 'forbidden',
  ROLE_READS_ONLY: 'forbidden',
  ROLE_FROM_CLAIM: 'conflict',
  FORM_EXPIRED: 'forbidden',
  FORM_INVALID: 'invalid',
  CHANGED_MEANWHILE: 'conflict',
  IMPORT_INVALID: 'invalid',
  IMPORT_UNKNOWN: 'not_found',
  IMPORT_RUNNING: 'conflict',
  IMPORTS_TOO_MANY: 'conflict',
  IMPORT_SHRINKS: 'conflict',
  IMPORT_NOT_NEWEST: 'conflict',
  SOURCE_UNAVAILABLE: 'unavailable',
  RATE_LIMITED: 'rate_limited',
  RESPONSE_INVALID: 'unavailable',
  UPSTREAM_UNREACHABLE: 'unavailable',
  UPSTREAM_TIMEOUT: 'unavailable',
  UPSTREAM_KEY_REFUSED: 'unavailable',
  UPSTREAM_FAILED: 'unavailable',
  UPSTREAM_THROTTLED: 'rate_limited',
  UPSTREAM_PAUSED: 'unavailable',
  UPSTREAM_BUSY: 'unavailable',
  UPSTREAM_ADDRESS_REFUSED: 'invalid',
  REGISTRATION_UNKNOWN: 'not_found',
  REGISTRATION_TAKEN: 'conflict',
  REGISTRATIONS_FULL: 'conflict',
  REGISTRATION_FAILED: 'invalid',
  LAUNCH_INVALID: 'unauthenticated',
  LTI_REQUEST_INVALID: 'invalid',
  LTI_PLATFORM_UNKNOWN: 'forbidden',
  LTI_CLIENT_AMBIGUOUS: 'invalid',
  LTI_REGISTRATION_INACTIVE: 'forbidden',
  LTI_TENANT_DISABLED: 'forbidden',
  LTI_TARGET_UNKNOWN: 'invalid',
  LTI_PLATFORM_ERROR: 'forbidden',
  LTI_STATE_UNKNOWN: 'unauthenticated',
  LTI_BINDING_MISSING: 'unauthenticated',
  LTI_BINDING_WRONG: 'forbidden',
  LTI_TOKEN_MALFORMED: 'invalid',
  LTI_ALG_REFUSED: 'unauthenticated',
  LTI_KEY_UNKNOWN: 'unauthenticated',
  LTI_KEYS_UNAVAILABLE: 'unavailable',
  LTI_SIGNATURE_INVALID: 'unauthenticated',
  LTI_ISSUER_WRONG: 'unauthenticated',
  LTI_AUDIENCE_WRONG: 'unauthenticated',
  LTI_AZP_WRONG: 'unauthenticated',
  LTI_TOKEN_EXPIRED: 'unauthenticated',
  LTI_TOKEN_EARLY: 'unauthenticated',
  LTI_TOKEN_OLD: 'unauthenticated',
  LTI_NONCE_WRONG: 'unauthenticated',
  LTI_VERSION_WRONG: 'invalid',
  LTI_MESSAGE_UNKNOWN: 'invalid',
  LTI_USER_MISSING: 'unauthenticated',
  LTI_CLAIMS_INVALID: 'invalid',
  LTI_RETURN_REFUSED: 'invalid',
  LTI_DEPLOYMENT_UNKNOWN: 'forbidden',
  LTI_ROLE_WRONG: 'forbidden',
  LTI_THROTTLED: 'rate_limited',
  SLACK_WORKSPACE_TAKEN: 'conflict',
  SLACK_WORKSPACE_UNKNOWN: 'not_found',
  SLACK_SETTINGS_FIXED: 'conflict',
  LINK_CODE_INVALID: 'not_found',
  LINK_CODE_THROTTLED: 'rate_limited',
  COURSE_UNLINKED: 'conflict',
  SLACK_OFF: 'unavailable',
  SLACK_SIGNATURE_INVALID: 'unauthenticated',
  SLACK_NOT_INSTALLED: 'not_found',
  SLACK_TRIGGER_EXPIRED: 'conflict',
  SLACK_RESPONSE_EXPIRED: 'conflict',
  SLACK_NOT_IN_CHANNEL: 'forbidden',
  SLACK_STATE_OVER: 'not_found',
  SLACK_BUSY: 'rate_limited',
  SLACK_THROTTLED: 'rate_limited',
  SLACK_FAILED: 'unavailable',
  SLACK_LATE: 'unavailable',
  SLACK_RESTARTING: 'unavailable',
  SLACK_INSTALL_FAILED: 'invalid',
  OUTBOUND_REFUSED: 'invalid',
  OUTBOUND_FAILED: 'unavailable',
  PLATFORM_UNREACHABLE: 'unavailable',
  PLATFORM_THROTTLED: 'rate_limited',
  PLATFORM_REFUSED: 'forbidden',
  PLATFORM_SCORE_OUTDATED: 'conflict',
  CONFIG_INVALID: 'invalid',
  CATALOG_INVALID: 'invalid',
  CATALOG_UNAVAILABLE: 'unavailable',
  DATA_DIR_UNWRITABLE: 'unavailable',
  DATA_DIR_IN_USE: 'conflict',
  LISTEN_FAILED: 'conflict',
  STORE_UNAVAILABLE: 'unavailable',
  STORE_LOST: 'unavailable',
  STORE_NOT_EMPTY: 'conflict',
  STORE_COPY_DIFFERS: 'conflict',
  BACKUP_FILE_EXISTS: 'conflict',
  BACKUP_INVALID: 'invalid',
  SECRET_UNREADABLE: 'internal',
  SECRETS_LOST: 'unavailable',
  SNAPSHOT_INVALID: 'internal',
  INTERNAL: 'internal',
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** A problem of one parameter or field. `path` is as in the request: `levelMax`, `tags[2]`. */
export type Problem = { readonly path: string; readonly problem: string };

export interface AppErrorOptions {
  readonly cause?: unknown;
  readonly problems?: readonly Problem[];
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;
  /** Values for faces that write messages of their own; never secrets. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** An error with a code. The message says what happened, why, and what to do; it may be shown. */
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

export function hasErrorCode(error: unknown, ...codes: readonly ErrorCode[]): error is AppError {
  return error instanceof AppError && codes.includes(error.code);
}

/** Returns INTERNAL for errors other than `AppError`. */
export const findErrorCode = (error: unknown): ErrorCode => (error instanceof AppError ? error.code : 'INTERNAL');

/** Tells whether the same request may succeed later, as a service cannot answer now. */
export function isPassingError(error: unknown): error is AppError {
  return error instanceof AppError && (error.kind === 'unavailable' || error.kind === 'rate_limited');
}

const diskFullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/** Tells whether an error or one of its causes is a full disk or an exceeded quota of this user. */
export function isDiskFullError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return diskFullCodes.has((error as { readonly code?: unknown }).code) || isDiskFullError(error.cause);
}
