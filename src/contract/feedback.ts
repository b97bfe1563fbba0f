import { z } from 'zod';
import { MAX_ADDRESS_LENGTH, MAX_COMMENT_LENGTH, MAX_REQUEST_ID_LENGTH, SOURCE_SCHEME } from '#domain/feedback';
import { listFieldSchemas, PRINTABLE_PATTERN, parseRequest, parseResponse } from './parse.ts';
import { readQueryBody } from './read-query.ts';
import { described, extension, statusCode, webAddress } from './shared.ts';
import type { Wire } from './wire.ts';

const sourceAddress = z.url({ protocol: SOURCE_SCHEME }).max(MAX_ADDRESS_LENGTH);

const body = z.object({
  url: webAddress.meta({
    description: 'Address of the learning object',
    examples: ['https://www.youtube.com/watch?v=kqtD5dpn9C8'],
  }),
  comment: z.string().trim().max(MAX_COMMENT_LENGTH).exactOptional().meta({ description: 'Free comment' }),
  request_id: described(
    z.string().min(1).max(MAX_REQUEST_ID_LENGTH),
    '`request.id` of the page of a search that returned the learning object',
  ),
  email: described(z.email().max(254), 'The author’s e-mail address', 'ada@example.org'),
  source: sourceAddress.meta({
    description: 'Address of the website, application or place the feedback is sent from',
    examples: ['https://school.example.org/course/7'],
  }),
});

/** An extension: the key marks repetitions of the same feedback. */
const headers = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(200)
    .regex(new RegExp(PRINTABLE_PATTERN))
    .exactOptional()
    .meta({
      description: 'The same for each attempt to give one feedback: it is then kept once only',
      examples: ['0b62dc0e-6b4a-4a3e-9d2b-3f6f1d6a6a51'],
      ...extension,
    }),
});

/** The specification does not show the answer. */
const response = z.looseObject({ statusCode, message: z.string() });

const fields = listFieldSchemas(body);

export const feedback: Wire<'feedback'> = {
  name: 'feedback',
  method: 'POST',
  path: '/learningobject/v2/feedback',
  summary: 'Give feedback on a learning object that a search returned',
  scope: 'feedback',
  isAtGateway: true,
  headers,
  body,
  response,
  readRequest(sent) {
    const values = sent.idempotencyKey ? { 'Idempotency-Key': sent.idempotencyKey } : {};
    const { 'Idempotency-Key': id } = parseRequest(headers, { values, problems: [] });
    const { url, comment, request_id: requestId, email, source } = parseRequest(body, readQueryBody(sent.body, fields));
    return {
      request: { url, requestId, email, source, ...(comment && { comment }), ...(id !== undefined && { id }) },
      writeAnswer: (): z.input<typeof response> => ({ statusCode: 200, message: 'Thank you, the feedback is kept.' }),
    };
  },
  writeRequest({ id, url, comment, requestId, email, source }) {
    const required: z.input<typeof body> = { url, request_id: requestId, email, source };
    return { body: { ...required, ...(comment !== undefined && { comment }) }, idempotencyKey: id };
  },
  // Accepts any object, as the specification shows no answer.
  readAnswer: (answer) => void parseResponse('feedback', z.looseObject({}), answer),
};
