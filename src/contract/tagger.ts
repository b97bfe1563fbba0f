import { z } from 'zod';
import { MAX_TEXT_LENGTH } from '../domain/text.ts';
import type { TaggerRequest, TagSet } from '../ports/learning-service.ts';
import { acceptedEntries, acceptedName } from './accepted.ts';
import { listFieldSchemas, parseRequest, parseResponse } from './parse.ts';
import { readBody } from './read-body.ts';
import { extension, language, statusCode, taxonomySource } from './shared.ts';

export const taggerBody = z.object({
  text: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TEXT_LENGTH)
    .meta({
      description: 'Text to tag; 100 to 500 characters give the best results',
      examples: ['We look for a nurse who cares for patients, gives first aid and writes reports.'],
    }),
  lang: language.default('en'),
  source: taxonomySource,
  max: z
    .int()
    .min(1)
    .max(50)
    .default(10)
    .meta({ description: 'Extension: at most this many tags', ...extension }),
});

export const taggerResponse = z.looseObject({
  statusCode,
  body: z.looseObject({
    tokenized_text: z.string().meta({ description: 'The text as it was split into words' }),
    lang: z.string(),
    tags: z.array(z.string()).exactOptional().meta({ description: 'Terms of the text, best first' }),
  }),
});

const fields = listFieldSchemas(taggerBody);

/** Errors: PARAMETERS_INVALID. */
export function parseTaggerRequest(body: unknown): TaggerRequest {
  return parseRequest(taggerBody, readBody(body, fields));
}

/** The body, with our extensions where they are asked for. */
export function writeTaggerRequest(request: TaggerRequest): z.input<typeof taggerBody> {
  const { text, lang, source, max } = request;
  return { text, lang, ...(source !== undefined && { source }), ...(max !== undefined && { max }) };
}

export function writeTaggerResponse({ tokenizedText, lang, tags }: TagSet): z.input<typeof taggerResponse> {
  return { statusCode: 200, body: { tokenized_text: tokenizedText, lang, tags: [...tags] } };
}

/** Only what an answer cannot do without. */
const acceptedResponse = z.looseObject({
  body: z.looseObject({
    tokenized_text: z.string(),
    lang: z.string(),
    tags: acceptedEntries(acceptedName),
  }),
});

/** Errors: RESPONSE_INVALID. */
export function parseTaggerResponse(answer: unknown): TagSet {
  const { body } = parseResponse('tagger', acceptedResponse, answer);
  return { tokenizedText: body.tokenized_text, lang: body.lang, tags: body.tags };
}
