import { z } from 'zod';
import type { ListEntry } from '../domain/catalog.ts';
import { acceptedDescription, acceptedValue } from './accepted.ts';
import { parseList, statusCode } from './shared.ts';

const entry = z.looseObject({
  bloom: z.string().meta({ description: 'Name of a Bloom objective', examples: ['Understand'] }),
  description: z.string(),
});

const acceptedEntry = z.looseObject({ bloom: acceptedValue, description: acceptedDescription });

/** The specification does not show the shape; we answer in the envelope. */
export const bloomResponse = z.looseObject({ statusCode, response: z.array(entry) });

export function writeBloomResponse(blooms: readonly ListEntry[]): z.input<typeof bloomResponse> {
  return {
    statusCode: 200,
    response: blooms.map(({ value, description }) => ({ bloom: value, description })),
  };
}

/** With or without the envelope. Errors: RESPONSE_INVALID. */
export function parseBloomResponse(body: unknown): readonly ListEntry[] {
  const items = parseList('bloom', acceptedEntry, body);
  return items.map(({ bloom, description }) => ({ value: bloom, description }));
}
