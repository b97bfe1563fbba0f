/** Forms of a stored picture, by the ends of their addresses: widths in pixels, and JPEG for
 *  programs that do not take WebP, such as chats and learning platforms. */
export const pictureForms = ['320.webp', '640.webp', '320.jpg'] as const;
export type PictureForm = (typeof pictureForms)[number];

/** Addresses of a picture: paths on this host, or absolute ones where others show it. */
export type PictureLink = Readonly<Record<'small' | 'large' | 'plain', string>>;

/** Addresses at which this host serves pictures of others. */
export interface PictureLinks {
  /** Null for a picture that cannot be shown: one without a web address, one that failed lately, or
   *  any where pictures are off. */
  linkTo(address: string): PictureLink | null;
  /** Null also for a picture that is not stored yet: it is fetched, to be there for the next page.
   *  For logos, in place of which a name is shown. */
  linkToStored(address: string): PictureLink | null;
}

/** Absolute addresses, for programs that fetch pictures from the web over https: none where the
 *  host has no https. */
export function toPublicPictures(
  { linkTo }: Pick<PictureLinks, 'linkTo'>,
  publicUrl: string,
): Pick<PictureLinks, 'linkTo'> {
  if (!publicUrl.startsWith('https:')) return { linkTo: () => null };
  return {
    linkTo(address) {
      const link = linkTo(address);
      if (link === null) return null;
      const { small, large, plain } = link;
      return { small: publicUrl + small, large: publicUrl + large, plain: publicUrl + plain };
    },
  };
}
