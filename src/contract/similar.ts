import { z } from 'zod';
import type { SimilarRequest, Term } from '../ports/learning-service.ts';
import { fieldSchemas, parseRequest, parseResponse } from './parse.ts';
import { readQuery } from './query-string.ts';
import { keywords, language, statusCode } from './shared.ts';

export const similarParameters = z.object({
  keywords,
  lang: language.default('en'),
  source: z
    .string()
    .max(100)
    .exactOptional()
    .meta({ description: 'Extension: only terms of this taxonomy', 'x-skilldock-extension': true }),
  max: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: 'Extension: at most this many terms', 'x-skilldock-extension': true }),
});

const term = z.looseObject({
  label: z.string().meta({ description: 'Title of the term in its taxonomy' }),
  source: z.string().meta({ description: 'Name of the taxonomy' }),
  score: z
    .number()
    .exactOptional()
    .meta({ description: 'Confidence, higher is better; absent on some terms' }),
});

export const similarResponse = z.looseObject({
  statusCode,
  request: z.looseObject({ keywords: z.string(), lang: z.string() }),
  response: z.array(term),
});

const fields = fieldSchemas(similarParameters);

/** Errors: PARAMETERS_INVALID. */
export function parseSimilarRequest(query: string): SimilarRequest & { readonly lang: string } {
  const { values, problems } = readQuery(query, fields);
  return parseRequest(similarParameters, values, problems);
}

export function writeSimilarResponse(
  request: SimilarRequest,
  terms: readonly Term[],
): z.input<typeof similarResponse> {
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
  return parseResponse('similar', similarResponse, body).response.map(({ label, source, score }) => ({
    label,
    source,
    ...(score !== undefined && { score }),
  }));
}
