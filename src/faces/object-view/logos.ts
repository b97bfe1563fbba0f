import type { Logo } from '#domain/catalog';
import type { PictureLinks } from '#domain/picture';

/** Addresses of the logos of a provider for light and dark pages; null if neither can be shown.
 *  Another shape, or the logo for the other ground, stands in for a missing one. */
export function chooseLogos(logos: readonly Logo[], shape: Logo['aspectRatio'], pictures: PictureLinks) {
  const find = (scheme: Logo['colorScheme']) => {
    const suited = logos.filter(({ colorScheme }) => colorScheme === scheme);
    const logo = suited.find(({ aspectRatio }) => aspectRatio === shape) ?? suited[0];
    return (logo && pictures.linkToStored(logo.url)?.small) ?? null;
  };
  const [light, dark] = [find('light') ?? find('dark'), find('dark') ?? find('light')];
  return light === null || dark === null ? null : { light, dark };
}
