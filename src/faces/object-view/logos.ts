import type { Logo } from '#domain/catalog';
import type { PictureLinks } from '#domain/picture';

/** Returns the logos for light and dark pages, of another shape or scheme if need be; else null. */
export function chooseLogos(logos: readonly Logo[], shape: Logo['aspectRatio'], pictures: PictureLinks) {
  const find = (scheme: Logo['colorScheme']) => {
    const suited = logos.filter(({ colorScheme }) => colorScheme === scheme);
    const logo = suited.find(({ aspectRatio }) => aspectRatio === shape) ?? suited[0];
    return (logo && pictures.linkToStored(logo.url)?.small) ?? null;
  };
  const [light, dark] = [find('light') ?? find('dark'), find('dark') ?? find('light')];
  return light === null || dark === null ? null : { light, dark };
}
