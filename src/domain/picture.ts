/** The forms in which a picture is kept, by the names that end their addresses: widths in pixels, and JPEG for programs that take
 *  no WebP, as chats and learning platforms. */
export const pictureForms = ['320.webp', '640.webp', '320.jpg'] as const;
export type PictureForm = (typeof pictureForms)[number];

/** Where a page of this host shows a picture from: paths on it, or addresses where others show it. */
export type PictureLink = Readonly<Record<'small' | 'large' | 'plain', string>>;

/** Pictures of others as this host hands them on. */
export interface PictureLinks {
  /** Null for what cannot be shown: no web address, one that failed lately, or all of them where pictures are off. */
  linkTo(address: string): PictureLink | null;
  /** The same, but null also for one that this host does not have yet: that is fetched, to be there for the next page. For
   *  logos, in place of which a name is shown. */
  linkToKept(address: string): PictureLink | null;
}

/** For programs that fetch pictures from the web, and over https only: none where the host is not to be found there. */
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
