/** A site that allows any page to frame its content. Others refuse (X-Frame-Options, or
 *  `frame-ancestors`), and would show an error in the frame. The comment of each site names the
 *  page where it allows that. */
export interface Site {
  /** Without `www.`; one that begins with a dot stands for every host that ends with it. */
  readonly hosts: readonly string[];
  /** A `video` has 16:9; `interactive` things and pages take what space there is. */
  readonly kind: 'video' | 'interactive' | 'page';
  /** Source of the frames, for a Content-Security-Policy. */
  readonly sources: readonly string[];
  /** Address of the frame, over https, also where `url` is one already. Null where there is nothing
   *  that can be framed. */
  findSrc(url: URL): string | null;
  /** Address of a picture that follows from that of the object, or of an oEmbed description
   *  (https://oembed.com) that names one; null where there is neither. */
  findPicture?(url: URL): string | null;
  /** Address that answers 404 or 410 once the content is gone, for sites whose pages answer 200 all
   *  the same: an oEmbed description as a rule. Null where there is none. */
  findWitness?(url: URL): string | null;
}

/** Address of an oEmbed description. Sites that have them: https://oembed.com/providers.json */
export function writeOembedAddress(service: string, page: string): string {
  return `${service}?${new URLSearchParams({ format: 'json', url: page })}`;
}

/** For sites whose frames follow from the path alone. */
export function findByPath(pattern: RegExp, toAddress: (part: string) => string): Site['findSrc'] {
  return ({ pathname }) => {
    const [, part] = pattern.exec(pathname) ?? [];
    return part === undefined ? null : toAddress(part);
  };
}
