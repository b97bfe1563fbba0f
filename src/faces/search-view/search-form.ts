import { z } from 'zod';
import {
  createLearningObjectQuery,
  cutLearningQueryWords,
  distances,
  type LearningObjectQuery,
  lengths,
  levels,
  MAX_PAGE,
  MAX_WORDS_LENGTH,
  PLACED_TYPE,
  popularities,
  prices,
  type QueryFilter,
} from '../../domain/learning-object-query.ts';
import type { SearchDefaults } from '../../domain/tenant.ts';
import { cleanText } from '../../domain/text.ts';
import type { BrowseRequest } from '../../ports/learning-service.ts';

/** Instead of a topic: everything is wanted. */
export const EVERY_TOPIC = 'all';

export const MAX_ADDRESS_LENGTH = 200;
const MAX_CHOSEN = 100;

/** What can be wrong with a search; each is a key in `picker.problems`. */
export type SearchProblem = 'noWords' | 'longWords' | 'noAddress' | 'longAddress' | 'unknownChoice';

const fields = z.object({
  q: typed(MAX_WORDS_LENGTH, 'longWords').pipe(z.string().min(1, 'noWords')),
  /** Ids of fields and skills, where people look around without words. */
  topic: several(),
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
});

/** A search as people choose it on a page. */
export type SearchForm = z.infer<typeof fields>;

const checked = fields.refine(
  ({ distance, address, type }) => distance === 0 || address !== '' || !type.includes(PLACED_TYPE),
  { path: ['address'], message: 'noAddress' },
);

/** The fields of a page with few filters. An edited or old address should still show something. */
const usable = fields.pick({ provider: true, type: true, lang: true, price: true }).extend({
  topic: several().catch([]),
  level: fields.shape.level.catch(''),
  q: z.string().transform(cutLearningQueryWords),
  provider: several().catch([]),
  type: several().catch([]),
  // As the list of an upstream has it.
  lang: z.string().max(60).catch(''),
  price: fields.shape.price.catch(''),
  page: z.coerce
    .number()
    .int()
    .min(0)
    .transform((page) => Math.min(page, MAX_PAGE))
    .catch(0),
});

export type ReadForm =
  | { readonly form: SearchForm; readonly problem: null }
  | { readonly form: null; readonly problem: { readonly field: string; readonly name: SearchProblem } };

const own: ReadonlySet<string> = new Set<SearchProblem>(['noWords', 'longWords', 'noAddress', 'longAddress']);

/** The same without words, to look around. */
export function readBrowseForm(query: URLSearchParams, defaults: SearchDefaults): ReadForm {
  const { q: _, ...choices } = readFields(query, defaults);
  return toReadForm(checked.safeParse({ ...choices, q: '-' }), '');
}

/** What was chosen in a page with every filter. What is not sent is as the tenant's people begin, or not limited. */
export function readSearchForm(query: URLSearchParams, defaults: SearchDefaults): ReadForm {
  return toReadForm(checked.safeParse(readFields(query, defaults)));
}

function toReadForm(parsed: ReturnType<typeof checked.safeParse>, q = parsed.data?.q ?? ''): ReadForm {
  if (parsed.success) return { form: { ...parsed.data, q }, problem: null };
  const [issue] = parsed.error.issues;
  const { path = [], message = '' } = issue ?? {};
  const name = own.has(message) ? (message as SearchProblem) : 'unknownChoice';
  return { form: null, problem: { field: String(path[0]), name } };
}

/** What was chosen in a page with few filters: words, topics, one provider, one type, language, level, price and page. A value that cannot
 *  be used counts as not chosen. Everything else is as `defaults` say. */
export function readSearchFormLeniently(query: URLSearchParams, defaults: SearchDefaults): SearchForm {
  const nothing = fields.extend({ q: z.literal('') }).parse(readFields(new URLSearchParams(), defaults));
  const { provider, type, ...others } = usable.parse(readFields(query, defaults));
  return { ...nothing, ...others, provider: provider.slice(-1), type: type.slice(-1) };
}

function readFields(query: URLSearchParams, defaults: SearchDefaults): Record<keyof SearchForm, unknown> {
  const one = (name: string, otherwise = '') => query.get(name) ?? otherwise;
  const all = (name: string) => query.getAll(name).filter((value) => value !== '');
  return {
    q: one('q'),
    // One field of a form may have several.
    topic: all('topic')
      .flatMap((ids) => ids.split(' '))
      .filter((id) => id !== '' && id !== EVERY_TOPIC),
    provider: all('provider'),
    type: all('type'),
    bloom: all('bloom'),
    lang: one('lang'),
    level: one('level'),
    length: one('length'),
    // `free=1` is in links to the front page of former versions.
    price: one('price', query.get('free') === '1' ? 'free' : ''),
    popularity: one('popularity'),
    address: one('address'),
    distance: one('distance', '0'),
    sort: one('sort', 'popularity'),
    model: one('model', defaults.model),
    match: one('match', defaults.match),
    page: one('page', '0'),
  };
}

/** Everything that the choices leave, without words. */
export function toBrowseRequest(form: SearchForm, defaults: SearchDefaults, locale: string): BrowseRequest {
  return { query: toSearchFormQuery({ ...form, q: '' }, defaults, locale), topics: form.topic };
}

/** On top of the tenant's defaults: somebody who chose a provider, "free only" or a distance wants nothing else. */
export function toSearchFormQuery(
  form: SearchForm,
  defaults: SearchDefaults,
  locale: string,
): LearningObjectQuery {
  const { q, provider, lang, price, model, match } = form;
  const chosen = { providers: provider, lang: lang || null, model, match, freeOnly: price === 'free' };
  const begun = createLearningObjectQuery(q, { ...defaults, ...chosen }, locale);
  const place = findPlace(form);
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

/** Only trainings have a place: without them a distance would leave nothing. */
function findPlace({
  type,
  address,
  distance,
}: SearchForm): Pick<LearningObjectQuery, 'address' | 'distanceMax'> | null {
  if (!type.includes(PLACED_TYPE) || address === '' || distance === 0) return null;
  return { address, distanceMax: distance };
}

function typed(maxLength: number, problem: SearchProblem) {
  return z.string().transform(cleanText).pipe(z.string().max(maxLength, problem));
}

function several() {
  return z.array(z.string().min(1).max(100)).max(MAX_CHOSEN);
}

/** One of the names, or none. */
function oneOf<T extends Readonly<Record<string, unknown>>>(choices: T) {
  const names = Object.keys(choices) as (keyof T & string)[];
  return z.enum(['', ...names] as ['', ...(keyof T & string)[]]);
}
