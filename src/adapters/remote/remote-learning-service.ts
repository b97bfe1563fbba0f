import {
  parseBloomResponse,
  parseFeedbackResponse,
  parseLangResponse,
  parseProviderResponse,
  parseSearchResponse,
  parseSimilarResponse,
  parseSuggestResponse,
  parseTaggerResponse,
  parseTypeResponse,
  writeFeedbackRequest,
  writeSearchRequest,
  writeSimilarRequest,
  writeSuggestRequest,
  writeTaggerRequest,
} from '../../contract/index.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type {
  LearningService,
  SearchAnswer,
  SimilarRequest,
  TaggerRequest,
} from '../../ports/learning-service.ts';
import type { UpstreamConnection } from '../../ports/upstream.ts';
import { type AskDeps, createAsk } from './ask.ts';
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

/** The nine operations, answered by a service of the specification.
 *  Errors: UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_KEY_REFUSED, UPSTREAM_THROTTLED, UPSTREAM_FAILED,
 *  UPSTREAM_PAUSED, UPSTREAM_BUSY, UPSTREAM_ADDRESS_REFUSED, RESPONSE_INVALID; PARAMETERS_INVALID where the service finds
 *  fault with a request; PROVIDER_UNKNOWN and PLACE_UNKNOWN of a search; REQUEST_ID_INVALID of a feedback; the reason of
 *  the caller's signal, once that is aborted. */
export function createRemoteLearningService(
  connection: UpstreamConnection,
  deps: RemoteLearningServiceDeps,
): LearningService {
  const ask = createAsk(connection, deps);
  const { clock, probe, extensions } = deps;
  const askOnce = createAsk(connection, { send: probe, clock });
  const searchByExtension = createExtensionSearch(connection, { ask, askOnce, extensions });
  return {
    // A service need not know the extras that we ask for, so their promises are kept here.
    async similar(request, { signal } = {}) {
      const { source, max = DEFAULT_TERMS } = request;
      const query = writeSimilarRequest(withoutUsualMax(request, DEFAULT_TERMS));
      const terms = parseSimilarResponse(await ask('similar', { query, signal }));
      return terms.filter((term) => source === undefined || term.source === source).slice(0, max);
    },

    async tagger(request, { signal } = {}) {
      const { guesses: _, spans: __, byWords: ___, ...asked } = request;
      const { max = DEFAULT_TAGS } = asked;
      const body = writeTaggerRequest(withoutUsualMax(asked, DEFAULT_TAGS));
      const found = parseTaggerResponse(await ask('tagger', { body, signal }));
      return { ...found, tags: found.tags.slice(0, max) };
    },

    suggest: async (request, { signal } = {}) =>
      parseSuggestResponse(await ask('suggest', { query: writeSuggestRequest(request), signal })),

    listProviders: async ({ signal } = {}) => parseProviderResponse(await ask('provider', { signal })),
    listTypes: async ({ signal } = {}) => parseTypeResponse(await ask('type', { signal })),
    listBlooms: async ({ signal } = {}) => parseBloomResponse(await ask('bloom', { signal })),
    listLanguages: async ({ signal } = {}) => parseLangResponse(await ask('lang', { signal })),

    async searchProvider(query, { signal } = {}) {
      const specified = toSpecified(query);
      const body = await ask('search-provider', { query: writeSearchRequest(specified), signal });
      return boundTo(query, parseSearchResponse(body));
    },

    searchMany: searchByExtension,
    browse: async () => null,
    findAlike: async () => null,

    async feedback(feedback, { signal } = {}) {
      const body = writeFeedbackRequest(feedback);
      parseFeedbackResponse(await ask('feedback', { body, idempotencyKey: feedback.id, signal }));
    },
  };
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
function withoutUsualMax<R extends SimilarRequest | TaggerRequest>(
  request: R,
  usual: number,
): Omit<R, 'max'> {
  const { max, ...rest } = request;
  return max === usual ? rest : request;
}
