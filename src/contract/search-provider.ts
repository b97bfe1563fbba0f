import { z } from 'zod';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { SearchAnswer } from '#ports/learning-service';
import { acceptedItems, acceptedNumber, acceptedOrAbsent } from './accepted.ts';
import { acceptedLearningObject, learningObject, readLearningObject } from './learning-object.ts';
import { listFieldSchemas, parseRequest, parseResponse } from './parse.ts';
import { readQuery } from './read-query.ts';
import { readSearchDetails, readSearchGaps, stringifySearchItems, writeSearchFacets } from './search-extras.ts';
import {
  createEchoWriter,
  type Echo,
  filtering,
  findSearchPairProblems,
  specifiedParameters,
  toImportantFilters,
  writeSearchRequest,
} from './search-parameters.ts';
import { message, readQualityMessage, statusCode, toQualityMessage } from './shared.ts';
import type { Wire } from './wire.ts';

export interface SearchRequest {
  readonly query: LearningObjectQuery;
  readonly echo: Echo;
  /** Whether facets and highlights are requested, which are an extension. */
  readonly withDetails: boolean;
}

const fields = listFieldSchemas(specifiedParameters);
const makeEcho = createEchoWriter(fields);
const echoed = Object.fromEntries(Object.keys(fields).map((name) => [name, z.string()]));

export const searchMetadata = z.looseObject({
  page: z.int().meta({ description: 'Page returned, from 0' }),
  'number item per page': z.int(),
  'total number item': z.int(),
  hasMore: z.boolean(),
});

const requestId = z.string().meta({ description: 'Identifier of this search: the `request_id` of a feedback' });

/** An answer without the echo. */
export const searchResult = z.looseObject({
  content: z.array(learningObject),
  metadata: searchMetadata,
  msg: message,
});

const searchProviderResponse = z.looseObject({
  statusCode,
  request: z.looseObject({ ...echoed, author: z.string(), id: requestId }),
  response: searchResult,
});

const acceptedCount = acceptedNumber.pipe(z.int());

const acceptedResponse = z.looseObject({
  request: z.looseObject({ id: z.string() }),
  response: z.looseObject({
    content: acceptedItems(acceptedLearningObject),
    metadata: z.looseObject({
      page: acceptedOrAbsent(acceptedCount),
      'number item per page': acceptedCount,
      'total number item': acceptedCount,
      hasMore: acceptedOrAbsent(z.boolean()),
    }),
  }),
});

export const searchProvider: Wire<'searchProvider'> = {
  name: 'search-provider',
  method: 'GET',
  path: '/learningobject/v2/search-provider',
  summary: 'Search the learning objects of one provider',
  description: filtering,
  scope: 'learning-objects',
  isAtGateway: true,
  parameters: specifiedParameters,
  response: searchProviderResponse,
  readRequest: ({ query = '' }) => receiveProviderSearch(parseSearchProviderRequest(query)),
  writeRequest: (query) => ({ query: writeSearchRequest(query) }),
  readAnswer: parseProviderResponse,
};

/** Makes the request and the writer of its answer for a parsed search. */
export function receiveProviderSearch(search: SearchRequest) {
  return {
    request: search.query,
    withDetails: search.withDetails,
    writeAnswer: (answer: SearchAnswer) => writeProviderResponse(search, answer),
  };
}

/** Errors: PARAMETERS_INVALID. */
export function parseSearchProviderRequest(queryString: string): SearchRequest {
  const parsedQuery = readQuery(queryString, fields, { readsImportant: true });
  const { provider, ...parameters } = parseRequest(specifiedParameters, parsedQuery, findSearchPairProblems);
  return {
    query: {
      ...parameters,
      providers: [provider],
      types: [],
      blooms: [],
      important: toImportantFilters(parsedQuery.important),
    },
    echo: makeEcho(parsedQuery.written),
    withDetails: false,
  };
}

/** Joins the texts of the objects: to serialize them again would cost more than the search. */
export function writeProviderResponse({ echo, withDetails }: SearchRequest, answer: SearchAnswer): string {
  const { missing = [], facets } = answer;
  const request = JSON.stringify({ ...echo, author: '', id: answer.requestId });
  const fieldsAfterContent = JSON.stringify({
    metadata: {
      page: answer.page,
      'number item per page': answer.itemsPerPage,
      'total number item': answer.totalItems,
      hasMore: answer.hasMore,
      ...(answer.isTotalExact === false && { isTotalExact: false }),
    },
    msg: toQualityMessage(answer.quality),
    ...(missing.length > 0 && { missing }),
    ...(withDetails && facets !== undefined && { facets: writeSearchFacets(facets) }),
  });
  const content = stringifySearchItems(answer, withDetails);
  return `{"statusCode":200,"request":${request},"response":{"content":[${content}],${fieldsAfterContent.slice(1)}}`;
}

/** Errors: RESPONSE_INVALID. */
export function parseProviderResponse(body: unknown): SearchAnswer {
  const { request, response } = parseResponse('search-provider', acceptedResponse, body);
  const { page = 0, 'number item per page': itemsPerPage, 'total number item': totalItems } = response.metadata;
  const content = response.content.map(readLearningObject);
  return {
    requestId: request.id,
    content,
    page,
    itemsPerPage,
    totalItems,
    hasMore: response.metadata.hasMore ?? (page + 1) * itemsPerPage < totalItems,
    quality: readQualityMessage(response.msg, content.length),
    ...(isProviderExtension(request) && {
      ...readSearchDetails(response, { objects: content, requestId: request.id }),
      ...readSearchGaps(response),
    }),
  };
}

/** Returns whether an echo is the extension's: it lists providers, the specified one has a text. */
export const isProviderExtension = ({ provider }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(provider);
