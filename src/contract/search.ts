import { z } from 'zod';
import { bloomObjectives, learningObjectTypes } from '#domain/learning-object';
import { sorts, wishKinds } from '#domain/learning-object-query';
import { objectMarks } from '#domain/object-facts';
import { listFieldSchemas, parseRequest } from './parse.ts';
import { readQuery } from './read-query.ts';
import { detailedLearningObject, facetsField, isTotalExactField, missingField } from './search-extras.ts';
import {
  createEchoWriter,
  filtering,
  findSearchPairProblems,
  providerId,
  specifiedParameters,
  toImportantFilters,
  writeSearchRequest,
} from './search-parameters.ts';
import type { SearchRequest } from './search-provider.ts';
import { parseProviderResponse, receiveProviderSearch, searchMetadata, searchResult } from './search-provider.ts';
import { extended, extension, language, statusCode } from './shared.ts';
import type { Wire } from './wire.ts';

const MAX_VALUES = 50;

/** The parameters of the extension, which searches all providers; lists may be repeated. */
export const searchParameters = specifiedParameters.extend({
  lang: language.exactOptional().meta({ description: 'Language of the learning objects; absent: any' }),
  prefer: extended(language.exactOptional(), 'Language of the person: what is in it comes first'),
  sort: z.enum(sorts).default('popularity').meta({
    description:
      'Order of the results; `shortest` and `newest` are ours: what does not say its length or date comes last',
  }),
  without: extended(
    z.array(z.enum(wishKinds)).max(wishKinds.length).exactOptional(),
    'What the words say of level, type, price, length or place that is not to count',
  ),
  provider: extended(z.array(providerId).max(MAX_VALUES).default([]), 'Provider ids; absent: all'),
  type: extended(z.array(z.enum(learningObjectTypes)).max(MAX_VALUES).default([]), 'Types of the learning objects'),
  bloom: extended(
    z.array(z.enum(bloomObjectives)).max(MAX_VALUES).default([]),
    'Bloom objectives of the learning objects',
  ),
  has: extended(
    z.array(z.enum(objectMarks)).max(objectMarks.length).exactOptional(),
    'Only what states all of these: `mayShare`, `mayAdapt` (by its licence), `captions` (or a transcript)',
  ),
  newerThan: z.iso
    .date()
    .exactOptional()
    .meta({
      description: 'Only what is stated to be published or changed on this day or later',
      examples: ['2025-01-01'],
      ...extension,
    }),
  details: extended(z.boolean().exactOptional(), 'true: give facets and highlights as well'),
});

const fields = listFieldSchemas(searchParameters);
const makeEcho = createEchoWriter(fields);
const text = z.union([z.string(), z.array(z.string())]);

const searchResponse = z.looseObject({
  statusCode,
  request: z.looseObject({
    ...Object.fromEntries(Object.keys(fields).map((name) => [name, text])),
    author: z.string(),
    id: z.string(),
  }),
  response: searchResult.extend({
    content: z.array(detailedLearningObject),
    metadata: searchMetadata.extend({ isTotalExact: isTotalExactField }),
    facets: facetsField,
    missing: missingField,
  }),
});

export const searchMany: Wire<'searchMany'> = {
  name: 'search',
  method: 'GET',
  path: '/learningobject/v2/search',
  summary: 'Extension: search all providers at once, with filters by type and Bloom objective',
  description: filtering,
  scope: 'learning-objects',
  isExtension: true,
  parameters: searchParameters,
  response: searchResponse,
  readRequest: ({ query = '' }) => receiveProviderSearch(parseSearchRequest(query)),
  writeRequest: (query, options) => ({ query: writeSearchRequest(query, options) }),
  readAnswer: parseProviderResponse,
};

/** Errors: PARAMETERS_INVALID. */
export function parseSearchRequest(queryString: string): SearchRequest {
  const { problems, important, written, ...queryValues } = readQuery(queryString, fields, { readsImportant: true });
  const { type: types, bloom: blooms } = queryValues.values;
  const values = {
    ...queryValues.values,
    // Results have types in upper case, so a filter may as well.
    ...(Array.isArray(types) && { type: types.map((name: string) => name.toLowerCase()) }),
    ...(Array.isArray(blooms) && {
      bloom: blooms.map((name: string) => name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()),
    }),
  };
  const parsed = parseRequest(searchParameters, { values, problems }, findSearchPairProblems);
  const { provider, type, bloom, details = false, ...parameters } = parsed;
  return {
    query: {
      ...parameters,
      providers: provider,
      types: type,
      blooms: bloom,
      important: toImportantFilters(important),
    },
    echo: makeEcho(written),
    withDetails: details,
  };
}
