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

export interface Address {
  readonly path: string;
  readonly name: WireOperationName;
  readonly operation: Operation;
  /** Whether it belongs to the marketplace gateway, which has a key header of its own. */
  readonly isGateway: boolean;
}

export const addresses: readonly Address[] = listEndpoints();

function listEndpoints(): Address[] {
  const direct = operationNames.map((name): Address => {
    const operation: Operation = operations[name];
    return { path: operation.path, name, operation, isGateway: false };
  });
  const atGateway = direct
    .filter(({ operation }) => operation.isAtGateway)
    .map((address) => ({ ...address, path: `/marketplace/${address.operation.name}`, isGateway: true }));
  return [...direct, ...atGateway];
}

export const createApiEndpoints = (deps: EndpointsDeps): ReadonlyMap<string, RequestHandler> =>
  new Map(addresses.map((address) => [address.path, createEndpoint(address, deps)]));

/** Of `node:http` or Express. */
export type DirectHandler = (
  request: IncomingMessage & { readonly body?: unknown },
  response: ServerResponse & Pick<Response, 'locals'>,
) => Promise<void>;

/** Those that need nothing of Express: answers to a GET with a key. */
export const listDirectEndpoints = (endpoints: ReadonlyMap<string, RequestHandler>) =>
  new Map(
    addresses
      .filter(({ operation: { method, scope } }) => method === 'GET' && scope !== undefined)
      .map(({ path }) => [path, endpoints.get(path) as DirectHandler]),
  );

const createEndpoint = (address: Address, deps: EndpointsDeps): RequestHandler =>
  address.operation.scope === undefined
    ? createListEndpoint(address, deps)
    : createKeyEndpoint(address, address.operation.scope, deps);

/** The lists need no key; they are those of the default tenant. */
function createListEndpoint({ path, name, operation }: Address, deps: EndpointsDeps): RequestHandler {
  const answer = createEndpointAnswer(name, deps);
  return async (request, response) => {
    // For the metrics: an error is answered further up, where the operation is no longer known.
    response.locals.operation = path;
    if (!admitRequestMethod(request, response, operation.method)) return;
    const sent = { query: readRawQuery(request.url) };
    sendList(response, await answer(DEFAULT_TENANT, sent, createEndpointOptions(response)));
  };
}

function createKeyEndpoint(
  { path, name, operation, isGateway }: Address,
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

/** The signal is made when it is asked for: our own engine, which answers at once, never does. */
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
      // What was sent is kept, even if its sender does not wait for the answer.
      return answerEndpointWith(operation, async (tenantId, { id: idempotencyKey, ...given }) => {
        await feedback.giveFeedback(tenantId, given, { role: 'program', idempotencyKey });
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
    // Not spread: its signal is made when it is asked for.
    const all = withDetails ? { signal: options.signal, withDetails } : options;
    return writeAnswer(await ask(tenantId, request, all));
  };
}

/** All programs of a tenant count as one person, who may have several keys. */
export const PROGRAMS = 'api';
/** Of each operation; one takes about 1 kB. */
const MAX_REMEMBERED = 500;
/** Longer ones are rare, and would let a few callers fill the memory. */
const MAX_KEY_LENGTH = 500;

/** Where all of a request is in its query, the last results are cached, but not errors. */
function createEndpointReader<N extends WireOperationName>(operation: N): (sent: SentRequest) => ReceivedRequest<N> {
  const wire = operations[operation];
  if (wire.parameters === undefined) return (sent) => wire.readRequest(sent);
  const results = new LRUCache<string, ReceivedRequest<N>>({ max: MAX_REMEMBERED });
  return (sent) => {
    const { query = '' } = sent;
    const cached = results.get(query);
    if (cached !== undefined) return cached;
    const result = wire.readRequest(sent);
    if (query.length <= MAX_KEY_LENGTH) results.set(query, result);
    return result;
  };
}
