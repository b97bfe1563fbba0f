import { z } from 'zod';
import {
  createQuery,
  distances,
  type LearningObjectQuery,
  lengths,
  levels,
  PLACED_TYPE,
  popularities,
  prices,
  type QueryFilter,
} from '../../../domain/learning-object-query.ts';
import type { SearchDefaults } from '../../../domain/tenant.ts';

export const MAX_WORDS_LENGTH = 300;
export const MAX_ADDRESS_LENGTH = 200;
/** The last page that can be asked for, from 0. */
const MAX_PAGE = 1_000;
const MAX_CHOSEN = 100;
/** Nobody types these, and a service may refuse them. */
const UNWRITABLE = /[\p{Cc}\p{Cs}]/gu;

/** What can be wrong with a search; the rest of its name in `picker.problems`. */
export type SearchProblem = 'noWords' | 'longWords' | 'noAddress' | 'longAddress' | 'unknownChoice';

const schema = z
  .object({
    q: typed(MAX_WORDS_LENGTH, 'longWords').pipe(z.string().min(1, 'noWords')),
    provider: several(),
    type: several(),
    bloom: several(),
    lang: z.union([z.literal(''), z.string().regex(/^[a-z]{2,3}$/i)]),
    level: oneOf(levels),
    length: oneOf(lengths),
    price: z.enum(['', ...prices]),
    popularity: oneOf(popularities),
    address: typed(MAX_ADDRESS_LENGTH, 'longAddress'),
    distance: z.coerce.number().pipe(z.union([z.literal(0), z.literal(distances)])),
    sort: z.enum(['popularity', 'random']),
    model: z.enum(['strict', 'extended']),
    match: z.enum(['best-effort', 'strict']),
    page: z.coerce.number().int().min(0).max(MAX_PAGE),
  })
  .refine(({ distance, address, type }) => distance === 0 || address !== '' || !type.includes(PLACED_TYPE), {
    path: ['address'],
    message: 'noAddress',
  });
export type SearchForm = z.infer<typeof schema>;

export type ReadForm =
  | { readonly form: SearchForm; readonly problem: null }
  | { readonly form: null; readonly problem: { readonly field: string; readonly name: SearchProblem } };

const own: ReadonlySet<string> = new Set<SearchProblem>(['noWords', 'longWords', 'noAddress', 'longAddress']);

/** What was chosen in the page. What is not sent is as the tenant's people begin, or not limited. */
export function readSearchForm(query: URLSearchParams, defaults: SearchDefaults): ReadForm {
  const one = (name: string, otherwise = '') => query.get(name) ?? otherwise;
  const parsed = schema.safeParse({
    ...Object.fromEntries(
      ['q', 'lang', 'level', 'length', 'price', 'popularity', 'address'].map((name) => [name, one(name)]),
    ),
    ...Object.fromEntries(['provider', 'type', 'bloom'].map((name) => [name, query.getAll(name)])),
    distance: one('distance', '0'),
    sort: one('sort', 'popularity'),
    model: one('model', defaults.model),
    match: one('match', defaults.match),
    page: one('page', '0'),
  });
  if (parsed.success) return { form: parsed.data, problem: null };
  const { path, message } = parsed.error.issues[0]!;
  const name = own.has(message) ? (message as SearchProblem) : 'unknownChoice';
  return { form: null, problem: { field: String(path[0]), name } };
}

/** Under what the tenant begins with: who chose a provider, only what is free, or how far to go, wants nothing else. */
export function toQuery(form: SearchForm, defaults: SearchDefaults): LearningObjectQuery {
  const { q, provider, lang, price, model, match } = form;
  const chosen = { providers: provider, lang: lang || null, model, match, freeOnly: price === 'free' };
  const begun = createQuery(q, { ...defaults, ...chosen });
  const place = placeOf(form);
  const important: QueryFilter[] = [];
  if (price === 'paid') important.push('free');
  if (place !== null) important.push('distance');
  return {
    ...begun,
    types: form.type,
    blooms: form.bloom,
    sort: form.sort,
    page: form.page,
    ...(price === 'paid' && { free: false }),
    ...(form.level !== '' && levels[form.level]),
    ...(form.length !== '' && lengths[form.length]),
    ...(form.popularity !== '' && { popularityMin: popularities[form.popularity] }),
    ...place,
    important: new Set([...begun.important, ...important]),
  };
}

/** Only trainings are somewhere: without them a distance would leave nothing. */
function placeOf({
  type,
  address,
  distance,
}: SearchForm): Pick<LearningObjectQuery, 'address' | 'distanceMax'> | null {
  if (!type.includes(PLACED_TYPE) || address === '' || distance === 0) return null;
  return { address, distanceMax: distance };
}

function typed(maxLength: number, problem: SearchProblem) {
  return z
    .string()
    .transform((text) => text.replace(UNWRITABLE, ' ').trim())
    .pipe(z.string().max(maxLength, problem));
}

function several() {
  return z.array(z.string().min(1).max(100)).max(MAX_CHOSEN);
}

/** One of the names, or none. */
function oneOf<T extends Readonly<Record<string, unknown>>>(choices: T) {
  const names = Object.keys(choices) as (keyof T & string)[];
  return z.enum(['', ...names] as ['', ...(keyof T & string)[]]);
}
