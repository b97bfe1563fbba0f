import { z } from 'zod';
import { type Quality, qualityMessages } from '#domain/answer';
import { LANGUAGE_PATTERN } from './parse.ts';

export const MAX_KEYWORDS_LENGTH = 500;

/** Marks extensions of the specification in the OpenAPI document. */
export const extension = { 'x-skilldock-extension': true } as const;

/** Adds a description and examples to a schema. */
export const described = <S extends z.ZodType>(schema: S, description: string, ...examples: unknown[]): S =>
  schema.meta({ description, ...(examples.length > 0 && { examples }) });

/** Adds a description to the schema of a field that the specification does not have. */
export const extended = <S extends z.ZodType>(schema: S, description: string): S =>
  schema.meta({ description, ...extension });

export const statusCode = z.int().meta({ description: 'HTTP status of the answer', examples: [200] });

export const keywords = described(
  z.string().trim().min(1).max(MAX_KEYWORDS_LENGTH),
  'What is looked for',
  'data analysis',
);

export const language = described(z.string().regex(new RegExp(LANGUAGE_PATTERN)), 'Two-letter language code', 'en');

/** An address that browsers can safely open as a link. */
export const webAddress = z.url({ protocol: /^https?$/ }).max(2_000);

/** The concept of a label; only the embedded engine gives it. */
export const conceptFields = {
  uri: extended(z.string().exactOptional(), 'Extension: URI of the concept; `/skills?uri=` describes it'),
  taxonomy: extended(z.string().exactOptional(), 'Extension: name of the taxonomy of the concept'),
};

export const taxonomySource = extended(
  z.string().min(1).max(100).exactOptional(),
  'Extension: only terms of this taxonomy',
);

/** `A00-These results …`; only the code is used. */
export const message = described(
  z.string().regex(/^(?:A00|B00|C00)-/, 'must begin with A00-, B00- or C00-'),
  'Result-quality code, a dash, and its message',
  `A00-${qualityMessages.A00}`,
);

export const toQualityMessage = (quality: Quality): string => `${quality}-${qualityMessages[quality]}`;

/** Returns the code at the beginning of a text; without one, C00 for no results, else B00.
 *  @example readQualityMessage('A00-These results …', 3) // 'A00' */
export function readQualityMessage(text: unknown, count: number): Quality {
  const [, code] = /^\s*([ABC]00)(?!\w)/.exec(String(text)) ?? [];
  return (code as Quality | undefined) ?? (count > 0 ? 'B00' : 'C00');
}

/** The specification shows no errors. */
export const errorResponse = z.object({
  statusCode: z.int().meta({ description: 'HTTP status of the answer', examples: [400] }),
  code: z.string().meta({ description: 'Stable name of what went wrong', examples: ['PARAMETERS_INVALID'] }),
  message: z.string().meta({ description: 'What happened and what to do, for people' }),
  details: z
    .array(
      z.object({
        path: z.string().meta({ description: 'The parameter or field', examples: ['levelMax'] }),
        problem: z.string(),
      }),
    )
    .exactOptional()
    .meta({ description: 'Everything that is wrong with the request, at once' }),
  reference: z.string().meta({ description: 'Identifier of the request in the log of the host' }),
});

export type ErrorResponse = z.input<typeof errorResponse>;
