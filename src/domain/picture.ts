/** Names end with the width in pixels; JPEG is for chats and platforms, which lack WebP. */
export const pictureForms = ['320.webp', '640.webp', '320.jpg'] as const;
export type PictureForm = (typeof pictureForms)[number];

/** Paths on this host, or absolute addresses for other hosts. */
export type PictureLink = Readonly<Record<'small' | 'large' | 'plain', string>>;

export interface PictureLinks {
  /** Returns null without a web address, after a recent failure, or if pictures are off. */
  linkTo(address: string): PictureLink | null;
  /** Returns null for a logo that is not stored yet, and fetches it for the next page. */
  linkToStored(address: string): PictureLink | null;
  /** Returns the address of the picture that a page names for itself, if link checks found one. */
  findOfPage?(url: string): string | null;
}

export type ObjectPictures = Pick<PictureLinks, 'linkTo' | 'findOfPage'>;

/** Makes absolute https addresses, for programs on the web; none if the host has no https. */
export function toPublicPictures({ linkTo, findOfPage }: ObjectPictures, publicUrl: string): ObjectPictures {
  if (!publicUrl.startsWith('https:')) return { linkTo: () => null };
  return {
    ...(findOfPage && { findOfPage }),
    linkTo(address) {
      const link = linkTo(address);
      if (link === null) return null;
      const { small, large, plain } = link;
      return { small: publicUrl + small, large: publicUrl + large, plain: publicUrl + plain };
    },
  };
}
