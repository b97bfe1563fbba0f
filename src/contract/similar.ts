import { z } from 'zod';
import type { SimilarRequest, Term } from '#ports/learning-service';
import { acceptedItems, acceptedName, acceptedNumber, acceptedOrAbsent } from './accepted.ts';
import { listFieldSchemas, parseRequest, parseResponse } from './parse.ts';
import { readQuery, writeQuery } from './read-query.ts';
import { extension, keywords, language, statusCode, taxonomySource } from './shared.ts';

export const similarParameters = z.object({
  keywords,
  lang: language.default('en'),
  source: taxonomySource,
  max: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: 'Extension: at most this many terms', ...extension }),
});

const term = z.looseObject({
  label: z.string().meta({ description: 'Title of the term in its taxonomy' }),
  source: z.string().meta({ description: 'Name of the taxonomy' }),
  score: z.number().exactOptional().meta({ description: 'Confidence, higher is better; absent on some terms' }),
});

export const similarResponse = z.looseObject({
  statusCode,
  request: z.looseObject({ keywords: z.string(), lang: z.string() }),
  response: z.array(term),
});

/** Only what an answer cannot do without. */
const acceptedResponse = z.looseObject({
  response: acceptedItems(
    z.looseObject({ label: acceptedName, source: acceptedName, score: acceptedOrAbsent(acceptedNumber) }),
  ),
});

const fields = listFieldSchemas(similarParameters);

/** Errors: PARAMETERS_INVALID. */
export const parseSimilarRequest = (query: string): SimilarRequest =>
  parseRequest(similarParameters, readQuery(query, fields));

/** The query string, with our extensions where they are asked for. */
export const writeSimilarRequest = ({ keywords, lang, source, max }: SimilarRequest): string =>
  writeQuery(Object.entries({ keywords, lang, source, max }));

export function writeSimilarResponse(request: SimilarRequest, terms: readonly Term[]): z.input<typeof similarResponse> {
  return {
    statusCode: 200,
    request: { keywords: request.keywords, lang: request.lang },
    response: terms.map(({ label, source, score }) => ({
      label,
      source,
      ...(score !== undefined && { score }),
    })),
  };
}

/** Errors: RESPONSE_INVALID. */
export function parseSimilarResponse(body: unknown): readonly Term[] {
  return parseResponse('similar', acceptedResponse, body).response.map(({ label, source, score }) => ({
    label,
    source,
    ...(score !== undefined && { score }),
  }));
}
