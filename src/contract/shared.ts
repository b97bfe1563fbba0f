import { z } from 'zod';
import { type Quality, qualityMessages } from '../domain/quality.ts';
import { LANGUAGE_PATTERN } from './describe-schema.ts';

export const MAX_KEYWORDS_LENGTH = 500;

export const statusCode = z.int().meta({ description: 'HTTP status of the answer', example: 200 });

export const keywords = z
  .string()
  .trim()
  .min(1)
  .max(MAX_KEYWORDS_LENGTH)
  .meta({ description: 'What is looked for', example: 'data analysis' });

export const language = z
  .string()
  .regex(new RegExp(LANGUAGE_PATTERN))
  .meta({ description: 'Two-letter language code', example: 'en' });

export const webAddress = z.url({ protocol: /^https?$/ });

/** `A00-These results …`; what follows the code is not relied on. */
export const message = z
  .string()
  .regex(/^(?:A00|B00|C00)-/, 'must begin with A00-, B00- or C00-')
  .meta({
    description: 'Result-quality code, a dash, and its message',
    example: `A00-${qualityMessages.A00}`,
  });

export function toMessage(quality: Quality): string {
  return `${quality}-${qualityMessages[quality]}`;
}

export function fromMessage(text: string): Quality {
  return text.slice(0, 3) as Quality;
}

/** A list that a service may wrap in an envelope or give bare. */
export function maybeEnveloped<T extends z.ZodType>(item: T) {
  return z.union([z.looseObject({ response: z.array(item) }), z.array(item)]);
}

export function itemsOf<T>(body: { readonly response: readonly T[] } | readonly T[]): readonly T[] {
  return 'response' in body ? body.response : body;
}
