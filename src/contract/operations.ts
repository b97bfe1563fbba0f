import type { z } from 'zod';
import type { ApiKeyScope } from '#domain/tenant';
import type {
  OperationAnswer,
  OperationName,
  OperationRequest,
  PresentAnswer,
  SearchAnswer,
  WireOperationName,
} from '#ports/learning-service';
import {
  feedbackBody,
  feedbackHeaders,
  feedbackResponse,
  parseFeedbackIdempotencyKey,
  parseFeedbackRequest,
  parseFeedbackResponse,
  writeFeedbackRequest,
  writeFeedbackResponse,
} from './feedback.ts';
import {
  bloomResponse,
  langResponse,
  parseBloomResponse,
  parseLangResponse,
  parseProviderResponse,
  parseTypeResponse,
  providerResponse,
  typeResponse,
  writeBloomResponse,
  writeLangResponse,
  writeProviderResponse,
  writeTypeResponse,
} from './lists.ts';
import { parseSearchRequest, searchParameters, searchResponse } from './search.ts';
import { type WrittenSearchOptions, writeSearchRequest } from './search-parameters.ts';
import {
  parseSearchProviderRequest,
  parseSearchResponse,
  type SearchRequest,
  searchProviderParameters,
  searchProviderResponse,
  writeSearchResponse,
} from './search-provider.ts';
import {
  parseSimilarRequest,
  parseSimilarResponse,
  similarParameters,
  similarResponse,
  writeSimilarRequest,
  writeSimilarResponse,
} from './similar.ts';
import {
  parseSuggestRequest,
  parseSuggestResponse,
  suggestParameters,
  suggestResponse,
  writeSuggestRequest,
  writeSuggestResponse,
} from './suggest.ts';
import {
  parseTaggerRequest,
  parseTaggerResponse,
  taggerBody,
  taggerResponse,
  writeTaggerRequest,
  writeTaggerResponse,
} from './tagger.ts';

export interface Operation {
  /** The end of its path. A marketplace gateway has the operation under this name. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Where it is in the service itself. */
  readonly path: string;
  readonly summary: string;
  /** More explanation; Markdown. */
  readonly description?: string;
  /** The scope that a key needs; absent where no key is needed. */
  readonly scope?: ApiKeyScope;
  /** Whether a marketplace gateway has it as well, under its name. */
  readonly isAtGateway?: true;
  /** Whether it is our extension. */
  readonly isExtension?: true;
  readonly parameters?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
}

export interface SentRequest {
  /** The part after `?`; empty where there is none. */
  readonly query?: string;
  /** Of a POST: JSON. */
  readonly body?: unknown;
  /** Value of the header `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined;
}

export interface ReceivedRequest<N extends OperationName> {
  readonly request: OperationRequest<N>;
  /** See `CallOptions`. */
  readonly withDetails?: boolean;
  /** The body of the answer: plain data, or the text of its JSON. */
  writeAnswer(answer: PresentAnswer<N>): unknown;
}

/** How an operation is written and read on both sides. */
export interface Wire<N extends OperationName> extends Operation {
  /** Of a server. Errors: PARAMETERS_INVALID. */
  readRequest(sent: SentRequest): ReceivedRequest<N>;
  /** Of a client. */
  writeRequest(request: OperationRequest<N>, options?: WrittenSearchOptions): SentRequest;
  /** Of a client, from parsed JSON. Errors: RESPONSE_INVALID. */
  readAnswer(body: unknown): OperationAnswer<N>;
}

const filtering =
  'A filter whose value ends in `!important`, such as `learningTimeMax=60!important`, excludes what does not meet it even where `match` is `best-effort`.';

