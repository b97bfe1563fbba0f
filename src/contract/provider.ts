import { z } from 'zod';
import type { Provider } from '../domain/catalog.ts';
import { acceptedEntries, acceptedItems, acceptedName, acceptedValue, comfort } from './accepted.ts';
import { parseResponse } from './parse.ts';
import { statusCode, webAddress } from './shared.ts';

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
  logo: z
    .array(logo)
    .meta({ description: 'Every combination of the two colour schemes and the two aspect ratios' }),
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
      license: comfort(webAddress),
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
  return parseResponse('provider', acceptedResponse, body).response.map(
    ({ id, name, logo, url, license }) => ({
      id,
      name,
      logos: logo.map(({ url, colorScheme, aspectRatio }) => ({ url, colorScheme, aspectRatio })),
      url,
      ...(license !== undefined && { license }),
    }),
  );
}
