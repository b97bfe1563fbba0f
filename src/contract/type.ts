import { z } from 'zod';
import type { ListEntry } from '../domain/catalog.ts';
import { acceptedDescription, acceptedItems, acceptedValue } from './accepted.ts';
import { parseResponse } from './parse.ts';

/** The one list without an envelope. */
export const typeResponse = z.array(
  z.looseObject({
    type: z.string().meta({ description: 'Name of a learning-object type', examples: ['mooc'] }),
    description: z.string(),
  }),
);

const acceptedResponse = acceptedItems(
  z.looseObject({ type: acceptedValue, description: acceptedDescription }),
);

export function writeTypeResponse(types: readonly ListEntry[]): z.input<typeof typeResponse> {
  return types.map(({ value, description }) => ({ type: value, description }));
}

/** Errors: RESPONSE_INVALID. */
export function parseTypeResponse(body: unknown): readonly ListEntry[] {
  return parseResponse('type', acceptedResponse, body).map(({ type, description }) => ({
    value: type,
    description,
  }));
}
