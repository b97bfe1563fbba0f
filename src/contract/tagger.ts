import { z } from 'zod';
import { MAX_TEXT_LENGTH } from '#domain/text';
import type { TagSet } from '#ports/learning-service';
import { acceptedEntries, acceptedName } from './accepted.ts';
import { listFieldSchemas, parseRequest, parseResponse } from './parse.ts';
import { readQueryBody } from './read-query.ts';
import { conceptFields, described, extended, extension, language, statusCode, taxonomySource } from './shared.ts';
import type { Wire } from './wire.ts';

const body = z.object({
  text: described(
    z.string().trim().min(1).max(MAX_TEXT_LENGTH),
    'Text to tag; 100 to 500 characters give the best results',
    'We look for a nurse who cares for patients, gives first aid and writes reports.',
  ),
  lang: language.default('en'),
  source: taxonomySource,
  max: extended(z.int().min(1).max(50).default(10), 'Extension: at most this many tags'),
  guesses: extended(
    z.boolean().exactOptional(),
    'Extension: also tags for which the text has no evidence at one place, all by their strength; many of them are wrong',
  ),
  spans: extended(z.boolean().exactOptional(), 'Extension: also where in the text the evidence for each tag stands'),
});

const span = z.tuple([z.int().min(0), z.int().min(0)]);

const response = z.looseObject({
  statusCode,
  body: z.looseObject({
    tokenized_text: z.string().meta({ description: 'The text as it was split into words' }),
    lang: z.string(),
    tags: z.array(z.string()).exactOptional().meta({ description: 'Terms of the text, best first' }),
    concepts: extended(z.array(z.looseObject(conceptFields)).exactOptional(), 'Extension: by tag, its concept'),
    spans: z
      .array(span.nullable())
      .exactOptional()
      .meta({
        description:
          'Extension, where asked for: by tag, where its evidence begins and ends, in UTF-16 units of the text without the blanks ' +
          'around it; null for a guess',
        ...extension,
      }),
  }),
});

const fields = listFieldSchemas(body);

const acceptedResponse = z.looseObject({
  body: z.looseObject({ tokenized_text: z.string(), lang: z.string(), tags: acceptedEntries(acceptedName) }),
});

export const tagger: Wire<'tagger'> = {
  name: 'tagger',
  method: 'POST',
  path: '/domcomp/v1/tagger',
  summary: 'Tags extracted from, or associated with, a text',
  scope: 'competency',
  body,
  response,
  readRequest: (sent) => ({
    request: parseRequest(body, readQueryBody(sent.body, fields)),
    writeAnswer: writeTaggerResponse,
  }),
  writeRequest: (request) => ({ body: request }),
  readAnswer(answer) {
    const { tokenized_text: tokenizedText, lang, tags } = parseResponse('tagger', acceptedResponse, answer).body;
    return { tokenizedText, lang, tags };
  },
};

function writeTaggerResponse({ tokenizedText, lang, tags, concepts, spans }: TagSet): z.input<typeof response> {
  return {
    statusCode: 200,
    body: {
      tokenized_text: tokenizedText,
      lang,
      tags: [...tags],
      ...(concepts && { concepts: concepts.map(({ uri, taxonomy }) => ({ uri, taxonomy })) }),
      ...(spans && { spans: spans.map((place): [number, number] | null => place && [place[0], place[1]]) }),
    },
  };
}
