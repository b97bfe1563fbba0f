import { z } from 'zod';
import type { LearningObjectQuery, QueryFilter } from '../domain/learning-object-query.ts';
import type { SearchAnswer } from '../ports/learning-service.ts';
import { learningObject, readLearningObject, writeLearningObject } from './learning-object.ts';
import { fieldSchemas, parseRequest, parseResponse } from './parse.ts';
import { type ReadQuery, readQuery } from './query-string.ts';
import { fromMessage, keywords, language, message, statusCode, toMessage } from './shared.ts';

/** The specification names only "the id of a video-sharing provider". */
export const DEFAULT_PROVIDER = 'youtube';
export const MAX_PAGE = 10_000;

const id = z.string().max(100);
const age = z.int().min(0).max(120).exactOptional();
const minutes = z.int().min(0).max(1_000_000).exactOptional();
const level = z.number().min(-1).max(1).exactOptional();
/** Half of the Earth's circumference. */
const MAX_DISTANCE_KM = 20_040;

/** What `search-provider` and our extension `search` share. */
export const commonParameters = {
  keywords,
  sort: z.enum(['popularity', 'random']).default('popularity').meta({ description: 'Order of the results' }),
  match: z.enum(['best-effort', 'strict']).default('best-effort').meta({
    description: 'strict: every filter excludes. best-effort: a filter that is not met ranks lower',
  }),
  model: z.enum(['strict', 'extended']).default('strict').meta({
    description: 'strict: every word is found. extended: any word, typos and related terms as well',
  }),
  max: z.int().min(1).max(20).default(10).meta({ description: 'Items per page' }),
  page: z.int().min(0).max(MAX_PAGE).default(0).meta({ description: 'Page number, from 0' }),
  publisher: z
    .string()
    .max(200)
    .exactOptional()
    .meta({ description: 'Organization offering or selling the object' }),
  ageMax: age.meta({ description: 'Maximum age, years' }),
  ageMin: age.meta({ description: 'Minimum age, years' }),
  learningTimeMax: minutes.meta({ description: 'Maximum length, minutes' }),
  learningTimeMin: minutes.meta({ description: 'Minimum length, minutes' }),
  levelMax: level.meta({ description: 'Maximum level, from -1 (beginner) to 1 (advanced)' }),
  levelMin: level.meta({ description: 'Minimum level, same scale' }),
  popularityMin: z.number().min(0).max(1).exactOptional().meta({ description: 'Least popularity, 0 to 1' }),
  address: z
    .string()
    .max(200)
    .exactOptional()
    .meta({ description: 'Place to search around, with distanceMax' }),
  distanceMax: z
    .int()
    .min(0)
    .max(MAX_DISTANCE_KM)
    .exactOptional()
    .meta({ description: 'Maximum distance from address, km' }),
  free: z.boolean().exactOptional().meta({ description: 'true: free only; false: paid only; empty: both' }),
};

export const searchProviderParameters = withRules(
  z.object({
    ...commonParameters,
    lang: language.default('en').meta({ description: 'Language of the learning objects' }),
    provider: id.default(DEFAULT_PROVIDER).meta({ description: 'Provider id, as in the provider list' }),
  }),
);

const echo = z.record(z.string(), z.unknown()).meta({
  description: 'The parameters as given or by default, unset ones as empty strings, with `author` and `id`',
});

export const searchProviderResponse = z.looseObject({
  statusCode,
  request: z.looseObject({ id: z.string() }).and(echo),
  response: z.looseObject({
    content: z.array(learningObject),
    metadata: z.looseObject({
      page: z.int(),
      'number item per page': z.int(),
      'total number item': z.int(),
      hasMore: z.boolean(),
    }),
    msg: message,
  }),
});

/** A request with what its answer echoes. */
export interface SearchRequest {
  readonly query: LearningObjectQuery;
  readonly echo: Readonly<Record<string, unknown>>;
}

