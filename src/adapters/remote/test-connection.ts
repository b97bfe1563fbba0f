import {
  type Operation,
  operations,
  parseProviderResponse,
  parseSearchResponse,
  parseSuggestResponse,
  writeSearchRequest,
  writeSuggestRequest,
} from '#contract/index';
import type { Provider } from '#domain/catalog';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { UpstreamCall, UpstreamConnection } from '#ports/upstream';
import { type AskDeps, toAskedCall } from './ask.ts';
import type { Call } from './call.ts';
import { SAMPLE_WORD } from './endpoints.ts';
import { describeFailureOutcome, showOutcomeAddress } from './outcomes.ts';
import { readAnswer } from './read-answer.ts';
import { createTimeoutError } from './transport-errors.ts';

export interface TestDeps extends AskDeps {
  /** Of the whole test. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Three real calls: an open list, a keyed Competency operation, a keyed search with the first provider of the list.
 *  Never rejects for what the service does. */
export async function testConnection(
  connection: UpstreamConnection,
  deps: TestDeps,
): Promise<readonly UpstreamCall[]> {
  const { timeoutMs, signal: outer } = deps;
  // An unanswered list must leave time for the search that waits for it.
  const within = (ms: number) => anySignal(AbortSignal.timeout(ms), outer);
  const [half, whole] = [within(timeoutMs / 2), within(timeoutMs)];
  let providers: readonly Provider[] = [];
  const suggest = tryOut(connection, deps, {
    operation: operations.suggest,
    query: writeSuggestRequest({ keywords: SAMPLE_WORD }),
    read: parseSuggestResponse,
    signal: whole,
  });
  const provider = await tryOut(connection, deps, {
    operation: operations.listProviders,
    query: '',
    read(body) {
      providers = parseProviderResponse(body);
    },
    signal: half,
  });
  const search = await tryOut(connection, deps, {
    operation: operations.searchProvider,
    query: writeSearchRequest(searchOf(providers)),
    read: parseSearchResponse,
    signal: whole,
  });
  return [provider, await suggest, search];
}

interface Trial {
  readonly operation: Operation;
  readonly query: string;
  readonly signal: AbortSignal;
  /** Throws where the answer does not follow the specification. */
  read(body: unknown): unknown;
}

async function tryOut(
  connection: UpstreamConnection,
  { send, clock }: AskDeps,
  { operation, query, read, signal }: Trial,
): Promise<UpstreamCall> {
  const startedAt = performance.now();
  const url = showOutcomeAddress(connection, operation);
  const finish = (seen: Pick<UpstreamCall, 'outcome' | 'status' | 'detail'>): UpstreamCall => ({
    operation: operation.name,
    url,
    milliseconds: Math.round(performance.now() - startedAt),
    ...seen,
  });
  let status: number | null = null;
  let call: Call | null = null;
  try {
    call = toAskedCall(connection, operation, { query, signal });
    const answer = await send(call);
    status = answer.status;
    read(readAnswer(call, answer, clock));
    return finish({ outcome: 'ok', status, detail: null });
  } catch (error) {
    const seen = call !== null && signal.aborted ? createTimeoutError(call) : error;
    const failure = describeFailureOutcome(seen, call?.key !== undefined);
    return finish({ ...failure, status: status ?? failure.status });
  }
}

/** Without a list there is no provider to name: the specification has a default. */
function searchOf(providers: readonly Provider[]): LearningObjectQuery {
  return {
    keywords: SAMPLE_WORD,
    lang: 'en',
    providers: providers.slice(0, 1).map(({ id }) => id),
    types: [],
    blooms: [],
    sort: 'popularity',
    match: 'best-effort',
    model: 'strict',
    max: 1,
    page: 0,
    important: new Set(),
  };
}

function anySignal(signal: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? signal : AbortSignal.any([signal, other]);
}
