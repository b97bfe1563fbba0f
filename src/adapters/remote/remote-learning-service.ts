import { operations, type Wire } from '#contract/index';
import type { LearningObjectQuery } from '#domain/learning-object-query';
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
import { type Ask, type AskDeps, createAsk } from './ask.ts';
import type { Send } from './call.ts';
import { createExtensionSearch, type ExtensionMemory } from './search-extension.ts';

export interface RemoteLearningServiceDeps extends AskDeps {
  readonly extensions: ExtensionMemory;
  /** Finds out whether a service has our extension: one call, with little time and without policies. */
  readonly probe: Send;
}

const DEFAULT_TERMS = 20;

const DEFAULT_TAGS = 10;

const DEFAULT_LANGUAGE = 'en';

/** The operations, answered by a service of the specification: as the table of the contract says, but for those in `exceptions`.
 *  Errors: UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_KEY_REFUSED, UPSTREAM_THROTTLED, UPSTREAM_FAILED,
 *  UPSTREAM_PAUSED, UPSTREAM_BUSY, UPSTREAM_ADDRESS_REFUSED, RESPONSE_INVALID; PARAMETERS_INVALID where the service finds
 *  fault with a request; PROVIDER_UNKNOWN and PLACE_UNKNOWN of a search; REQUEST_ID_INVALID of a feedback; the reason of
 *  the caller's signal, once that is aborted. */
export function createRemoteLearningService(
  connection: UpstreamConnection,
  deps: RemoteLearningServiceDeps,
): LearningService {
  const call = createAsk(connection, deps);
  const { clock, probe, extensions } = deps;
  const askOnce = createAsk(connection, { send: probe, clock });
  const exceptions: Partial<OperationHandlers> = {
    similar: (request, options) => findSimilarTerms(call, request, options),
    tagger: (request, options) => tagText(call, request, options),
    searchProvider: (query, options) => searchProvider(call, query, options),
    searchMany: createExtensionSearch(connection, { ask: call, askOnce, extensions }),
    browse: async () => null,
    findAlike: async () => null,
  };
  return {
    async ask(operation, request, options = {}) {
      const handler = exceptions[operation];
      return handler ? handler(request, options) : askWire(call, { operation, request, options });
    },
  };
}

/** The operations without an address are missing. */
const wires: { readonly [N in OperationName]?: Wire<N> } = operations;

interface Question<N extends OperationName> {
  readonly operation: N;
  readonly request: OperationRequest<N>;
  readonly options: CallOptions;
}

async function askWire<N extends OperationName>(
  call: Ask,
  { operation, request, options: { signal } }: Question<N>,
): Promise<OperationAnswer<N>> {
  const wire = wires[operation];
  if (wire === undefined) throw new TypeError(`The operation ${operation} has no address.`);
  return wire.readAnswer(await call(wire, { ...wire.writeRequest(request), signal }));
}

/** A service need not know the extras that we ask for, so their promises are kept here. */
async function findSimilarTerms(
  call: Ask,
  asked: SimilarRequest,
  options: CallOptions,
): Promise<readonly Term[]> {
  const { source, max = DEFAULT_TERMS } = asked;
  const request = withoutUsualMax(asked, DEFAULT_TERMS);
  const terms = await askWire(call, { operation: 'similar', request, options });
  return terms.filter((term) => source === undefined || term.source === source).slice(0, max);
}

/** The same for tags. */
async function tagText(
  call: Ask,
  { guesses: _, spans: __, byWords: ___, ...asked }: TaggerRequest,
  options: CallOptions,
): Promise<TagSet> {
  const { max = DEFAULT_TAGS } = asked;
  const request = withoutUsualMax(asked, DEFAULT_TAGS);
  const answer = await askWire(call, { operation: 'tagger', request, options });
  return { ...answer, tags: answer.tags.slice(0, max) };
}

async function searchProvider(
  call: Ask,
  query: LearningObjectQuery,
  options: CallOptions,
): Promise<SearchAnswer> {
  const request = toSpecified(query);
  return boundTo(query, await askWire(call, { operation: 'searchProvider', request, options }));
}

/** What the specification can express. It has no way to ask for any language; its default comes nearest. */
function toSpecified(query: LearningObjectQuery): LearningObjectQuery {
  const { prefer: _, without: __, ...rest } = query;
  const sort = query.sort === 'shortest' ? 'popularity' : query.sort;
  return { ...rest, sort, lang: query.lang ?? DEFAULT_LANGUAGE, types: [], blooms: [] };
}

/** An answer with corrected totals: otherwise paging would never end, or leave something out. */
function boundTo({ page, max }: LearningObjectQuery, answer: SearchAnswer): SearchAnswer {
  const content = answer.content.slice(0, max);
  const seen = content.length === 0 ? 0 : page * max + content.length;
  const totalItems = Math.max(answer.totalItems, seen);
  return { ...answer, content, page, totalItems, hasMore: answer.hasMore && content.length > 0 };
}

/** Defaults are not sent: a service may refuse what the specification does not have. */
function withoutUsualMax<R extends { readonly max?: number }>(request: R, usual: number): Omit<R, 'max'> {
  const { max, ...rest } = request;
  return max === usual ? rest : request;
}
