import { z } from 'zod';
import type { ListEntry } from '../domain/catalog.ts';
import { acceptedDescription, acceptedValue } from './accepted.ts';
import { parseList, statusCode } from './shared.ts';

const entry = z.looseObject({
  lang: z.string().meta({ description: 'Two-letter language code', examples: ['en'] }),
  description: z.string(),
});

const acceptedEntry = z.looseObject({ lang: acceptedValue, description: acceptedDescription });

/** The specification does not show the shape; we answer in the envelope. */
export const langResponse = z.looseObject({ statusCode, response: z.array(entry) });

export function writeLangResponse(languages: readonly ListEntry[]): z.input<typeof langResponse> {
  return {
    statusCode: 200,
    response: languages.map(({ value, description }) => ({ lang: value, description })),
  };
}

/** With or without the envelope. Errors: RESPONSE_INVALID. */
export function parseLangResponse(body: unknown): readonly ListEntry[] {
  const items = parseList('lang', acceptedEntry, body);
  return items.map(({ lang, description }) => ({ value: lang, description }));
}
