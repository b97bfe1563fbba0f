import { z } from 'zod';

/** What the specification leaves open: the body of every answer that is not 200. */
export const errorResponse = z.object({
  statusCode: z.int(),
  code: z.string().meta({
    description: 'Stable name of the error; docs/errors.md lists them',
    example: 'PARAMETERS_INVALID',
  }),
  message: z.string().meta({ description: 'What happened, why, and what to do' }),
  details: z
    .array(z.object({ path: z.string(), problem: z.string() }))
    .exactOptional()
    .meta({ description: 'Everything that is wrong, by parameter or field' }),
  reference: z.string().meta({ description: 'Also in the log of the host' }),
});
export type ErrorResponse = z.infer<typeof errorResponse>;
