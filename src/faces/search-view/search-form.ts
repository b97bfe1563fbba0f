import { z } from 'zod';
import type { Provider } from '#domain/catalog';
import type { CheckedQuery, LearningObjectQuery } from '#domain/learning-object-query';
import {
  createLearningObjectQuery,
  cutQueryWords,
  distances,
  lengths,
  levels,
  MAX_PAGE,
  PLACED_TYPE,
  prices,
  wishKinds,
} from '#domain/learning-object-query';
import type { TypedFilter } from '#domain/query-intent/query-grammar';
import { readQueryMinutes, splitTypedQuery, straightenQuotationMarks } from '#domain/query-intent/query-grammar';
import type { SearchDefaults } from '#domain/tenant';
import { cleanText } from '#domain/text';
import { type Clock, systemClock } from '#ports/clock';
import type { BrowseRequest } from '#ports/learning-service';
import type { Lists } from '#services/searching/discovery/results';
import { listQueryFilters } from '#services/searching/query-filters';
import { isAnyFilterValue, matchFilterName, nameUsualFilterValues, type ValueNames } from './filter-names.ts';

/** Stands in place of a topic for all objects. */
export const EVERY_TOPIC = 'all';

/** Stands in place of a provider for the tenant's default providers, where these are several. */
export const PRESET_PROVIDERS = '*';
export const MAX_ADDRESS_LENGTH = 200;
const MAX_TOPICS = 100;

/** Orders that pages offer besides the best first; the API has more. */
export const formSorts = ['shortest', 'newest'] as const;
/** What users may do with an object; the second right includes the first. */
export const formRights = ['mayShare', 'mayAdapt'] as const;
export const formAccess = ['captions'] as const;

/** A range of minutes. */
const LENGTH_RANGE = /^(?=.*\d)(\d{0,6})-(\d{0,6})$/;
type LengthRange = Pick<LearningObjectQuery, 'learningTimeMin' | 'learningTimeMax'>;
const choiceName = z.string().min(1).max(100);

/** Unusable values count as not chosen, so that an edited or old address still shows results. */
const searchForm = z.object({
  q: z.string().transform(cutQueryWords),
  /** Ids of fields and skills, for browsing without words. */
  topic: z.array(choiceName).max(MAX_TOPICS).catch([]),
  /** A form has at most one provider, one type and one objective. */
  provider: z.array(choiceName).catch([]),
  type: z.array(choiceName).catch([]),
  bloom: z.array(choiceName).catch([]),
  // Any code that the list of an upstream may have.
  lang: z.string().max(60).catch(''),
  level: searchChoiceField(Object.keys(levels) as (keyof typeof levels)[]),
  /** The name of a length, or a range in minutes such as `20-45`. */
  length: z.union([z.enum(['', ...Object.keys(lengths)]), z.string().regex(LENGTH_RANGE)]).catch(''),
  price: searchChoiceField(prices),
  rights: searchChoiceField(formRights),
  access: searchChoiceField(formAccess),
  /** A year, in or after which objects were published or changed. */
  since: z
    .string()
    .regex(/^(?:\d{4})?$/)
    .catch(''),
  address: z.string().transform(cleanText).pipe(z.string().max(MAX_ADDRESS_LENGTH)).catch(''),
  distance: z.coerce
    .number()
    .pipe(z.union([z.literal(0), z.literal(distances)]))
    .catch(0),
  sort: searchChoiceField(formSorts),
  /** Wishes in the words that the person has removed. */
  without: z.array(z.string()).transform((kinds) => wishKinds.filter((kind) => kinds.includes(kind))),
  /** `strict` where a term has made the search narrower, so that all words are required. */
  model: searchChoiceField(['strict'] as const),
  page: z.coerce
    .number()
    .int()
    .min(0)
    .transform((page) => Math.min(page, MAX_PAGE))
    .catch(0),
});

export type SearchForm = z.infer<typeof searchForm>;

/** Names that filters among the words, such as `provider:phet`, are compared with. */
type TypedNames = { readonly providers?: readonly Provider[]; readonly clock?: Clock };

