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

/** An entry of a list with a value and its explanation:
 *  `{ "bloom": "Understand", "description": "…" }`. */
function createEntry(name: string, description: string, example: string) {
  return z.looseObject({
    [name]: z.string().meta({ description, examples: [example] }),
    description: z.string(),
  });
}

/** The one list without an envelope. */
export const typeResponse = z.array(createEntry('type', 'Name of a learning-object type', 'mooc'));

/** The specification does not show the shape of this list and the next; this host answers with an
 *  envelope. */
export const bloomResponse = z.looseObject({
  statusCode,
  response: z.array(createEntry('bloom', 'Name of a Bloom objective', 'Understand')),
});

export const langResponse = z.looseObject({
  statusCode,
  response: z.array(createEntry('lang', 'Two-letter language code', 'en')),
});

export function writeTypeResponse(types: readonly ListEntry[]): z.input<typeof typeResponse> {
  return writeEntries('type', types);
}

export function writeBloomResponse(blooms: readonly ListEntry[]): z.input<typeof bloomResponse> {
  return { statusCode: 200, response: writeEntries('bloom', blooms) };
}

export function writeLangResponse(languages: readonly ListEntry[]): z.input<typeof langResponse> {
  return { statusCode: 200, response: writeEntries('lang', languages) };
}

function writeEntries(name: string, entries: readonly ListEntry[]) {
  return entries.map(({ value, description }) => ({ [name]: value, description }));
}

/** The three lists of values, with or without the envelope where the specification does not show
 *  it.
 *  Errors: RESPONSE_INVALID. */
export function parseTypeResponse(body: unknown): readonly ListEntry[] {
  return parseResponse('type', createAcceptedEntries('type'), body);
}

export function parseBloomResponse(body: unknown): readonly ListEntry[] {
  return parseWithOrWithoutEnvelope('bloom', body);
}

export function parseLangResponse(body: unknown): readonly ListEntry[] {
  return parseWithOrWithoutEnvelope('lang', body);
}

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