const fields = fieldSchemas(searchProviderParameters);

/** Errors: PARAMETERS_INVALID. */
export function parseSearchProviderRequest(queryString: string): SearchRequest {
  const read = readQuery(queryString, fields);
  const parameters = parseRequest(searchProviderParameters, read.values, read.problems);
  const { lang, provider, ...common } = parameters;
  return {
    query: { ...toQuery(common, read), lang, providers: [provider], types: [], blooms: [] },
    echo: toEcho(Object.keys(fields), parameters, read),
  };
}

export function writeSearchResponse(
  { echo }: SearchRequest,
  { requestId, content, page, itemsPerPage, totalItems, hasMore, quality }: SearchAnswer,
): z.input<typeof searchProviderResponse> {
  return {
    statusCode: 200,
    request: { ...echo, id: requestId },
    response: {
      content: content.map(writeLearningObject),
      metadata: {
        page,
        'number item per page': itemsPerPage,
        'total number item': totalItems,
        hasMore,
      },
      msg: toMessage(quality),
    },
  };
}

/** Errors: RESPONSE_INVALID. */
export function parseSearchResponse(body: unknown): SearchAnswer {
  const { request, response } = parseResponse('search-provider', searchProviderResponse, body);
  const { content, metadata, msg } = response;
  return {
    requestId: request.id,
    content: content.map(readLearningObject),
    page: metadata.page,
    itemsPerPage: metadata['number item per page'],
    totalItems: metadata['total number item'],
    hasMore: metadata.hasMore,
    quality: fromMessage(msg),
  };
}

interface Ranges {
  readonly ageMin?: number;
  readonly ageMax?: number;
  readonly learningTimeMin?: number;
  readonly learningTimeMax?: number;
  readonly levelMin?: number;
  readonly levelMax?: number;
  readonly address?: string;
  readonly distanceMax?: number;
}

/** Add the rules that join several parameters. */
export function withRules<T extends z.ZodType<Ranges>>(schema: T): T {
  return schema.superRefine((value, context) => {
    const { address, distanceMax } = value;
    const report = (path: string, text: string) =>
      context.addIssue({ code: 'custom', path: [path], message: text });
    for (const name of ['age', 'learningTime', 'level'] as const) {
      const min = value[`${name}Min`];
      const max = value[`${name}Max`];
      if (min !== undefined && max !== undefined && min > max)
        report(`${name}Min`, `must not be above ${name}Max (${max})`);
    }
    if (address !== undefined && distanceMax === undefined)
      report('distanceMax', 'is required with address, in km');
    if (address === undefined && distanceMax !== undefined) report('address', 'is required with distanceMax');
  });
}

const filterOf: Readonly<Record<string, QueryFilter>> = {
  lang: 'lang',
  provider: 'provider',
  publisher: 'publisher',
  ageMin: 'age',
  ageMax: 'age',
  learningTimeMin: 'learningTime',
  learningTimeMax: 'learningTime',
  levelMin: 'level',
  levelMax: 'level',
  popularityMin: 'popularity',
  address: 'distance',
  distanceMax: 'distance',
  free: 'free',
  type: 'type',
  bloom: 'bloom',
};

/** What the parameters mean. `keywords … !important` asks for every word, as `model=strict` does. */
export function toQuery<T extends { readonly model: 'strict' | 'extended' }>(
  common: T,
  { important }: ReadQuery,
) {
  return {
    ...common,
    model: important.has('keywords') ? ('strict' as const) : common.model,
    important: new Set([...important].flatMap((name) => filterOf[name] ?? [])),
  };
}

/** Every parameter, as it was written where it carried `!important`. */
export function toEcho(
  names: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
  { written, important }: ReadQuery,
): Record<string, unknown> {
  const entries = names.map((name) => [name, important.has(name) ? written[name] : (parameters[name] ?? '')]);
  return { ...Object.fromEntries(entries), author: '' };
}
