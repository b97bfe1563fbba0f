import { z } from 'zod';
import type { SearchAnswer } from '../ports/learning-service.ts';
import { extension } from './shared.ts';

const reason = z.enum(['late', 'failed', 'not-asked']);

const missing = z.array(
  z.looseObject({
    id: z.string().meta({ description: 'Id of the provider' }),
    why: reason.meta({
      description:
        '`late`: it did not answer in time, and may be there when the same is asked again; `failed`: it cannot be searched at the moment; `not-asked`: there are too many, name it to search it',
    }),
  }),
);

export const missingField = missing
  .min(1)
  .exactOptional()
  .meta({
    description: 'Providers whose objects are not, or not all, among these; absent where none is missing',
    ...extension,
  });

export const isTotalExactField = z
  .literal(false)
  .exactOptional()
  .meta({ description: 'false: the total is about so many; absent where it is exact', ...extension });

/** One that is missing for a reason that is not known here has failed. */
const acceptedMissing = z
  .array(
    z
      .object({ id: z.string(), why: reason.catch('failed') })
      .nullable()
      .catch(null),
  )
  .catch([]);

/** What an answer says is not in it. What does not fit counts as absent and fails nothing. */
export function readGaps(response: {
  readonly missing?: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
}): Pick<SearchAnswer, 'missing' | 'isTotalExact'> {
  const gaps = acceptedMissing.parse(response.missing).filter((gap) => gap !== null);
  return {
    ...(response.metadata.isTotalExact === false && { isTotalExact: false }),
    ...(gaps.length > 0 && { missing: gaps }),
  };
}
