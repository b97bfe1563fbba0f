import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Services } from '#compose/services';
import { type Operation, operationNames, operations, type ReceivedRequest, type SentRequest } from '#contract/index';
import { type ApiKeyScope, DEFAULT_TENANT } from '#domain/tenant';
import type { CallOptions, OperationRequest, PresentAnswer, WireOperationName } from '#ports/learning-service';
import { createAbortSignal } from '../abort-signal.ts';
import { readRawQuery } from '../strict-paths.ts';
import {
  admitApiRequest,
  admitRequestMethod,
  readHeader,
  readRequestJson,
  sendList,
  sendUncachedJson,
} from './request.ts';

export interface EndpointsDeps extends Pick<Services, 'learningOf' | 'feedback'> {
  readonly access: Services['apiAccess'];
  readonly insight: Pick<Services['insight'], 'noteSearch' | 'noteKey'>;
}

export interface Endpoint {
  readonly path: string;
  readonly name: WireOperationName;
  readonly operation: Operation;
  /** Whether it belongs to the marketplace gateway, which has another header for the key. */
  readonly isGateway: boolean;
}

export const endpoints: readonly Endpoint[] = listEndpoints();

function listEndpoints(): Endpoint[] {
  const direct = operationNames.map((name): Endpoint => {
    const operation: Operation = operations[name];
    return { path: operation.path, name, operation, isGateway: false };
  });
  const atGateway = direct
    .filter(({ operation }) => operation.isAtGateway)
    .map((endpoint) => ({ ...endpoint, path: `/marketplace/${endpoint.operation.name}`, isGateway: true }));
  return [...direct, ...atGateway];
}

export const createEndpointHandlers = (deps: EndpointsDeps): ReadonlyMap<string, RequestHandler> =>
  new Map(endpoints.map((endpoint) => [endpoint.path, createEndpointHandler(endpoint, deps)]));

/** A handler that needs nothing of Express, so that `node:http` can call it as well. */
export type DirectHandler = (
  request: IncomingMessage & { readonly body?: unknown },
  response: ServerResponse & Pick<Response, 'locals'>,
) => Promise<void>;

/** Selects the handlers that need nothing of Express: those of a GET with a key. */
export const selectDirectHandlers = (handlers: ReadonlyMap<string, RequestHandler>) =>
  new Map(
    endpoints
      .filter(({ operation: { method, scope } }) => method === 'GET' && scope !== undefined)
      .map(({ path }) => [path, handlers.get(path) as DirectHandler]),
  );

const createEndpointHandler = (endpoint: Endpoint, deps: EndpointsDeps): RequestHandler =>
  endpoint.operation.scope === undefined
    ? createListHandler(endpoint, deps)
    : createKeyHandler(endpoint, endpoint.operation.scope, deps);

/** Answers with the lists of the default tenant, which need no key. */
function createListHandler({ path, name, operation }: Endpoint, deps: EndpointsDeps): RequestHandler {
  const answer = createEndpointAnswer(name, deps);
  return async (request, response) => {
    // For the metrics, as the handler of errors does not get the operation.
    response.locals.operation = path;
    if (!admitRequestMethod(request, response, operation.method)) return;
    const sent = { query: readRawQuery(request.url) };
    sendList(response, await answer(DEFAULT_TENANT, sent, createEndpointOptions(response)));
  };
}

function createKeyHandler(
  { path, name, operation, isGateway }: Endpoint,
  scope: ApiKeyScope,
  deps: EndpointsDeps,
): DirectHandler {
  const { method, body } = operation;
  const key = { access: deps.access, scope, header: isGateway ? 'x-marketplace-key' : 'x-api-key' };
  const answer = createEndpointAnswer(name, deps);
  return async (request, response) => {
    response.locals.operation = path;
    if (!admitRequestMethod(request, response, method)) return;
    const { tenantId, keyId } = await admitApiRequest(request, response, key);
    deps.insight.noteKey(tenantId, keyId);
    if (body !== undefined) await readRequestJson(request, response);
    const idempotencyKey = readHeader(request, 'idempotency-key');
    const sent = { query: readRawQuery(request.url ?? ''), body: request.body, idempotencyKey };
    sendUncachedJson(response, await answer(tenantId, sent, createEndpointOptions(response)));
  };
}

/** Creates the signal on first use: the built-in engine answers at once and never uses it. */
function createEndpointOptions(response: ServerResponse): CallOptions {
  let signal: AbortSignal | undefined;
  return {
    get signal() {
      signal ??= createAbortSignal(response);
      return signal;
    },
  };
}

type Answer = (tenantId: string, sent: SentRequest, options: CallOptions) => Promise<unknown>;

type Ask<N extends WireOperationName> = (
  tenantId: string,
  request: OperationRequest<N>,
  options: CallOptions,
) => Promise<PresentAnswer<N>>;

function createEndpointAnswer(operation: WireOperationName, deps: EndpointsDeps): Answer {
  const { learningOf, feedback, insight } = deps;
  switch (operation) {
    case 'feedback':
      // Without the signal: feedback is stored even if its sender does not wait for the answer.
      return answerEndpointWith(operation, async (tenantId, { id: idempotencyKey, ...content }) => {
        await feedback.giveFeedback(tenantId, content, { role: 'program', idempotencyKey });
        return undefined;
      });
    case 'searchProvider':
    case 'searchMany':
      return answerEndpointWith(operation, async (tenantId, query, options) => {
        const answer = await learningOf(tenantId).ask(operation, query, options);
        const { keywords: words, page } = query;
        if (page === 0) insight.noteSearch({ tenantId, words, person: PROGRAMS, result: answer, isWatched: false });
        return answer;
      });
    default:
      return answerEndpointWith(operation, (tenantId, request, options) =>
        learningOf(tenantId).ask(operation, request, options),
      );
  }
}

function answerEndpointWith<N extends WireOperationName>(operation: N, ask: Ask<N>): Answer {
  const readRequest = createEndpointReader(operation);
  return async (tenantId, sent, options) => {
    const { request, withDetails, writeAnswer } = readRequest(sent);
    // Not spread, which would create the signal.
    const callOptions = withDetails ? { signal: options.signal, withDetails } : options;
    return writeAnswer(await ask(tenantId, request, callOptions));
  };
}

/** Stands for all programs of a tenant, which count as one person with several keys. */
export const PROGRAMS = 'api';
/** Limit for each operation; a request takes about 1 kB. */
const MAX_CACHED_REQUESTS = 500;
/** Longer queries are rare, and would let a few callers fill the memory. */
const MAX_CACHED_QUERY_LENGTH = 500;

/** Creates a function that reads requests. It caches the last ones that have only a query. */
function createEndpointReader<N extends WireOperationName>(operation: N): (sent: SentRequest) => ReceivedRequest<N> {
  const wire = operations[operation];
  if (wire.parameters === undefined) return (sent) => wire.readRequest(sent);
  const results = new LRUCache<string, ReceivedRequest<N>>({ max: MAX_CACHED_REQUESTS });
  return (sent) => {
    const { query = '' } = sent;
    const cached = results.get(query);
    if (cached !== undefined) return cached;
    const result = wire.readRequest(sent);
    if (query.length <= MAX_CACHED_QUERY_LENGTH) results.set(query, result);
    return result;
  };
}
