import { createHash } from 'node:crypto';

const MAX_SHORT = 60;

/** Lower-case words joined by hyphens. Signs that tell names apart are spelt out: `C++`, `C#`, `.NET`. Empty where there is no
 *  Latin letter and no digit. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\+/g, ' plus ')
    .replace(/#/g, ' sharp ')
    .replace(/&/g, ' and ')
    .replace(/(^|\s)\.(?=\w)/g, '$1 dot ')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** At most 60 characters of a slug; what is cut off counts, too. */
export function shortSlug(slug: string): string {
  if (slug.length <= MAX_SHORT) return slug.replace(/-+$/, '');
  return `${slug.slice(0, MAX_SHORT - 9).replace(/-+$/, '')}-${markOf(slug)}`;
}

/** Eight characters that are others for another text, and do not say what it is. */
export function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