/** The only list of the operations on the wire: of the server, the client and the documents. */
export const operations: { readonly [N in WireOperationName]: Wire<N> } = {
  similar: {
    name: 'similar',
    method: 'GET',
    path: '/domcomp/v1/similar',
    summary: 'Terms of several taxonomies that are similar to keywords',
    scope: 'competency',
    parameters: similarParameters,
    response: similarResponse,
    readRequest({ query = '' }) {
      const request = parseSimilarRequest(query);
      return { request, writeAnswer: (terms) => writeSimilarResponse(request, terms) };
    },
    writeRequest: (request) => ({ query: writeSimilarRequest(request) }),
    readAnswer: parseSimilarResponse,
  },
  tagger: {
    name: 'tagger',
    method: 'POST',
    path: '/domcomp/v1/tagger',
    summary: 'Tags extracted from, or associated with, a text',
    scope: 'competency',
    body: taggerBody,
    response: taggerResponse,
    readRequest: ({ body }) => ({ request: parseTaggerRequest(body), writeAnswer: writeTaggerResponse }),
    writeRequest: (request) => ({ body: writeTaggerRequest(request) }),
    readAnswer: parseTaggerResponse,
  },
  suggest: {
    name: 'suggest',
    method: 'GET',
    path: '/domcomp/v1/suggest',
    summary: 'Terms for autocompletion and suggested queries',
    scope: 'competency',
    parameters: suggestParameters,
    response: suggestResponse,
    readRequest({ query = '' }) {
      const request = parseSuggestRequest(query);
      return { request, writeAnswer: (answer) => writeSuggestResponse(request, answer) };
    },
    writeRequest: (request) => ({ query: writeSuggestRequest(request) }),
    readAnswer: parseSuggestResponse,
  },
  listProviders: {
    name: 'provider',
    method: 'GET',
    path: '/learningobject/v2/provider',
    summary: 'Supported providers',
    isAtGateway: true,
    response: providerResponse,
    readRequest: () => ({ request: {}, writeAnswer: writeProviderResponse }),
    writeRequest: () => ({}),
    readAnswer: parseProviderResponse,
  },
  listTypes: {
    name: 'type',
    method: 'GET',
    path: '/learningobject/v2/type',
    summary: 'Supported types (a bare array)',
    isAtGateway: true,
    response: typeResponse,
    readRequest: () => ({ request: {}, writeAnswer: writeTypeResponse }),
    writeRequest: () => ({}),
    readAnswer: parseTypeResponse,
  },
  listBlooms: {
    name: 'bloom',
    method: 'GET',
    path: '/learningobject/v2/bloom',
    summary: 'Supported Bloom objectives',
    isAtGateway: true,
    response: bloomResponse,
    readRequest: () => ({ request: {}, writeAnswer: writeBloomResponse }),
    writeRequest: () => ({}),
    readAnswer: parseBloomResponse,
  },
  listLanguages: {
    name: 'lang',
    method: 'GET',
    path: '/learningobject/v2/lang',
    summary: 'Supported languages',
    isAtGateway: true,
    response: langResponse,
    readRequest: () => ({ request: {}, writeAnswer: writeLangResponse }),
    writeRequest: () => ({}),
    readAnswer: parseLangResponse,
  },
  searchProvider: {
    name: 'search-provider',
    method: 'GET',
    path: '/learningobject/v2/search-provider',
    summary: 'Search the learning objects of one provider',
    description: filtering,
    scope: 'learning-objects',
    isAtGateway: true,
    parameters: searchProviderParameters,
    response: searchProviderResponse,
    readRequest: ({ query = '' }) => receiveSearch(parseSearchProviderRequest(query)),
    writeRequest: (query) => ({ query: writeSearchRequest(query) }),
    readAnswer: parseSearchResponse,
  },
  feedback: {
    name: 'feedback',
    method: 'POST',
    path: '/learningobject/v2/feedback',
    summary: 'Give feedback on a learning object that a search returned',
    scope: 'feedback',
    isAtGateway: true,
    headers: feedbackHeaders,
    body: feedbackBody,
    response: feedbackResponse,
    readRequest({ body, idempotencyKey }) {
      const id = parseFeedbackIdempotencyKey(idempotencyKey);
      const feedback = parseFeedbackRequest(body);
      return { request: id === undefined ? feedback : { ...feedback, id }, writeAnswer: writeFeedbackResponse };
    },
    writeRequest: (feedback) => ({ body: writeFeedbackRequest(feedback), idempotencyKey: feedback.id }),
    readAnswer: parseFeedbackResponse,
  },
  searchMany: {
    name: 'search',
    method: 'GET',
    path: '/learningobject/v2/search',
    summary: 'Extension: search all providers at once, with filters by type and Bloom objective',
    description: filtering,
    scope: 'learning-objects',
    isExtension: true,
    parameters: searchParameters,
    response: searchResponse,
    readRequest: ({ query = '' }) => receiveSearch(parseSearchRequest(query)),
    writeRequest: (query, options) => ({ query: writeSearchRequest(query, options) }),
    readAnswer: parseSearchResponse,
  },
};

/** `Object.keys` gives texts; the type of the table says which. */
export const operationNames = Object.keys(operations) as readonly WireOperationName[];

function receiveSearch(search: SearchRequest) {
  return {
    request: search.query,
    withDetails: search.withDetails,
    writeAnswer: (answer: SearchAnswer) => writeSearchResponse(search, answer),
  };
}