/** Reads the parameters of an address and filters among its words. Absent ones do not limit. */
export function readSearchForm(query: URLSearchParams, names: TypedNames = {}): SearchForm {
  const typed = readTypedSearchFilters(query.get('q') ?? '', names);
  const readAll = (field: string) =>
    (field in typed.fields ? [typed.fields[field] ?? ''] : query.getAll(field)).filter((value) => value !== '');
  const readFirst = (field: string) => readAll(field)[0] ?? '';
  return searchForm.parse({
    q: typed.words,
    // A field of a form has several ids, separated by blanks.
    topic: readAll('topic')
      .flatMap((ids) => ids.split(' '))
      .filter((id) => id !== '' && id !== EVERY_TOPIC),
    provider: readAll('provider').slice(-1),
    type: readAll('type').slice(-1),
    bloom: readAll('bloom').slice(-1),
    lang: readFirst('lang'),
    level: readFirst('level'),
    length: readFirst('length'),
    // Older links to the front page have `free=1`.
    price: readFirst('price') || (query.get('free') === '1' ? 'free' : ''),
    rights: readFirst('rights'),
    access: readFirst('access'),
    since: readFirst('since'),
    address: readFirst('address'),
    distance: readFirst('distance') || '0',
    sort: readFirst('sort'),
    without: readAll('without').flatMap((kinds) => kinds.split(' ')),
    model: readFirst('model'),
    page: readFirst('page') || '0',
  });
}

/** Like `readSearchForm`; asks for the list of providers if one is typed among the words. */
export async function readTypedSearch(
  query: URLSearchParams,
  { clock, lists }: { readonly clock: Clock; lists(): Promise<Pick<Lists, 'providers'>> },
): Promise<SearchForm> {
  const pieces = splitTypedQuery(straightenQuotationMarks(query.get('q') ?? ''));
  const isProviderTyped = pieces.some((piece) => 'filter' in piece && piece.filter.key === 'provider');
  return readSearchForm(query, { clock, ...(isProviderTyped && { providers: (await lists()).providers }) });
}

/** Separates the filters among typed words: `docker type:video`, `gestion en français`. Returns the
 *  rest as typed, with phrases, excluded words and unknown filters, and the filters as fields. */
