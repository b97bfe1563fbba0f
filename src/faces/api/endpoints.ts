import type { RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import {
  type Operation,
  type OperationName,
  operations,
  parseFeedbackIdempotencyKey,
  parseFeedbackRequest,
  parseSearchProviderRequest,
  parseSearchRequest,
  parseSimilarRequest,
  parseSuggestRequest,
  parseTaggerRequest,
  writeBloomResponse,
  writeFeedbackResponse,
  writeLangResponse,
  writeProviderResponse,
  writeSearchResponse,
  writeSimilarResponse,
  writeSuggestResponse,
  writeTaggerResponse,
  writeTypeResponse,
} from '../../contract/index.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import type { CallOptions, SearchAnswer } from '../../ports/learning-service.ts';
import type { ApiAccess } from '../../services/api-access/api-access.ts';
import type { FeedbackService } from '../../services/feedback/feedback.ts';
import type { Insight } from '../../services/insight/insight.ts';
import type { TenantLearning } from '../../services/tenant-learning.ts';
import { createAbortSignal } from '../aborted-with.ts';
import {
  isAnswerableRequest,
  letApiRequestIn,
  readRequestJson,
  readRequestQuery,
  sendList,
  sendPrivate,
} from './request.ts';

export interface EndpointsDeps {
  /** The operations as a tenant gets them. */
  learningOf(tenantId: string): TenantLearning;
  readonly access: ApiAccess;
  readonly feedback: FeedbackService;
  readonly insight: Pick<Insight, 'noteSearch'>;
}

/** Where an operation is. */
export interface Address {
  readonly path: string;
  readonly name: OperationName;
  readonly operation: Operation;
  /** Whether it belongs to the marketplace gateway, which has a key header of its own. */
  readonly isGateway: boolean;
}

/** Every address of the API. */
export const addresses: readonly Address[] = listAddresses();

function listAddresses(): Address[] {
  const all = Object.entries(operations) as [OperationName, Operation][];
  const own = all.map(([name, operation]) => ({ path: operation.path, name, operation, isGateway: false }));
  const shared = own.filter(({ operation }) => operation.isAtGateway === true);
  return [...own, ...shared.map((each) => ({ ...each, path: `/marketplace/${each.name}`, isGateway: true }))];
}

/** The handler of each address, by its path. */
export function createApiEndpoints(deps: EndpointsDeps): ReadonlyMap<string, RequestHandler> {
  const answers = createAnswers(deps);
  return new Map(addresses.map((address) => [address.path, createEndpoint(address, answers, deps)]));
}

/** The lists need no key; they are those of the default tenant. */
function createEndpoint(
  { path, name, operation, isGateway }: Address,
  answers: Answers,
  { access }: EndpointsDeps,
): RequestHandler {
  const { method, scope, body } = operation;
  const header = isGateway ? 'x-marketplace-key' : 'x-api-key';
  const answer = answers[name];
  return async (request, response) => {
    // For the metrics: an error is answered further up, where the operation is no longer known.
    response.locals.operation = path;
    if (!isAnswerableRequest(request, response, method)) return;
    const tenantId =
      scope === undefined
        ? DEFAULT_TENANT
        : await letApiRequestIn(request, response, { access, scope, header });
    if (body !== undefined) await readRequestJson(request, response);
    const written = await answer({
      tenantId,
      query: readRequestQuery(request),
      body: request.body,
      idempotencyKey: request.get('idempotency-key'),
      options: createCallOptions(response),
    });
    if (scope === undefined) sendList(response, written);
    else sendPrivate(response, written);
  };
}

/** The signal is made when it is asked for: our own engine, which answers at once, never does. */
function createCallOptions(response: Response): CallOptions {
  let signal: AbortSignal | undefined;
  return {
    get signal() {
      signal ??= createAbortSignal(response);
      return signal;
    },
  };
}

/** What an operation gets from its request. */
interface Given {
  readonly tenantId: string;
  /** What follows the `?`, undecoded. */
  readonly query: string;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  readonly options: CallOptions;
}

type Answers = Readonly<Record<OperationName, (given: Given) => Promise<unknown>>>;

/** All programs of a tenant count as one person: somebody may have several keys, and asks with each. */
const PROGRAMS = 'api';

/** Reads the request, asks the service, and writes the answer: each operation in terms of the contract. */
function createAnswers({ learningOf, feedback, insight }: EndpointsDeps): Answers {
  const note = ({ tenantId }: Given, { keywords, page }: LearningObjectQuery, found: SearchAnswer) => {
    if (page === 0)
      insight.noteSearch({ tenantId, words: keywords, person: PROGRAMS, found, isWatched: false });
    return found;
  };

  return {
    async similar({ tenantId, query, options }) {
      const wanted = parseSimilarRequest(query);
      return writeSimilarResponse(wanted, await learningOf(tenantId).similar(wanted, options));
    },
    async tagger({ tenantId, body, options }) {
      return writeTaggerResponse(await learningOf(tenantId).tagger(parseTaggerRequest(body), options));
    },
    async suggest({ tenantId, query, options }) {
      const wanted = parseSuggestRequest(query);
      return writeSuggestResponse(wanted, await learningOf(tenantId).suggest(wanted, options));
    },
    async provider({ tenantId, options }) {
      return writeProviderResponse(await learningOf(tenantId).listProviders(options));
    },
    async type({ tenantId, options }) {
      return writeTypeResponse(await learningOf(tenantId).listTypes(options));
    },
    async bloom({ tenantId, options }) {
      return writeBloomResponse(await learningOf(tenantId).listBlooms(options));
    },
    async lang({ tenantId, options }) {
      return writeLangResponse(await learningOf(tenantId).listLanguages(options));
    },
    async 'search-provider'(given) {
      const { tenantId, query, options } = given;
      const wanted = readSearchProvider(query);
      const found = await learningOf(tenantId).searchProvider(wanted.query, options);
      return writeSearchResponse(wanted, note(given, wanted.query, found));
    },
    async search(given) {
      const { tenantId, query, options } = given;
      const wanted = readSearch(query);
      const { withDetails } = wanted;
      const wide = withDetails ? { signal: options.signal, withDetails } : options;
      const found = await learningOf(tenantId).searchMany(wanted.query, wide);
      return writeSearchResponse(wanted, note(given, wanted.query, found));
    },
    async feedback({ tenantId, body, idempotencyKey }) {
      const key = parseFeedbackIdempotencyKey(idempotencyKey);
      // What was sent is kept, even if its sender does not wait for the answer.
      await feedback.giveFeedback(tenantId, parseFeedbackRequest(body), {
        role: 'program',
        idempotencyKey: key,
      });
      return writeFeedbackResponse();
    },
  };
}

const MAX_REMEMBERED = 2_000;
/** Longer ones are rare, and would let a few callers fill the memory. */
const MAX_KEY_LENGTH = 500;

const readSearch = remember(parseSearchRequest);
const readSearchProvider = remember(parseSearchProviderRequest);

/** The same pure function of a text with a cache of its last results. Errors are not cached. */
function remember<T extends object>(read: (text: string) => T): (text: string) => T {
  const results = new LRUCache<string, T>({ max: MAX_REMEMBERED });
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = read(text);
    if (text.length <= MAX_KEY_LENGTH) results.set(text, result);
    return result;
  };
}
