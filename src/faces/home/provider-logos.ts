import type { Logo, Provider } from '../../domain/catalog.ts';

/** A provider as the page shows it. */
export interface LogoView {
  readonly id: string;
  readonly name: string;
  /** Addresses for a light and a dark page; null where its name is shown instead. */
  readonly logo: Readonly<Record<Logo['colorScheme'], string>> | null;
}

/** The wide logos of a provider, where there is one for each background. */
export function toLogoView({ id, name, logos }: Provider, publicUrl: string): LogoView {
  const addressOf = (scheme: Logo['colorScheme']) => {
    const logo = logos.find((each) => each.colorScheme === scheme && each.aspectRatio === 'landscape');
    return logo === undefined ? null : toShown(logo.url, publicUrl);
  };
  const [light, dark] = [addressOf('light'), addressOf('dark')];
  return { id, name, logo: light === null || dark === null ? null : { light, dark } };
}

/** An address that the page may show: of this host, by whichever name it was reached, or over https. */
function toShown(url: string, publicUrl: string): string | null {
  if (url.startsWith(`${publicUrl}/`)) return url.slice(publicUrl.length);
  return url.startsWith('https:') ? url : null;
}
