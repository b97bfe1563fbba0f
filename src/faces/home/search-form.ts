import { z } from 'zod';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';

export const ITEMS_PER_PAGE = 10;
/** The last page that can be turned to, from 0. */
export const MAX_PAGE = 1_000;
export const MAX_WORDS_LENGTH = 300;
/** Nobody types these, and a service may refuse them. */
const UNWRITABLE = /[\p{Cc}\p{Cs}]/gu;

/** What a person can choose on the page. A value that cannot be used counts as not chosen, because a link that was
 *  edited or grew old should still show something. */
const form = z.object({
  q: z
    .string()
    .transform((words) => words.replace(UNWRITABLE, ' ').trim().slice(0, MAX_WORDS_LENGTH))
    .default(''),
  provider: choice(),
  type: choice(),
  lang: choice(),
  free: z.literal('1').optional().catch(undefined),
  page: z.coerce
    .number()
    .int()
    .min(0)
    .transform((page) => Math.min(page, MAX_PAGE))
    .catch(0)
    .default(0),
});
export type SearchForm = z.infer<typeof form>;

/** @param address path and query of the request */
export function readSearchForm(address: string): SearchForm {
  const start = address.indexOf('?');
  return form.parse(Object.fromEntries(new URLSearchParams(start < 0 ? '' : address.slice(start))));
}

/** Widest search that still puts the best first: any word, filters kept. */
export function toQuery({ q, provider, type, lang, free, page }: SearchForm): LearningObjectQuery {
  return {
    keywords: q,
    ...(lang !== '' && { lang }),
    providers: provider === '' ? [] : [provider],
    types: type === '' ? [] : [type],
    blooms: [],
    sort: 'popularity',
    match: 'strict',
    model: 'extended',
    max: ITEMS_PER_PAGE,
    page,
    ...(free !== undefined && { free: true }),
    important: new Set(),
  };
}

/** The address of the page with some choices changed; defaults are left out. */
export function addressOf(current: SearchForm, changes: Partial<SearchForm> = {}): string {
  const wanted = { ...current, page: 0, ...changes };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) {
    if (value !== undefined && value !== '' && value !== 0) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

function choice() {
  return z.string().max(60).catch('').default('');
}
