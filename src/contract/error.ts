import { z } from 'zod';

/** Every answer that is not a success; the specification shows none. */
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
