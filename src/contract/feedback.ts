import { z } from 'zod';
import { MAX_ADDRESS_LENGTH, MAX_COMMENT_LENGTH, MAX_REQUEST_ID_LENGTH, SOURCE_SCHEME } from '#domain/feedback';
import type { Feedback } from '#ports/learning-service';
import { listFieldSchemas, PRINTABLE_PATTERN, parseRequest, parseResponse } from './parse.ts';
import { readBody } from './read-query.ts';
import { extension, statusCode, webAddress } from './shared.ts';

const sourceAddress = z.url({ protocol: SOURCE_SCHEME }).max(MAX_ADDRESS_LENGTH);

export const feedbackBody = z.object({
  url: webAddress.meta({
    description: 'Address of the learning object',
    examples: ['https://www.youtube.com/watch?v=kqtD5dpn9C8'],
  }),
  comment: z.string().trim().max(MAX_COMMENT_LENGTH).exactOptional().meta({ description: 'Free comment' }),
  request_id: z
    .string()
    .min(1)
    .max(MAX_REQUEST_ID_LENGTH)
    .meta({ description: '`request.id` of the page of a search that returned the learning object' }),
  email: z
    .email()
    .max(254)
    .meta({ description: 'The author’s e-mail address', examples: ['ada@example.org'] }),
  source: sourceAddress.meta({
    description: 'Address of the website, application or place the feedback is sent from',
    examples: ['https://school.example.org/course/7'],
  }),
});

/** Our extension: marks repetitions of the same feedback. */
export const feedbackHeaders = z.object({
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
export const feedbackResponse = z.looseObject({ statusCode, message: z.string() });

const fields = listFieldSchemas(feedbackBody);

/** Errors: PARAMETERS_INVALID. */
export function parseFeedbackRequest(body: unknown): Feedback {
  const { url, comment, request_id, email, source } = parseRequest(feedbackBody, readBody(body, fields));
  return { url, requestId: request_id, email, source, ...(comment && { comment }) };
}

/** The `Idempotency-Key` header; undefined where it is empty. Errors: PARAMETERS_INVALID. */
export function parseFeedbackIdempotencyKey(header: string | undefined): string | undefined {
  const values = header ? { 'Idempotency-Key': header } : {};
  return parseRequest(feedbackHeaders, { values, problems: [] })['Idempotency-Key'];
}

export function writeFeedbackRequest(feedback: Feedback): z.input<typeof feedbackBody> {
  const { url, comment, requestId, email, source } = feedback;
  return { url, request_id: requestId, email, source, ...(comment !== undefined && { comment }) };
}

export const writeFeedbackResponse = (): z.input<typeof feedbackResponse> => ({
  statusCode: 200,
  message: 'Thank you, the feedback is kept.',
});

/** Accepts any object, as the specification shows no answer. Errors: RESPONSE_INVALID. */
export function parseFeedbackResponse(body: unknown): void {
  parseResponse('feedback', z.looseObject({}), body);
}
