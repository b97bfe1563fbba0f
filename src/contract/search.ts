import { z } from 'zod';
import { bloomObjectives, learningObjectTypes } from '../domain/learning-object.ts';
import { fieldSchemas, parseRequest } from './parse.ts';
import { readQuery } from './query-string.ts';
import { commonParameters, type SearchRequest, toEcho, toQuery, withRules } from './search-provider.ts';
import { language } from './shared.ts';

/** Our extension: all providers at once, or several, with filters by type and Bloom objective. It answers as
 *  `search-provider` does. */
export const searchParameters = withRules(
  z.object({
    ...commonParameters,
    lang: language.exactOptional().meta({ description: 'Language of the learning objects; empty: any' }),
    provider: z
      .array(z.string().max(100))
      .max(50)
      .default([])
      .meta({ description: 'Provider id; may be repeated; none: all providers' }),
    type: z
      .array(z.enum(learningObjectTypes))
      .max(learningObjectTypes.length)
      .default([])
      .meta({ description: 'Type, as in the type list; may be repeated' }),
    bloom: z
      .array(z.enum(bloomObjectives))
      .max(bloomObjectives.length)
      .default([])
      .meta({ description: 'Bloom objective, as in the bloom list; may be repeated' }),
  }),
);

const fields = fieldSchemas(searchParameters);

/** Errors: PARAMETERS_INVALID. */
export function parseSearchRequest(queryString: string): SearchRequest {
  const read = readQuery(queryString, fields);
  const parameters = parseRequest(searchParameters, read.values, read.problems);
  const { provider, type, bloom, ...common } = parameters;
  return {
    query: { ...toQuery(common, read), providers: provider, types: type, blooms: bloom },
    echo: toEcho(Object.keys(fields), parameters, read),
  };
}
