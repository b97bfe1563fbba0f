import { z } from 'zod';
import type { Feedback } from '../ports/learning-service.ts';
import { parseRequest } from './parse.ts';
import { statusCode, webAddress } from './shared.ts';

export const MAX_COMMENT_LENGTH = 2_000;

export const feedbackBody = z.object({
  url: webAddress.max(2_000).meta({ description: 'Address of the learning object' }),
  comment: z.string().trim().max(MAX_COMMENT_LENGTH).exactOptional().meta({ description: 'Free comment' }),
  request_id: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: '`id` in the `request` of the search that returned the object' }),
  email: z.email().max(254).meta({ description: 'E-mail address of the author' }),
  source: webAddress.max(2_000).meta({ description: 'Address of the page or application it is sent from' }),
});

/** The specification does not show an answer; this is ours, and any other with a status code is read. */
export const feedbackResponse = z.looseObject({ statusCode });

/** Errors: PARAMETERS_INVALID. */
export function parseFeedbackRequest(body: unknown): Feedback {
  const { request_id, comment, ...rest } = parseRequest(feedbackBody, body);
  return { ...rest, requestId: request_id, ...(comment && { comment }) };
}

export function writeFeedbackRequest({
  requestId,
  comment,
  ...rest
}: Feedback): z.input<typeof feedbackBody> {
  return { ...rest, request_id: requestId, ...(comment !== undefined && { comment }) };
}

export function writeFeedbackResponse(): z.input<typeof feedbackResponse> {
  return { statusCode: 200 };
}
