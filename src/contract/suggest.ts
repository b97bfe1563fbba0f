import { z } from 'zod';
import { acceptedEntries, acceptedItems, acceptedName, acceptedNumber, acceptedOrAbsent } from './accepted.ts';
import { listFieldSchemas, parseRequest, parseResponse } from './parse.ts';
import { readQuery, writeQuery } from './read-query.ts';
import {
  conceptFields,
  extended,
  keywords,
  language,
  message,
  readQualityMessage,
  statusCode,
  toQualityMessage,
} from './shared.ts';
import type { Wire } from './wire.ts';

const parameters = z.object({
  keywords,
  lang: extended(language.exactOptional(), 'Extension: suggestions in this language come first'),
});

const isScoredSuggestion = ({ score, confidence }: Partial<Record<'score' | 'confidence', unknown>>) =>
  score !== undefined || confidence !== undefined;
const unscored = { path: ['score'], error: 'neither score nor confidence is given' };

/** The specification has `score` and `confidence`: both are read, `score` is written. */
const suggestion = z
  .looseObject({
    label: z.string(),
    score: z.number().exactOptional().meta({ description: 'Confidence, higher is better' }),
    confidence: z.number().exactOptional().meta({ description: 'Another name of `score`' }),
    ...conceptFields,
  })
  .refine(isScoredSuggestion, unscored);

const response = z.looseObject({
  statusCode,
  request: z.looseObject({ keywords: z.string(), keywords_transformed: z.array(z.string()) }),
  response: z.looseObject({ content: z.array(suggestion), msg: message }),
});

const acceptedSuggestion = z
  .looseObject({
    label: acceptedName,
    score: acceptedOrAbsent(acceptedNumber),
    confidence: acceptedOrAbsent(acceptedNumber),
  })
  .refine(isScoredSuggestion, unscored);

const acceptedResponse = z.looseObject({
  request: z.looseObject({ keywords_transformed: acceptedEntries(acceptedName) }).prefault({}),
  response: z.looseObject({ content: acceptedItems(acceptedSuggestion) }),
});

const fields = listFieldSchemas(parameters);

export const suggest: Wire<'suggest'> = {
  name: 'suggest',
  method: 'GET',
  path: '/domcomp/v1/suggest',
  summary: 'Terms for autocompletion and suggested queries',
  scope: 'competency',
  parameters,
  response,
  readRequest({ query = '' }) {
    const request = parseRequest(parameters, readQuery(query, fields));
    return {
      request,
      writeAnswer: (answer) => ({
        statusCode: 200,
        request: { keywords: request.keywords, keywords_transformed: [...answer.keywordsTransformed] },
        response: {
          content: answer.suggestions.map(({ label, score, concept }) => ({ label, score, ...concept })),
          msg: toQualityMessage(answer.quality),
        },
      }),
    };
  },
  writeRequest: ({ keywords, lang }) => ({ query: writeQuery(Object.entries({ keywords, lang })) }),
  readAnswer(body) {
    const { request, response } = parseResponse('suggest', acceptedResponse, body);
    return {
      keywordsTransformed: request.keywords_transformed,
      suggestions: response.content.map(({ label, score, confidence }) => ({
        label,
        score: score ?? confidence ?? 0,
      })),
      quality: readQualityMessage(response.msg, response.content.length),
    };
  },
};
