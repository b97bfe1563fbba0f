import { z } from 'zod';
import type { LearningObjectQuery, QueryFilter } from '#domain/learning-object-query';
import type { Problem } from '#errors';
import type { FieldSchemas } from './parse.ts';
import { IMPORTANT, writeQuery } from './read-query.ts';
import { described, keywords, language } from './shared.ts';

const age = z.int().min(0).max(120).exactOptional();
const minutes = z.int().min(0).max(1_000_000).exactOptional();
const level = z.number().min(-1).max(1).exactOptional();
export const providerId = z.string().min(1).max(100);

/** The parameters in the order of the specification. A value may end in `!important`. */
export const specifiedParameters = z.object({
  keywords: keywords.meta({ description: 'Topic: a skill, competency or job', examples: ['python'] }),
  lang: language.default('en').meta({ description: 'Language of the learning objects' }),
  provider: providerId.default('youtube').meta({ description: 'Id as the `provider` list has it' }),
  sort: z.enum(['popularity', 'random']).default('popularity').meta({ description: 'Order of the results' }),
  match: z.enum(['best-effort', 'strict']).default('best-effort').meta({
    description: 'Whether a filter that is not met ranks a learning object lower (best-effort) or excludes it (strict)',
  }),
  model: z.enum(['strict', 'extended']).default('strict').meta({
    description:
      'Whether every word of the topic must be found (strict; if no object has all, the closest), or any word, misspelt and related ones too (extended)',
  }),
  max: z.int().min(1).max(20).default(10).meta({ description: 'Items per page' }),
  page: z.int().min(0).max(10_000).default(0).meta({ description: 'Page, from 0' }),
  publisher: z.string().min(1).max(200).exactOptional().meta({ description: 'Who offers or sells it' }),
  ageMax: age.meta({ description: 'Maximum age in years' }),
  ageMin: age.meta({ description: 'Minimum age in years' }),
  learningTimeMax: minutes.meta({ description: 'Maximum length in minutes' }),
  learningTimeMin: minutes.meta({ description: 'Minimum length in minutes' }),
  levelMax: level.meta({ description: 'Maximum level, from -1 (beginner) to 1 (advanced)' }),
  levelMin: level.meta({ description: 'Minimum level, from -1 (beginner) to 1 (advanced)' }),
  popularityMin: described(
    z.number().min(0).max(1).exactOptional(),
    'Least popularity, from 0 (low) to 1 (exceptional)',
  ),
  address: described(
    z.string().min(1).max(300).exactOptional(),
    'Place around which to search, such as Lyon; needs `distanceMax`',
  ),
  distanceMax: described(z.int().min(0).max(20_000).exactOptional(), 'Maximum distance in kilometres; needs `address`'),
  free: z.boolean().exactOptional().meta({ description: 'true: free only; false: paid only; absent: both' }),
});

export const filtering =
  'A filter whose value ends in `!important`, such as `learningTimeMax=60!important`, excludes what does not meet it even where `match` is `best-effort`.';

const ranges = [
  ['ageMin', 'ageMax'],
  ['learningTimeMin', 'learningTimeMax'],
  ['levelMin', 'levelMax'],
] as const;

/** Finds problems between two parameters, each of which its schema has checked. */
export function findSearchPairProblems(values: Readonly<Record<string, unknown>>): Problem[] {
  const problems: Problem[] = [];
  for (const [min, max] of ranges) {
    const least = values[min];
    const most = values[max];
    if (typeof least === 'number' && typeof most === 'number' && least > most)
      problems.push({ path: min, problem: `must not be above ${max}` });
  }
  const { address, distanceMax } = values;
  if (address !== undefined && distanceMax === undefined)
    problems.push({ path: 'distanceMax', problem: 'is required with address: kilometres around it' });
  if (distanceMax !== undefined && address === undefined)
    problems.push({ path: 'address', problem: 'is required with distanceMax: the place to measure from' });
  return problems;
}

const filterOf: Readonly<Record<string, QueryFilter>> = {
  lang: 'lang',
  provider: 'provider',
  publisher: 'publisher',
  ageMax: 'age',
  ageMin: 'age',
  learningTimeMax: 'learningTime',
  learningTimeMin: 'learningTime',
  levelMax: 'level',
  levelMin: 'level',
  popularityMin: 'popularity',
  address: 'distance',
  distanceMax: 'distance',
  free: 'free',
  type: 'type',
  bloom: 'bloom',
  has: 'has',
  newerThan: 'newerThan',
};

/** Returns the filters of important parameters; other parameters are ignored. */
export function toImportantFilters(parameters: ReadonlySet<string>): ReadonlySet<QueryFilter> {
  const filters = [...parameters].map((name) => filterOf[name]);
  return new Set(filters.filter((filter) => filter !== undefined));
}

/** The parameters as written; unset ones with their defaults, or empty. */
export type Echo = Readonly<Record<string, string | readonly string[]>>;

export function createEchoWriter(fields: FieldSchemas): (written: Echo) => Echo {
  const unset: Echo = Object.fromEntries(
    Object.entries(fields).map(([name, { default: value }]) => [
      name,
      Array.isArray(value) ? value : String(value ?? ''),
    ]),
  );
  return (written) => ({ ...unset, ...written });
}

export interface WrittenSearchOptions {
  /** Whether to request facets and highlights, which are an extension. */
  readonly withDetails?: boolean | undefined;
}

/** Writes a search as a query string; several providers, types or objectives need the extension. */
export function writeSearchRequest(
  query: LearningObjectQuery,
  { withDetails = false }: WrittenSearchOptions = {},
): string {
  const { providers, types, blooms, without = [], has = [], important, ...singleValues } = query;
  const parameters: [string, string | number | boolean | undefined][] = [
    ...Object.entries(singleValues),
    ...providers.map((id): [string, string] => ['provider', id]),
    ...types.map((name): [string, string] => ['type', name]),
    ...blooms.map((name): [string, string] => ['bloom', name]),
    ...without.map((kind): [string, string] => ['without', kind]),
    ...has.map((mark): [string, string] => ['has', mark]),
    ['details', withDetails || undefined],
  ];
  return writeQuery(
    parameters.map(([name, value]) => {
      const filter = filterOf[name];
      const isImportant = value !== undefined && filter !== undefined && important.has(filter);
      return [name, isImportant ? `${value}${IMPORTANT}` : value] as const;
    }),
  );
}
