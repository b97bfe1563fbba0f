/** A site that any page may frame; the comment of each site links to its permission. Other sites
 *  refuse (X-Frame-Options, or `frame-ancestors`), and would show an error in the frame. */
export interface Site {
  /** Without `www.`; a leading dot matches all subdomains. */
  readonly hosts: readonly string[];
  /** A `video` has 16:9; `interactive` and `page` use the available space. */
  readonly kind: 'video' | 'interactive' | 'page';
  /** For `frame-src` of a Content-Security-Policy. */
  readonly sources: readonly string[];
  /** An https address, also where `url` is one already; null if nothing can be framed. */
  findSrc(url: URL): string | null;
  /** Address of a picture, or of an oEmbed description (https://oembed.com) that names one. */
  findPicture?(url: URL): string | null;
  /** Answers 404 or 410 once the content is gone, for sites whose pages then answer 200. */
  findWitness?(url: URL): string | null;
}

/** Address of an oEmbed description. Sites that have them: https://oembed.com/providers.json */
export function writeOembedAddress(service: string, page: string): string {
  return `${service}?${new URLSearchParams({ format: 'json', url: page })}`;
}

export function findSiteByPath(pattern: RegExp, toAddress: (part: string) => string): Site['findSrc'] {
  return ({ pathname }) => {
    const [, part] = pattern.exec(pathname) ?? [];
    return part === undefined ? null : toAddress(part);
  };
}
