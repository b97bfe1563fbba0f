import { AppError, type AppErrorOptions, type ErrorCode } from '../../errors.ts';
import { readOurError } from './our-errors.ts';
import type { Call } from './send.ts';

/** An answer that is no success. */
export interface Refusal {
  readonly call: Call;
  readonly status: number;
  /** Its parsed JSON; undefined where it is none. */
  readonly body: unknown;
  /** What the other side said, safe to show; null where nothing can be read. */
  readonly detail: string | null;
  readonly retryAfterSeconds: number | undefined;
}

/** The error of a refusal. The specification shows no errors at all; what is read here is the HTTP status first, then the
 *  code where a Skilldock answers, and only then the words of others.
 *  Errors: PARAMETERS_INVALID, PLACE_UNKNOWN, PROVIDER_UNKNOWN, REQUEST_ID_INVALID where the request is at fault;
 *  UPSTREAM_KEY_REFUSED, UPSTREAM_THROTTLED, UPSTREAM_FAILED where the connection or the service is. */
export function toRefusal(refusal: Refusal): AppError {
  const { call, status, body, detail, retryAfterSeconds } = refusal;
  const ours = readOurError(body, call.key?.value);
  const code = codeOf(refusal, ours?.code);
  const options: AppErrorOptions = {
    ...(ours !== null && code === 'PARAMETERS_INVALID' && { problems: ours.problems }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    data: { status, operation: call.operation, detail, ...(ours !== null && { upstreamCode: ours.code }) },
  };
  return new AppError(code, messages[code](refusal), options);
}

const says = ({ status, detail }: Refusal) => (detail === null ? `${status}` : `${status}: ${detail}`);
const own = ({ call, detail }: Refusal) => detail ?? `${call.url.host} refused the request without a reason.`;

const messages = {
  PARAMETERS_INVALID: own,
  PLACE_UNKNOWN: own,
  PROVIDER_UNKNOWN: own,
  REQUEST_ID_INVALID: own,
  UPSTREAM_KEY_REFUSED: (refusal) =>
    `${refusal.call.url.host} refused ${keyOf(refusal)} for ${refusal.call.operation} (${says(refusal)}). Check the key of the connection.`,
  UPSTREAM_THROTTLED: (refusal) =>
    `${refusal.call.url.host} takes no more requests for now (${says(refusal)}). Try again later.`,
  UPSTREAM_FAILED: (refusal) =>
    `${refusal.call.url.host} failed to answer ${refusal.call.operation} (${says(refusal)}). Try again later; if it lasts, check the address or tell its operator.`,
} as const satisfies Partial<Record<ErrorCode, (refusal: Refusal) => string>>;

function keyOf({ call }: Refusal): string {
  return call.key === undefined ? 'a request without a key' : 'the key';
}

type RefusalCode = keyof typeof messages;

/** Codes of a Skilldock that say the same here as there. */
const SHARED = ['PARAMETERS_INVALID', 'PLACE_UNKNOWN', 'PROVIDER_UNKNOWN', 'REQUEST_ID_INVALID'] as const;

function codeOf(refusal: Refusal, ourCode: string | undefined): RefusalCode {
  const shared = SHARED.find((code) => code === ourCode);
  if (shared !== undefined) return shared;
  const { status } = refusal;
  if (status === 429) return 'UPSTREAM_THROTTLED';
  if (status === 401 || (status === 403 && !isUnknownPath(refusal))) return 'UPSTREAM_KEY_REFUSED';
  return ourCode === undefined ? codeOfWords(refusal) : 'UPSTREAM_FAILED';
}

/** The words of a service we do not know. */
function codeOfWords({ call, status, body, detail }: Refusal): RefusalCode {
  if (body === undefined || detail === null) return 'UPSTREAM_FAILED';
  if (call.operation === 'feedback' && status < 500 && /request.?id/i.test(detail))
    return 'REQUEST_ID_INVALID';
  if (call.operation === 'search-provider' && status === 404 && /provider/i.test(detail))
    return 'PROVIDER_UNKNOWN';
  return status === 400 || status === 422 ? 'PARAMETERS_INVALID' : 'UPSTREAM_FAILED';
}

/** The gateway of Amazon answers an unknown path as if a key were missing, whether one was sent or not. */
export function isUnknownPath({ status, detail }: Pick<Refusal, 'status' | 'detail'>): boolean {
  return status === 403 && detail === 'Missing Authentication Token';
}
