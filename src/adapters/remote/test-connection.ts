import { type Operation, operations } from '#contract/index';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { AppError, type ErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import type { UpstreamCall, UpstreamConnection, UpstreamOutcome } from '#ports/upstream';
import { type Call, createCall, type Send, showEndpoint } from './call.ts';
import { toReasonLine } from './explain.ts';
import { isUnknownPathAnswer, readAnswer } from './read-answer.ts';
import { createTimeoutError } from './transport-errors.ts';

interface TestDeps {
  readonly send: Send;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Tests an open list, a Competency operation with a key, and a search with one. Never rejects. */
export async function testConnection(connection: UpstreamConnection, deps: TestDeps): Promise<readonly UpstreamCall[]> {
  const { timeoutMs, signal } = deps;
  const within = (ms: number) => {
    const timeout = AbortSignal.timeout(ms);
    return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  };
  // An unanswered list must leave time for the search that waits for it.
  const half = within(timeoutMs / 2);
  const whole = within(timeoutMs);
  let providers: readonly string[] = [];
  const suggest = testOperation(connection, deps, {
    operation: operations.suggest,
    ...operations.suggest.writeRequest({ keywords: SAMPLE_WORD }),
    read: operations.suggest.readAnswer,
    signal: whole,
  });
  const list = await testOperation(connection, deps, {
    operation: operations.listProviders,
    read(body) {
      providers = operations.listProviders.readAnswer(body).map(({ id }) => id);
    },
    signal: half,
  });
  const search = await testOperation(connection, deps, {
    operation: operations.searchProvider,
    // Without a list there is no provider to name: the specification has a default.
    ...operations.searchProvider.writeRequest({ ...sampleQuery, providers: providers.slice(0, 1) }),
    read: operations.searchProvider.readAnswer,
    signal: whole,
  });
  return [list, await suggest, search];
}

/** A word of both English and French, the languages that `suggest` supports best. */
const SAMPLE_WORD = 'communication';

/** A search that any service can answer. */
const sampleQuery: LearningObjectQuery = {
  keywords: SAMPLE_WORD,
  lang: 'en',
  providers: [],
  types: [],
  blooms: [],
  sort: 'popularity',
  match: 'best-effort',
  model: 'strict',
  max: 1,
  page: 0,
  important: new Set(),
};

interface Trial {
  readonly operation: Operation;
  readonly query?: string;
  readonly signal: AbortSignal;
  /** Reads the answer, and throws if it does not follow the specification. */
  read(body: unknown): unknown;
}

async function testOperation(
  connection: UpstreamConnection,
  { send, clock }: TestDeps,
  { operation, query = '', read: parse, signal }: Trial,
): Promise<UpstreamCall> {
  const startedAt = performance.now();
  const finish = (result: Pick<UpstreamCall, 'outcome' | 'status' | 'detail'>): UpstreamCall => ({
    operation: operation.name,
    url: showEndpoint(connection, operation),
    milliseconds: Math.round(performance.now() - startedAt),
    ...result,
  });
  let status: number | null = null;
  let call: Call | null = null;
  try {
    call = createCall(connection, operation, { query, signal });
    const answer = await send(call);
    status = answer.status;
    parse(readAnswer(call, answer, clock));
    return finish({ outcome: 'ok', status, detail: null });
  } catch (error) {
    const cause = call !== null && signal.aborted ? createTimeoutError(call) : error;
    const failure = describeTestFailure(cause, call);
    return finish({ ...failure, status: status ?? failure.status });
  }
}

/** Describes a failure to an administrator. @param call null if it could not be made */
function describeTestFailure(error: unknown, call: Call | null): Pick<UpstreamCall, 'outcome' | 'status' | 'detail'> {
  // Any other error is a mistake of ours; even that must not break the page.
  if (!(error instanceof AppError))
    return { outcome: 'unreachable', status: null, detail: 'The call failed unexpectedly.' };
  const { status, detail } = error.data;
  return {
    outcome: findTestOutcome(error, call),
    status: typeof status === 'number' ? status : null,
    detail: typeof detail === 'string' ? detail : toReasonLine(error.message),
  };
}

const outcomes: Partial<Readonly<Record<ErrorCode, UpstreamOutcome>>> = {
  UPSTREAM_ADDRESS_REFUSED: 'address-refused',
  UPSTREAM_UNREACHABLE: 'unreachable',
  UPSTREAM_TIMEOUT: 'timed-out',
  UPSTREAM_THROTTLED: 'throttled',
  PROVIDER_UNKNOWN: 'not-found',
};

function findTestOutcome(error: AppError, call: Call | null): UpstreamOutcome {
  const { code, data } = error;
  if (code === 'UPSTREAM_KEY_REFUSED') return isKeyMissing(error, call) ? 'key-missing' : 'key-refused';
  // With any other code, the service refuses a correct request, or its answer is wrong.
  if (code !== 'UPSTREAM_FAILED') return outcomes[code] ?? 'not-the-service';
  const status = Number(data.status);
  const detail = typeof data.detail === 'string' ? data.detail : null;
  if (status >= 500) return 'server-error';
  const isNotFound = [404, 405, 410].includes(status) || isUnknownPathAnswer({ status, detail });
  return isNotFound ? 'not-found' : 'not-the-service';
}

/** Whether the service misses a key, perhaps because it reads another header than the sent one. */
function isKeyMissing({ data }: AppError, call: Call | null): boolean {
  if (data.upstreamCode !== undefined) return data.upstreamCode === 'KEY_MISSING';
  if (call?.key === undefined) return data.status !== undefined;
  return (
    data.status === 401 &&
    /\b(?:missing|no) .{0,20}key\b|\bkey .{0,20}(?:missing|required)\b/i.test(String(data.detail))
  );
}