function readTypedSearchFilters(typed: string, { providers = [], clock = systemClock }: TypedNames) {
  const text = straightenQuotationMarks(typed);
  // Nearly all searches are words only.
  if (!/[:"]|(?:^|\s)-|(?:^|\s)(?:in|en|auf)\s/i.test(text)) return { words: typed, fields: {} };
  const names = nameUsualFilterValues(providers, clock);
  const fields: Record<string, string> = {};
  const words = splitTypedQuery(text).filter((piece) => {
    if (piece.kind !== 'filter' && piece.kind !== 'language') return true;
    const changes = Object.entries(toSearchFields(piece.filter, names));
    for (const [field, value] of changes) fields[field] = value;
    return changes.length === 0;
  });
  if (Object.keys(fields).length === 0) return { words: typed, fields };
  const { min = '', max = '', ...choices } = fields;
  const length = min + max === '' ? {} : { length: writeSearchFormLength(Number(min), Number(max)) };
  return { words: words.map((piece) => piece.typed).join(' '), fields: { ...choices, ...length } };
}

/** Returns a filter as fields of the form. Of several values the last counts, as a form has one. */
function toSearchFields(filter: TypedFilter, names: ValueNames): Readonly<Record<string, string>> {
  const { key, values } = filter;
  if (key === 'min' || key === 'max') {
    const minutes = values.flatMap((value) => readQueryMinutes(value) ?? []).at(-1);
    return minutes === undefined ? {} : { [key]: String(minutes) };
  }
  if (isAnyFilterValue(filter)) return key === 'has' ? { rights: '', access: '' } : { [key]: '' };
  const matches = values.flatMap((value) => matchFilterName(value, names[key]) ?? []);
  if (key === 'has') {
    const rights = formRights.findLast((right) => matches.includes(right));
    return { ...(rights && { rights }), ...(matches.includes('captions') && { access: 'captions' }) };
  }
  const value = matches.at(-1);
  if (key === 'sort' && value === 'popularity') return { sort: '' };
  return value === undefined || (key === 'sort' && !isSearchFormSort(value)) ? {} : { [key]: value };
}

const isSearchFormSort = (sort: string): boolean => formSorts.some((each) => each === sort);

/** Writes minutes, 0 for no limit, as an offered length or as `20-45`, `-45` or `20-`. */
function writeSearchFormLength(min: number, max: number): string {
  const [least, most] = max > 0 && min > max ? [max, min] : [min, max];
  const range = `${least || ''}-${most || ''}`;
  const offered = Object.entries<LengthRange>(lengths).find(
    ([, { learningTimeMin = '', learningTimeMax = '' }]) => `${learningTimeMin}-${learningTimeMax}` === range,
  );
  return offered?.[0] ?? range;
}

/** Returns the limits of a length of a form, in minutes; none for an empty one. */
export function readSearchFormLength(length: string): LengthRange {
  if (Object.hasOwn(lengths, length)) return lengths[length as keyof typeof lengths];
  const [, min = '', max = ''] = LENGTH_RANGE.exec(length) ?? [];
  return { ...(min !== '' && { learningTimeMin: Number(min) }), ...(max !== '' && { learningTimeMax: Number(max) }) };
}

export const emptyForm: SearchForm = readSearchForm(new URLSearchParams());

export function createSearchForm({ providers, lang, freeOnly }: SearchDefaults): SearchForm {
  return {
    ...emptyForm,
    provider: providers.length > 1 ? [PRESET_PROVIDERS] : [...providers],
    lang: lang ?? '',
    price: freeOnly ? 'free' : '',
  };
}

/** Writes a form with some choices changed, on the first page by default, without empty fields. */
export function writeSearchForm(form: SearchForm, changes: Partial<SearchForm> = {}): URLSearchParams {
  const { q, topic, page, distance, ...choices } = { ...form, page: 0, ...changes };
  const query = new URLSearchParams();
  const inOrder = { q, topic, ...choices, distance: distance || '', page: page || '' };
  for (const [field, value] of Object.entries(inOrder))
    for (const choice of [value].flat()) if (choice !== '') query.append(field, String(choice));
  return query;
}

/** Resets some fields. @param names of the fields, separated by blanks */
export function dropSearchChoices(form: SearchForm, names: string): SearchForm {
  const dropped = Object.entries(emptyForm).filter(([field]) => names.split(' ').includes(field));
  return { ...form, page: 0, ...Object.fromEntries(dropped) };
}

export const toBrowseRequest = (form: SearchForm, defaults: SearchDefaults, locale: string): BrowseRequest => ({
  query: toSearchFormQuery({ ...form, q: '' }, defaults, locale),
  topics: form.topic,
});

/** Makes a query of a form. Chosen filters are strict; a tenant's defaults say how words match. */
export function toSearchFormQuery(form: SearchForm, defaults: SearchDefaults, locale: string): CheckedQuery {
  const { q, provider, type, bloom, lang, level, length, price, rights, access, since, without } = form;
  const has = [rights, access].filter((mark) => mark !== '');
  const { prefer, ...tenantDefaults } = defaults;
  const typed = readTypedSearchWords(q);
  const base = createLearningObjectQuery(
    typed.words,
    {
      ...tenantDefaults,
      // A preferred language counts only if none is chosen.
      ...(prefer !== undefined && lang === '' && { prefer }),
      providers: provider.includes(PRESET_PROVIDERS) ? defaults.providers : provider,
      // A chosen language does not affect how the words are read.
      lang: null,
      model: form.model || defaults.model,
      match: 'best-effort',
      freeOnly: price === 'free',
    },
    locale,
  );
  const query: CheckedQuery = {
    ...base,
    ...typed.checks,
    ...(lang !== '' && { lang }),
    types: type,
    blooms: bloom,
    sort: form.sort || 'popularity',
    page: form.page,
    ...(without.length > 0 && { without }),
    ...(price === 'paid' && { free: false }),
    ...(has.length > 0 && { has }),
    ...(since !== '' && { newerThan: `${since}-01-01` }),
    ...(level !== '' && levels[level]),
    ...readSearchFormLength(length),
    ...findSearchFormPlace(form),
  };
  return { ...query, important: new Set(listQueryFilters(query)) };
}

const MAX_CHECKED_WORDS = 10;

/** Separates words from required phrases and excluded words: `java -script`. */
function readTypedSearchWords(q: string): { readonly words: string; readonly checks: Pick<CheckedQuery, 'checks'> } {
  const pieces = splitTypedQuery(straightenQuotationMarks(q));
  const textsOf = (kind: 'phrase' | 'excluded') =>
    pieces
      .flatMap((piece) => (piece.kind === kind && piece.text !== '' ? [piece.text] : []))
      .slice(0, MAX_CHECKED_WORDS);
  const excluded = textsOf('excluded');
  const phrases = textsOf('phrase').filter((phrase) => phrase.includes(' '));
  const words = pieces.flatMap((piece) => (piece.kind === 'excluded' ? [] : [piece.text]));
  // Without any other word, a dash is part of a word.
  if (excluded.length + phrases.length === 0 || words.length === 0) return { words: q, checks: {} };
  return { words: words.join(' '), checks: { checks: { excluded, phrases } } };
}

/** Returns the distance filter of a form for trainings; other objects have no place. */
function findSearchFormPlace(form: SearchForm): Pick<LearningObjectQuery, 'address' | 'distanceMax'> | null {
  const { type, address, distance } = form;
  if (!type.includes(PLACED_TYPE) || address === '' || distance === 0) return null;
  return { address, distanceMax: distance };
}

function searchChoiceField<const T extends readonly string[]>(names: T) {
  return z.enum(['', ...names] as ['', ...T]).catch('' as never);
}
