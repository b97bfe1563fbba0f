import { Router } from 'express';
import type { Provider } from '../../domain/catalog.ts';
import { AppError } from '../../errors.ts';
import { drawLogo, type LogoOptions } from './logo.ts';

type Variant = Pick<LogoOptions, 'colorScheme' | 'aspectRatio'>;

const variants: ReadonlyMap<string, Variant> = new Map(
  (['dark', 'light'] as const).flatMap((colorScheme) =>
    (['landscape', 'square'] as const).map((aspectRatio): [string, Variant] => [
      `${colorScheme}-${aspectRatio}.svg`,
      { colorScheme, aspectRatio },
    ]),
  ),
);

/** The four logos of each provider of our own engine. Pages of any origin may show them. */
export function createLogos(ownProviders: () => Promise<readonly Provider[]>): Router {
  return Router().get('/logos/:provider/:variant', async (request, response) => {
    const provider = (await ownProviders()).find(({ id }) => id === request.params.provider);
    const variant = variants.get(request.params.variant);
    if (provider === undefined || variant === undefined) {
      const message = 'There is no such logo. The provider list names the addresses of all logos.';
      throw new AppError('PATH_UNKNOWN', message);
    }
    response
      .type('image/svg+xml')
      .set({ 'Cache-Control': 'public, max-age=86400', 'Cross-Origin-Resource-Policy': 'cross-origin' })
      .send(drawLogo({ name: provider.name, ...variant }));
  });
}
