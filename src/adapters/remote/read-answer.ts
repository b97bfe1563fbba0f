import { errorResponse } from '#contract/index';
import { AppError, type AppErrorOptions, type ErrorCode, type Problem } from '#errors';
import type { Clock } from '#ports/clock';
import { type Answer, type Call, readCallRetryAfter } from './call.ts';
import { explain, toLine } from './explain.ts';

/** The JSON of a successful answer; the contract checks its form.
 *  Errors: those of a refusal, see `toRefusal`; RESPONSE_INVALID for a success that is not JSON. */
export function readAnswer(call: Call, answer: Answer, clock: Clock): unknown {
  const { effectiveStatus: status, text, body, headers } = answer;
  const detail = () => explain(text, call.key?.value);
  if (status < 200 || status >= 300) {
    const retryAfterSeconds = readCallRetryAfter(headers['retry-after'], clock);
    throw toRefusal({ call, status, body, detail: detail(), retryAfterSeconds });
  }
  // The specification does not show the answer to a feedback, so there may be none.
  if (text.trim() === '' && call.operation === 'feedback') return {};
  if (body === undefined) throw noJson(call, status, detail());
  return body;
}

function noJson({ url, operation }: Call, status: number, detail: string | null): AppError {
  const seen = detail === null ? '' : ` (${detail})`;
  return new AppError(
    'RESPONSE_INVALID',
    `${url.host} answers ${operation} with something that is no JSON${seen}, so it is hardly the service. Check the address.`,
    { data: { status, operation, detail } },
  );
}

/** What a Skilldock says about an error, where one answers. */
interface OurError {
  readonly code: string;
  readonly problems: readonly Problem[];
}

const MAX_PROBLEMS = 50;

/** Null where the body is not an error of a Skilldock. */
function readOurError(body: unknown, key: string | undefined): OurError | null {
  const parsed = errorResponse.safeParse(body);
  if (!parsed.success) return null;
  const { code, details = [] } = parsed.data;
  const clean = (text: string) => toLine(text, key) ?? '';
  return {
    code: clean(code),
    problems: details
      .slice(0, MAX_PROBLEMS)
      .map(({ path, problem }) => ({ path: clean(path), problem: clean(problem) })),
  };
}

/** An answer that is not a success. */
interface Refusal {
  readonly call: Call;
  readonly status: number;
  /** Its parsed JSON; undefined where it is not JSON. */
  readonly body: unknown;
  /** What the other side said, safe to show; null where nothing can be read. */
  readonly detail: string | null;
  readonly retryAfterSeconds: number | undefined;
}

const says = ({ status, detail }: Refusal) => (detail === null ? `${status}` : `${status}: ${detail}`);

const describeOwn = ({ call, detail }: Refusal) =>
  detail ?? `${call.url.host} refused the request without a reason.`;

const messages = {
  PARAMETERS_INVALID: describeOwn,
  PLACE_UNKNOWN: describeOwn,
  PROVIDER_UNKNOWN: describeOwn,
  REQUEST_ID_INVALID: describeOwn,
  UPSTREAM_KEY_REFUSED: (refusal) =>
    `${refusal.call.url.host} refused ${keyOf(refusal)} for ${refusal.call.operation} (${says(refusal)}). Check the key of the connection.`,
  UPSTREAM_THROTTLED: (refusal) =>
    `${refusal.call.url.host} takes no more requests for now (${says(refusal)}). Try again later.`,
  UPSTREAM_FAILED: (refusal) =>
    `${refusal.call.url.host} failed to answer ${refusal.call.operation} (${says(refusal)}). Try again later; if it lasts, check the address or tell its operator.`,
} as const satisfies Partial<Record<ErrorCode, (refusal: Refusal) => string>>;

type RefusalCode = keyof typeof messages;

/** Codes of a Skilldock that mean the same here as there. */
const SHARED = ['PARAMETERS_INVALID', 'PLACE_UNKNOWN', 'PROVIDER_UNKNOWN', 'REQUEST_ID_INVALID'] as const;

/** The error of a refusal. The specification shows no errors at all; what is read here is the HTTP status first, then the
 *  code where a Skilldock answers, and only then the words of others.
 *  Errors: PARAMETERS_INVALID, PLACE_UNKNOWN, PROVIDER_UNKNOWN, REQUEST_ID_INVALID where the request is at fault;
 *  UPSTREAM_KEY_REFUSED, UPSTREAM_THROTTLED, UPSTREAM_FAILED where the connection or the service is. */
function toRefusal(refusal: Refusal): AppError {
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

function keyOf({ call }: Refusal): string {
  return call.key === undefined ? 'a request without a key' : 'the key';
}

/** Whoever asks for a list gives nothing that the service could find fault with. */
const lists: readonly Call['operation'][] = ['provider', 'type', 'bloom', 'lang'];

function codeOf(refusal: Refusal, ourCode: string | undefined): RefusalCode {
  const code = codeOfAnswer(refusal, ourCode);
  const isOfRequest = SHARED.some((shared) => shared === code);
  return isOfRequest && lists.includes(refusal.call.operation) ? 'UPSTREAM_FAILED' : code;
}

function codeOfAnswer(refusal: Refusal, ourCode: string | undefined): RefusalCode {
  const shared = SHARED.find((code) => code === ourCode);
  if (shared !== undefined) return shared;
  const { status } = refusal;
  if (status === 429) return 'UPSTREAM_THROTTLED';
  if (status === 401 || (status === 403 && !isUnknownPathAnswer(refusal))) return 'UPSTREAM_KEY_REFUSED';
  return ourCode === undefined ? codeOfWords(refusal) : 'UPSTREAM_FAILED';
}

/** The words of an unknown service. */
function codeOfWords({ call, status, body, detail }: Refusal): RefusalCode {
  if (body === undefined || detail === null) return 'UPSTREAM_FAILED';
  if (call.operation === 'feedback' && status < 500 && /request.?id/i.test(detail))
    return 'REQUEST_ID_INVALID';
  if (call.operation === 'search-provider' && status === 404 && /provider/i.test(detail))
    return 'PROVIDER_UNKNOWN';
  return status === 400 || status === 422 ? 'PARAMETERS_INVALID' : 'UPSTREAM_FAILED';
}

/** Amazon's gateway answers an unknown path as if a key were missing, whether one was sent or not. */
export function isUnknownPathAnswer({ status, detail }: Pick<Refusal, 'status' | 'detail'>): boolean {
  return status === 403 && detail === 'Missing Authentication Token';
}
