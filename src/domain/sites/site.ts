/** A site that any page may frame; the comment of each site links to its permission. Other sites
 *  refuse (X-Frame-Options, or `frame-ancestors`), and would show an error in the frame. */
export interface Site {
  /** Host names without `www.`; a leading dot matches all subdomains. */
  readonly hosts: readonly string[];
  /** A `video` has 16:9; `interactive` and `page` use the available space. */
  readonly kind: 'video' | 'interactive' | 'page';
  /** Sources for `frame-src` of a Content-Security-Policy. */
  readonly sources: readonly string[];
  /** Returns the https address for a frame; null if nothing can be framed. */
  findSrc(url: URL): string | null;
  /** Returns the address of a picture, or of an oEmbed description (https://oembed.com). */
  findPicture?(url: URL): string | null;
  /** Returns an address that answers 404 or 410 for missing content, if the page answers 200. */
  findWitness?(url: URL): string | null;
}

/** Writes an oEmbed address. Services: https://oembed.com/providers.json */
export function writeOembedAddress(service: string, page: string): string {
  return `${service}?${new URLSearchParams({ format: 'json', url: page })}`;
}

/** Makes a function that builds an address from what the pattern captures of a path. */
export function createAddressFinder(
  pattern: RegExp,
  toAddress: (part: string, host: string) => string,
): Site['findSrc'] {
  return ({ pathname, hostname }) => {
    const [, part] = pattern.exec(pathname) ?? [];
    return part === undefined ? null : toAddress(part, hostname);
  };
}
