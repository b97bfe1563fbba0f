import { operations, type Wire } from '#contract/index';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { Clock } from '#ports/clock';
import type {
  CallOptions,
  LearningService,
  OperationAnswer,
  OperationHandlers,
  OperationName,
  OperationRequest,
  SearchAnswer,
  SimilarRequest,
  TaggerRequest,
  TagSet,
  Term,
} from '#ports/learning-service';
import type { UpstreamConnection } from '#ports/upstream';
import { type Ask, createCall, type Send } from './call.ts';
import { readAnswer } from './read-answer.ts';
import { createExtensionSearch, type ExtensionMemory } from './search-extension.ts';

interface RemoteLearningServiceDeps {
  readonly send: Send;
  readonly clock: Clock;
  readonly extensions: ExtensionMemory;
  /** Sends one call, with little time and without policies. */
  readonly probe: Send;
}

const DEFAULT_TERMS = 20;
const DEFAULT_TAGS = 10;
const DEFAULT_LANGUAGE = 'en';

/** Creates a client of a service. The contract describes the calls; operations in `exceptions` need
 *  code of their own. Errors:
 *  UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_KEY_REFUSED, UPSTREAM_THROTTLED,
 *  UPSTREAM_FAILED, UPSTREAM_PAUSED, UPSTREAM_BUSY, UPSTREAM_ADDRESS_REFUSED, RESPONSE_INVALID;
 *  PARAMETERS_INVALID if the service finds fault with a request; PROVIDER_UNKNOWN and
 *  PLACE_UNKNOWN of a search; REQUEST_ID_INVALID of a feedback; the signal's reason. */
export function createRemoteLearningService(
  connection: UpstreamConnection,
  { send, probe, clock, extensions }: RemoteLearningServiceDeps,
): LearningService {
  const askBy =
    (sendCall: Send): Ask =>
    async (operation, question) => {
      const call = createCall(connection, operation, question);
      return readAnswer(call, await sendCall(call), clock);
    };
  const ask = askBy(send);
  const exceptions: Partial<OperationHandlers> = {
    similar: (request, options) => findSimilarTerms(ask, request, options),
    tagger: (request, options) => tagTextRemotely(ask, request, options),
    // A service may refuse a parameter that is not specified, and the language only orders.
    suggest: ({ keywords }, options) => askWire(ask, { operation: 'suggest', request: { keywords }, options }),
    searchProvider: (query, options) => searchRemoteProvider(ask, query, options),
    searchMany: createExtensionSearch(connection, { ask, askOnce: askBy(probe), extensions }),
    // The specification has no calls for these operations.
    browse: async () => null,
    findAlike: async () => null,
  };
  return {
    async ask(operation, request, options = {}) {
      const handler = exceptions[operation];
      return handler ? handler(request, options) : askWire(ask, { operation, request, options });
    },
  };
}

const wires: { readonly [N in OperationName]?: Wire<N> } = operations;

async function askWire<N extends OperationName>(
  ask: Ask,
  { operation, request, options }: Readonly<{ operation: N; request: OperationRequest<N>; options: CallOptions }>,
): Promise<OperationAnswer<N>> {
  const wire = wires[operation];
  if (wire === undefined) throw new TypeError(`The operation ${operation} has no address.`);
  return wire.readAnswer(await ask(wire, { ...wire.writeRequest(request), signal: options.signal }));
}

/** Filters and limits terms, as a service may ignore unspecified parameters. */
async function findSimilarTerms(ask: Ask, request: SimilarRequest, options: CallOptions): Promise<readonly Term[]> {
  const { source, max = DEFAULT_TERMS } = request;
  const sent = omitDefaultMax(request, DEFAULT_TERMS);
  const terms = await askWire(ask, { operation: 'similar', request: sent, options });
  return terms.filter((term) => source === undefined || term.source === source).slice(0, max);
}

/** Omits unspecified parameters, and limits the number of tags. */
async function tagTextRemotely(ask: Ask, query: TaggerRequest, options: CallOptions): Promise<TagSet> {
  const { guesses: _, spans: __, byWords: ___, ...request } = query;
  const { max = DEFAULT_TAGS } = request;
  const sent = omitDefaultMax(request, DEFAULT_TAGS);
  const answer = await askWire(ask, { operation: 'tagger', request: sent, options });
  return { ...answer, tags: answer.tags.slice(0, max) };
}

/** Sends specified parameters only; the language has a default, as no value means any. Corrects
 *  totals that contradict the page: paging would never end, or would skip objects. */
async function searchRemoteProvider(ask: Ask, query: LearningObjectQuery, options: CallOptions): Promise<SearchAnswer> {
  const { prefer: _, without: __, has: ___, newerThan: ____, ...specified } = query;
  const { page, max } = query;
  const sort = query.sort === 'random' ? query.sort : ('popularity' as const);
  const request = { ...specified, sort, lang: query.lang ?? DEFAULT_LANGUAGE, types: [], blooms: [] };
  const answer = await askWire(ask, { operation: 'searchProvider', request, options });
  const content = answer.content.slice(0, max);
  const listed = content.length === 0 ? 0 : page * max + content.length;
  const totalItems = Math.max(answer.totalItems, listed);
  return { ...answer, content, page, totalItems, hasMore: answer.hasMore && content.length > 0 };
}

/** Omits a default number, as a service may refuse a parameter that is not specified. */
function omitDefaultMax<R extends { readonly max?: number }>(request: R, defaultMax: number): Omit<R, 'max'> {
  const { max, ...withoutMax } = request;
  return max === defaultMax ? withoutMax : request;
}
