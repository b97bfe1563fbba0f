import { z } from 'zod';
import type { Term } from '#ports/learning-service';
import { acceptedItems, acceptedName, acceptedNumber, acceptedOrAbsent } from './accepted.ts';
import { listFieldSchemas, parseRequest, parseResponse } from './parse.ts';
import { readQuery, writeQuery } from './read-query.ts';
import { conceptFields, extended, keywords, language, statusCode, taxonomySource } from './shared.ts';
import type { Wire } from './wire.ts';

const parameters = z.object({
  keywords,
  lang: language.default('en'),
  source: taxonomySource,
  max: extended(z.int().min(1).max(100).default(20), 'Extension: at most this many terms'),
});

const term = z.looseObject({
  label: z.string().meta({ description: 'Title of the term in its taxonomy' }),
  source: z.string().meta({ description: 'Name of the taxonomy' }),
  score: z.number().exactOptional().meta({ description: 'Confidence, higher is better; absent on some terms' }),
  ...conceptFields,
});

const response = z.looseObject({
  statusCode,
  request: z.looseObject({ keywords: z.string(), lang: z.string() }),
  response: z.array(term),
});

const acceptedResponse = z.looseObject({
  response: acceptedItems(
    z.looseObject({ label: acceptedName, source: acceptedName, score: acceptedOrAbsent(acceptedNumber) }),
  ),
});

const fields = listFieldSchemas(parameters);

export const similar: Wire<'similar'> = {
  name: 'similar',
  method: 'GET',
  path: '/domcomp/v1/similar',
  summary: 'Terms of several taxonomies that are similar to keywords',
  scope: 'competency',
  parameters,
  response,
  readRequest({ query = '' }) {
    const request = parseRequest(parameters, readQuery(query, fields));
    return {
      request,
      writeAnswer: (terms) => ({
        statusCode: 200,
        request: { keywords: request.keywords, lang: request.lang },
        response: terms.map(({ concept, ...term }) => ({
          ...copySimilarTerm(term),
          ...(concept !== undefined && { uri: concept, taxonomy: term.source }),
        })),
      }),
    };
  },
  writeRequest: ({ keywords, lang, source, max }) => ({
    query: writeQuery(Object.entries({ keywords, lang, source, max })),
  }),
  readAnswer: (body) => parseResponse('similar', acceptedResponse, body).response.map(copySimilarTerm),
};

/** Copies the fields that the specification has. */
const copySimilarTerm = ({ label, source, score }: Term | z.output<typeof acceptedResponse>['response'][number]) => ({
  label,
  source,
  ...(score !== undefined && { score }),
});
