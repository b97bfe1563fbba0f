import {
  parseBloomResponse,
  parseFeedbackResponse,
  parseLangResponse,
  parseProviderResponse,
  parseSimilarResponse,
  parseSuggestResponse,
  parseTaggerResponse,
  parseTypeResponse,
  writeFeedbackRequest,
  writeSimilarRequest,
  writeSuggestRequest,
  writeTaggerRequest,
} from '../../contract/index.ts';
import type { LearningService, SimilarRequest, TaggerRequest } from '../../ports/learning-service.ts';
import type { UpstreamConnection } from '../../ports/upstream.ts';
import { type AskDeps, createAsk } from './ask.ts';
import { createRemoteSearch, type SearchMemory } from './search-many.ts';

export interface RemoteLearningServiceDeps extends AskDeps {
  readonly memory: SearchMemory;
  /** Of one operation, however many calls it needs. */
  readonly timeoutMs: number;
}

const DEFAULT_TERMS = 20;
const DEFAULT_TAGS = 10;

/** The nine operations, answered by a service of the specification.
 *  Errors: UPSTREAM_UNREACHABLE, UPSTREAM_TIMEOUT, UPSTREAM_KEY_REFUSED, UPSTREAM_THROTTLED, UPSTREAM_FAILED,
 *  UPSTREAM_ADDRESS_REFUSED, RESPONSE_INVALID; PARAMETERS_INVALID where the service finds fault with a request;
 *  PROVIDER_UNKNOWN and PLACE_UNKNOWN of a search; REQUEST_ID_INVALID of a feedback. */
export function createRemoteLearningService(
  connection: UpstreamConnection,
  deps: RemoteLearningServiceDeps,
): LearningService {
  const ask = createAsk(connection, deps);
  const search = createRemoteSearch(connection, { ask, memory: deps.memory, timeoutMs: deps.timeoutMs });
  return {
    // Our extras are asked for, but a service need not know them; so what they promise is held here.
    async similar(request) {
      const { source, max = DEFAULT_TERMS } = request;
      const query = writeSimilarRequest(withoutUsualMax(request, DEFAULT_TERMS));
      const terms = parseSimilarResponse(await ask('similar', { query }));
      return terms.filter((term) => source === undefined || term.source === source).slice(0, max);
    },

    async tagger(request) {
      const { max = DEFAULT_TAGS } = request;
      const body = writeTaggerRequest(withoutUsualMax(request, DEFAULT_TAGS));
      const found = parseTaggerResponse(await ask('tagger', { body }));
      return { ...found, tags: found.tags.slice(0, max) };
    },

    suggest: async (request) =>
      parseSuggestResponse(await ask('suggest', { query: writeSuggestRequest(request) })),

    listProviders: async () => parseProviderResponse(await ask('provider')),
    listTypes: async () => parseTypeResponse(await ask('type')),
    listBlooms: async () => parseBloomResponse(await ask('bloom')),
    listLanguages: async () => parseLangResponse(await ask('lang')),

    searchProvider: (query) => search(query),

    async feedback(feedback) {
      parseFeedbackResponse(await ask('feedback', { body: writeFeedbackRequest(feedback) }));
    },
  };
}

/** What is so anyway is not asked for: a service may refuse what the specification does not have. */
function withoutUsualMax<R extends SimilarRequest | TaggerRequest>(
  request: R,
  usual: number,
): Omit<R, 'max'> {
  const { max, ...rest } = request;
  return max === usual ? rest : request;
}
