import { z } from 'zod';
import type { ListEntry, Provider } from '#domain/catalog';
import {
  acceptedDescription,
  acceptedEntries,
  acceptedItems,
  acceptedName,
  acceptedOrAbsent,
  acceptedValue,
} from './accepted.ts';
import { parseResponse } from './parse.ts';
import { statusCode, webAddress } from './shared.ts';

/** An entry with a value and its explanation: `{ "bloom": "Apply", "description": "…" }`. */
function createEntry(name: string, description: string, example: string) {
  return z.looseObject({
    [name]: z.string().meta({ description, examples: [example] }),
    description: z.string(),
  });
}

/** The one list without an envelope. */
export const typeResponse = z.array(createEntry('type', 'Name of a learning-object type', 'mooc'));

/** The specification does not show this list and the next; this host uses an envelope. */
export const bloomResponse = z.looseObject({
  statusCode,
  response: z.array(createEntry('bloom', 'Name of a Bloom objective', 'Understand')),
});

export const langResponse = z.looseObject({
  statusCode,
  response: z.array(createEntry('lang', 'Two-letter language code', 'en')),
});

export const writeTypeResponse = (types: readonly ListEntry[]): z.input<typeof typeResponse> =>
  writeEntries('type', types);

export const writeBloomResponse = (blooms: readonly ListEntry[]): z.input<typeof bloomResponse> => ({
  statusCode: 200,
  response: writeEntries('bloom', blooms),
});

export const writeLangResponse = (languages: readonly ListEntry[]): z.input<typeof langResponse> => ({
  statusCode: 200,
  response: writeEntries('lang', languages),
});

const writeEntries = (name: string, entries: readonly ListEntry[]) =>
  entries.map(({ value, description }) => ({ [name]: value, description }));

/** The three lists of values, with or without an envelope. Errors: RESPONSE_INVALID. */
export const parseTypeResponse = (body: unknown): readonly ListEntry[] =>
  parseResponse('type', createAcceptedEntries('type'), body);

export const parseBloomResponse = (body: unknown): readonly ListEntry[] => parseWithOrWithoutEnvelope('bloom', body);

export const parseLangResponse = (body: unknown): readonly ListEntry[] => parseWithOrWithoutEnvelope('lang', body);

function parseWithOrWithoutEnvelope(name: 'bloom' | 'lang', body: unknown): readonly ListEntry[] {
  const entries = createAcceptedEntries(name);
  if (Array.isArray(body)) return parseResponse(name, entries, body);
  return parseResponse(name, z.looseObject({ response: entries }), body).response;
}

function createAcceptedEntries(name: string) {
  const entry = z.looseObject({ [name]: acceptedValue, description: acceptedDescription });
  return acceptedItems(
    entry.transform((given): ListEntry => ({ value: String(given[name]), description: String(given.description) })),
  );
}

const CONTEXT = 'https://schema.org';

const logo = z.looseObject({
  url: z.string(),
  colorScheme: z.enum(['dark', 'light']).meta({ description: 'The background it suits' }),
  aspectRatio: z.enum(['landscape', 'square']),
});

const provider = z.looseObject({
  '@context': z.string().exactOptional(),
  '@type': z.string().exactOptional(),
  id: z.string().meta({ description: 'Value of the `provider` parameter', examples: ['youtube'] }),
  name: z.string(),
  logo: z.array(logo).meta({ description: 'Every combination of the two colour schemes and the two aspect ratios' }),
  url: z.string().meta({ description: 'Home page' }),
  license: z.string().exactOptional().meta({ description: 'Licence or branding page' }),
});

/** Unlike `type`, this list is always in an envelope. */
export const providerResponse = z.looseObject({ statusCode, response: z.array(provider) });

/** Only what an answer cannot do without. */
const acceptedResponse = z.looseObject({
  response: acceptedItems(
    z.looseObject({
      id: acceptedValue,
      name: acceptedName,
      logo: acceptedEntries(logo.extend({ url: webAddress })),
      url: webAddress.catch(''),
      license: acceptedOrAbsent(webAddress),
    }),
  ),
});

export function writeProviderResponse(providers: readonly Provider[]): z.input<typeof providerResponse> {
  return {
    statusCode: 200,
    response: providers.map(({ id, name, logos, url, license }) => ({
      '@context': CONTEXT,
      '@type': 'provider',
      id,
      name,
      logo: logos.map((logo) => ({ ...logo })),
      url,
      ...(license !== undefined && { license }),
    })),
  };
}

/** Errors: RESPONSE_INVALID. */
export function parseProviderResponse(body: unknown): readonly Provider[] {
  return parseResponse('provider', acceptedResponse, body).response.map(({ id, name, logo, url, license }) => ({
    id,
    name,
    logos: logo.map(({ url, colorScheme, aspectRatio }) => ({ url, colorScheme, aspectRatio })),
    url,
    ...(license !== undefined && { license }),
  }));
}
