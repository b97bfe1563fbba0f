import { errorResponse } from '#contract/index';
import { AppError, type AppErrorOptions, type ErrorCode, type Problem } from '#errors';
import type { Clock } from '#ports/clock';
import { type Answer, type Call, readRetryAfter } from './call.ts';
import { explainUpstreamAnswer, toReasonLine } from './explain.ts';

/** Returns the JSON of a success. Errors: those of `createAnswerRefusal`; RESPONSE_INVALID. */
export function readAnswer(call: Call, answer: Answer, clock: Clock): unknown {
  const { effectiveStatus: status, text, body, headers } = answer;
  if (status < 200 || status >= 300)
    throw createAnswerRefusal({
      call,
      status,
      body,
      detail: explainUpstreamAnswer(text, call.key?.value),
      retryAfterSeconds: readRetryAfter(headers['retry-after'], clock),
    });
  // The specification does not show the answer to a feedback, so there may be none.
  if (text.trim() === '' && call.operation === 'feedback') return {};
  if (body !== undefined) return body;
  const { url, operation } = call;
  const detail = explainUpstreamAnswer(text, call.key?.value);
  throw new AppError(
    'RESPONSE_INVALID',
    `The answer of ${url.host} to ${operation} is not JSON${detail === null ? '' : ` (${detail})`}, so it is probably another service. Check the address.`,
    { data: { status, operation, detail } },
  );
}

interface Refusal {
  readonly call: Call;
  readonly status: number;
  readonly body: unknown;
  /** The service's reason, safe to show; null if none can be read. */
  readonly detail: string | null;
  readonly retryAfterSeconds: number | undefined;
}

/** Creates the error for a refusal. The specification does not show errors, so the code of a
 *  Skilldock counts most, then the HTTP status, then the words of the service. Errors:
 *  PARAMETERS_INVALID, PLACE_UNKNOWN, PROVIDER_UNKNOWN, REQUEST_ID_INVALID if the request is at
 *  fault; UPSTREAM_KEY_REFUSED, UPSTREAM_THROTTLED, UPSTREAM_FAILED if the connection or the
 *  service is. */
function createAnswerRefusal(refusal: Refusal): AppError {
  const { call, status, body, detail, retryAfterSeconds } = refusal;
  const skilldock = readSkilldockErrorAnswer(body, call.key?.value);
  const code = findAnswerErrorCode(refusal, skilldock?.code);
  const options: AppErrorOptions = {
    ...(skilldock !== null && code === 'PARAMETERS_INVALID' && { problems: skilldock.problems }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    data: {
      status,
      operation: call.operation,
      detail,
      ...(skilldock !== null && { upstreamCode: skilldock.code }),
    },
  };
  return new AppError(code, messages[code](refusal), options);
}

const repeatDetail = ({ call, detail }: Refusal) => detail ?? `${call.url.host} refused the request without a reason.`;

const showStatus = ({ status, detail }: Refusal) => (detail === null ? `${status}` : `${status}: ${detail}`);
const describeSentKey = ({ call }: Refusal) => (call.key === undefined ? 'a request without a key' : 'the key');

const messages = {
  PARAMETERS_INVALID: repeatDetail,
  PLACE_UNKNOWN: repeatDetail,
  PROVIDER_UNKNOWN: repeatDetail,
  REQUEST_ID_INVALID: repeatDetail,
  UPSTREAM_KEY_REFUSED: (refusal) =>
    `${refusal.call.url.host} refused ${describeSentKey(refusal)} for ${refusal.call.operation} (${showStatus(refusal)}). Check the key of the connection.`,
  UPSTREAM_THROTTLED: (refusal) =>
    `${refusal.call.url.host} takes no more requests for now (${showStatus(refusal)}). Try again later.`,
  UPSTREAM_FAILED: (refusal) =>
    `${refusal.call.url.host} failed to answer ${refusal.call.operation} (${showStatus(refusal)}). Try again later; if it lasts, check the address or tell its operator.`,
} as const satisfies Partial<Record<ErrorCode, (refusal: Refusal) => string>>;

type RefusalCode = keyof typeof messages;

/** Codes of a Skilldock for faults of the request, which are passed on unchanged. */
const requestCodes = [
  'PARAMETERS_INVALID',
  'PLACE_UNKNOWN',
  'PROVIDER_UNKNOWN',
  'REQUEST_ID_INVALID',
] as const satisfies readonly RefusalCode[];

/** Operations without parameters: a service can find no fault with such a request. */
const lists: readonly string[] = ['provider', 'type', 'bloom', 'lang'];

/** Finds the code of a refusal. @param skilldockCode that of the answer of a Skilldock */
function findAnswerErrorCode(refusal: Refusal, skilldockCode: string | undefined): RefusalCode {
  const { call, status } = refusal;
  const isList = lists.includes(call.operation);
  const requestCode = requestCodes.find((code) => code === skilldockCode);
  if (requestCode !== undefined) return isList ? 'UPSTREAM_FAILED' : requestCode;
  if (status === 429) return 'UPSTREAM_THROTTLED';
  if (status === 401 || (status === 403 && !isUnknownPathAnswer(refusal))) return 'UPSTREAM_KEY_REFUSED';
  return skilldockCode === undefined && !isList ? readCodeFromAnswer(refusal) : 'UPSTREAM_FAILED';
}

/** Reads the code from an answer of a service that is not a Skilldock. */
function readCodeFromAnswer({ call, status, body, detail }: Refusal): RefusalCode {
  if (body === undefined || detail === null) return 'UPSTREAM_FAILED';
  if (call.operation === 'feedback' && status < 500 && /request.?id/i.test(detail)) return 'REQUEST_ID_INVALID';
  if (call.operation === 'search-provider' && status === 404 && /provider/i.test(detail)) return 'PROVIDER_UNKNOWN';
  return status === 400 || status === 422 ? 'PARAMETERS_INVALID' : 'UPSTREAM_FAILED';
}

/** Whether Amazon's API gateway answers, which reports a missing key for an unknown path. */
export const isUnknownPathAnswer = ({ status, detail }: Pick<Refusal, 'status' | 'detail'>): boolean =>
  status === 403 && detail === 'Missing Authentication Token';

const MAX_PROBLEMS = 50;

function readSkilldockErrorAnswer(body: unknown, key: string | undefined) {
  const parsed = errorResponse.safeParse(body);
  if (!parsed.success) return null;
  const { code, details = [] } = parsed.data;
  const clean = (text: string) => toReasonLine(text, key) ?? '';
  return {
    code: clean(code),
    problems: details.slice(0, MAX_PROBLEMS).map(({ path, problem }): Problem => {
      return { path: clean(path), problem: clean(problem) };
    }),
  };
}
