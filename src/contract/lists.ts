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
import type { Wire } from './wire.ts';

interface ListOptions {
  /** Name of the operation, and of the value in an entry. */
  readonly name: 'type' | 'bloom' | 'lang';
  readonly summary: string;
  readonly meaning: string;
  readonly example: string;
  /** Whether this host writes and accepts an object around the list. */
  readonly hasEnvelope: boolean;
}

function createValueList({ name, summary, meaning, example, hasEnvelope }: ListOptions) {
  const entry = z.looseObject({
    [name]: z.string().meta({ description: meaning, examples: [example] }),
    description: z.string(),
  });
  const list = z.array(entry);
  const accepted = acceptedItems(
    z
      .looseObject({ [name]: acceptedValue, description: acceptedDescription })
      .transform((given): ListEntry => ({ value: String(given[name]), description: String(given.description) })),
  );
  return {
    name,
    method: 'GET' as const,
    path: `/learningobject/v2/${name}`,
    summary,
    isAtGateway: true as const,
    response: hasEnvelope ? z.looseObject({ statusCode, response: list }) : list,
    readRequest: () => ({
      request: {},
      writeAnswer(entries: readonly ListEntry[]) {
        const response = entries.map(({ value, description }) => ({ [name]: value, description }));
        return hasEnvelope ? { statusCode: 200, response } : response;
      },
    }),
    writeRequest: () => ({}),
    readAnswer: (body: unknown) =>
      hasEnvelope && !Array.isArray(body)
        ? parseResponse(name, z.looseObject({ response: accepted }), body).response
        : parseResponse(name, accepted, body),
  };
}

export const listTypes = createValueList({
  name: 'type',
  summary: 'Supported types (a bare array)',
  meaning: 'Name of a learning-object type',
  example: 'mooc',
  hasEnvelope: false,
});

// The specification does not show the answers of the next two.
export const listBlooms = createValueList({
  name: 'bloom',
  summary: 'Supported Bloom objectives',
  meaning: 'Name of a Bloom objective',
  example: 'Understand',
  hasEnvelope: true,
});

export const listLanguages = createValueList({
  name: 'lang',
  summary: 'Supported languages',
  meaning: 'Two-letter language code',
  example: 'en',
  hasEnvelope: true,
});

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

const providerResponse = z.looseObject({ statusCode, response: z.array(provider) });

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

export const listProviders: Wire<'listProviders'> = {
  name: 'provider',
  method: 'GET',
  path: '/learningobject/v2/provider',
  summary: 'Supported providers',
  isAtGateway: true,
  response: providerResponse,
  readRequest: () => ({ request: {}, writeAnswer: writeProviderList }),
  writeRequest: () => ({}),
  readAnswer: (body) =>
    parseResponse('provider', acceptedResponse, body).response.map(({ id, name, logo, url, license }) => ({
      id,
      name,
      logos: logo.map(({ url, colorScheme, aspectRatio }) => ({ url, colorScheme, aspectRatio })),
      url,
      ...(license !== undefined && { license }),
    })),
};

const writeProviderList = (providers: readonly Provider[]): z.input<typeof providerResponse> => ({
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
});
