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

/** Instead of a topic: everything is wanted. */
export const EVERY_TOPIC = 'all';

/** Instead of a provider: those that the tenant's people begin with, where these are several. */
export const PRESET_PROVIDERS = '*';
export const MAX_ADDRESS_LENGTH = 200;
const MAX_TOPICS = 100;

/** What pages offer besides the best first: the API can do more. */
export const formSorts = ['shortest', 'newest'] as const;
/** What may be done with an object; the second includes the first. */
export const formRights = ['mayShare', 'mayAdapt'] as const;
export const formAccess = ['captions'] as const;

/** Minutes. */
const LENGTH_RANGE = /^(?=.*\d)(\d{0,6})-(\d{0,6})$/;
type LengthRange = Pick<LearningObjectQuery, 'learningTimeMin' | 'learningTimeMax'>;
const name = z.string().min(1).max(100);

/** An edited or old address should still show something: unusable values count as not chosen. */
const fields = z.object({
  q: z.string().transform(cutQueryWords),
  /** Ids of fields and skills, where people look around without words. */
  topic: z.array(name).max(MAX_TOPICS).catch([]),
  /** Of these three one at most. */
  provider: z.array(name).catch([]),
  type: z.array(name).catch([]),
  bloom: z.array(name).catch([]),
  // As the list of an upstream has it.
  lang: z.string().max(60).catch(''),
  level: searchChoiceField(Object.keys(levels) as (keyof typeof levels)[]),
  /** The name of a length, or a range in minutes such as `20-45`. */
  length: z.union([z.enum(['', ...Object.keys(lengths)]), z.string().regex(LENGTH_RANGE)]).catch(''),
  price: searchChoiceField(prices),
  rights: searchChoiceField(formRights),
  access: searchChoiceField(formAccess),
  /** A year: published or changed then or later. */
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
  /** Wishes of the words that the person took away. */
  without: z.array(z.string()).transform((kinds) => wishKinds.filter((kind) => kinds.includes(kind))),
  /** Where a term made the search narrower, all words have to be found. */
  model: searchChoiceField(['strict'] as const),
  page: z.coerce
    .number()
    .int()
    .min(0)
    .transform((page) => Math.min(page, MAX_PAGE))
    .catch(0),
});

export type SearchForm = z.infer<typeof fields>;

/** What values among the words are compared with. */
export type TypedNames = { readonly providers?: readonly Provider[]; readonly clock?: Clock };

/** The search that the parameters of an address stand for. What is not sent is not limited. */
export function readSearchForm(query: URLSearchParams, names: TypedNames = {}): SearchForm {
  const typed = readTypedSearchFilters(query.get('q') ?? '', names);
  const all = (field: string) =>
    (field in typed.fields ? [typed.fields[field] ?? ''] : query.getAll(field)).filter((value) => value !== '');
  const one = (field: string) => all(field)[0] ?? '';
  return fields.parse({
    q: typed.words,
    // One field of a form may have several.
    topic: all('topic')
      .flatMap((ids) => ids.split(' '))
      .filter((id) => id !== '' && id !== EVERY_TOPIC),
    provider: all('provider').slice(-1),
    type: all('type').slice(-1),
    bloom: all('bloom').slice(-1),
    lang: one('lang'),
    level: one('level'),
    length: one('length'),
    // `free=1` is in links to the front page of former versions.
    price: one('price') || (query.get('free') === '1' ? 'free' : ''),
    rights: one('rights'),
    access: one('access'),
    since: one('since'),
    address: one('address'),
    distance: one('distance') || '0',
    sort: one('sort'),
    without: all('without').flatMap((kinds) => kinds.split(' ')),
    model: one('model'),
    page: one('page') || '0',
  });
}

/** As `readSearchForm`; where a provider is typed, the list of providers is asked for. */
export async function readTypedSearch(
  query: URLSearchParams,
  { clock, lists }: { readonly clock: Clock; lists(): Promise<Pick<Lists, 'providers'>> },
): Promise<SearchForm> {
  const pieces = splitTypedQuery(straightenQuotationMarks(query.get('q') ?? ''));
  const isProviderTyped = pieces.some((piece) => 'filter' in piece && piece.filter.key === 'provider');
  return readSearchForm(query, { clock, ...(isProviderTyped && { providers: (await lists()).providers }) });
}

/** Words without the filters that were read, and these as fields: `docker type:video`, `gestion en
 *  français`. Phrases, excluded words and what is not understood are left as they were typed. */
function readTypedSearchFilters(typed: string, { providers = [], clock = systemClock }: TypedNames) {
  const text = straightenQuotationMarks(typed);
  // Nearly all searches are words only.
  if (!/[:"]|(?:^|\s)-|(?:^|\s)(?:in|en|auf)\s/i.test(text)) return { words: typed, fields: {} };
  const names = nameUsualFilterValues(providers, clock);
  const read: Record<string, string> = {};
  const words = splitTypedQuery(text).filter((piece) => {
    if (piece.kind !== 'filter' && piece.kind !== 'language') return true;
    const changes = Object.entries(toSearchFields(piece.filter, names));
    for (const [field, value] of changes) read[field] = value;
    return changes.length === 0;
  });
  if (Object.keys(read).length === 0) return { words: typed, fields: read };
  const { min = '', max = '', ...others } = read;
  const length = min + max === '' ? {} : { length: writeSearchFormLength(Number(min), Number(max)) };
  return { words: words.map((piece) => piece.typed).join(' '), fields: { ...others, ...length } };
}

/** Several values of one filter are one choice of a form: the last counts. */
function toSearchFields(filter: TypedFilter, names: ValueNames): Readonly<Record<string, string>> {
  const { key, values } = filter;
  if (key === 'min' || key === 'max') {
    const minutes = values.flatMap((value) => readQueryMinutes(value) ?? []).at(-1);
    return minutes === undefined ? {} : { [key]: String(minutes) };
  }
  if (isAnyFilterValue(filter)) return key === 'has' ? { rights: '', access: '' } : { [key]: '' };
  const read = values.flatMap((value) => matchFilterName(value, names[key]) ?? []);
  if (key === 'has') {
    const rights = formRights.findLast((right) => read.includes(right));
    return { ...(rights && { rights }), ...(read.includes('captions') && { access: 'captions' }) };
  }
  const value = read.at(-1);
  if (key === 'sort' && value === 'popularity') return { sort: '' };
  return value === undefined || (key === 'sort' && !isSearchFormSort(value)) ? {} : { [key]: value };
}

const isSearchFormSort = (sort: string): boolean => formSorts.some((each) => each === sort);

/** As it is offered, else as `20-45`, `-45` or `20-`. @param min minutes, 0 for no limit */
function writeSearchFormLength(min: number, max: number): string {
  const [least, most] = max > 0 && min > max ? [max, min] : [min, max];
  const range = `${least || ''}-${most || ''}`;
  const offered = Object.entries<LengthRange>(lengths).find(
    ([, { learningTimeMin = '', learningTimeMax = '' }]) => `${learningTimeMin}-${learningTimeMax}` === range,
  );
  return offered?.[0] ?? range;
}

/** The limits of a length of a form, in minutes; none for an empty one. */
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

/** The parameters with some choices changed, on the first page by default, without defaults. */
export function writeSearchForm(form: SearchForm, changes: Partial<SearchForm> = {}): URLSearchParams {
  const { q, topic, page, distance, ...choices } = { ...form, page: 0, ...changes };
  const query = new URLSearchParams();
  const inOrder = { q, topic, ...choices, distance: distance || '', page: page || '' };
  for (const [field, value] of Object.entries(inOrder))
    for (const each of [value].flat()) if (each !== '') query.append(field, String(each));
  return query;
}

/** Without some of the choices. @param names of form fields, separated by blanks */
export function dropSearchChoices(form: SearchForm, names: string): SearchForm {
  const dropped = Object.entries(emptyForm).filter(([field]) => names.split(' ').includes(field));
  return { ...form, page: 0, ...Object.fromEntries(dropped) };
}

export const toBrowseRequest = (form: SearchForm, defaults: SearchDefaults, locale: string): BrowseRequest => ({
  query: toSearchFormQuery({ ...form, q: '' }, defaults, locale),
  topics: form.topic,
});

/** Chosen filters are strict; how words are searched for is as the tenant says. */
export function toSearchFormQuery(form: SearchForm, defaults: SearchDefaults, locale: string): CheckedQuery {
  const { q, provider, type, bloom, lang, level, length, price, rights, access, since, without } = form;
  const has = [rights, access].filter((mark) => mark !== '');
  const { prefer, ...others } = defaults;
  const typed = readTypedSearchWords(q);
  const begun = createLearningObjectQuery(
    typed.words,
    {
      ...others,
      // Counts only if nobody chose a language.
      ...(prefer !== undefined && lang === '' && { prefer }),
      providers: provider.includes(PRESET_PROVIDERS) ? defaults.providers : provider,
      // A language that is chosen changes nothing about how the words are read.
      lang: null,
      model: form.model || defaults.model,
      match: 'best-effort',
      freeOnly: price === 'free',
    },
    locale,
  );
  const query: CheckedQuery = {
    ...begun,
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

/** The words to search for, and those that an object must or must not have: `java -script`. */
function readTypedSearchWords(q: string): { readonly words: string; readonly checks: Pick<CheckedQuery, 'checks'> } {
  const parts = splitTypedQuery(straightenQuotationMarks(q));
  const textsOf = (kind: 'phrase' | 'excluded') =>
    parts.flatMap((part) => (part.kind === kind && part.text !== '' ? [part.text] : [])).slice(0, MAX_CHECKED_WORDS);
  const excluded = textsOf('excluded');
  const phrases = textsOf('phrase').filter((phrase) => phrase.includes(' '));
  const rest = parts.flatMap((part) => (part.kind === 'excluded' ? [] : [part.text]));
  // Without any other word, a dash is part of a word.
  if (excluded.length + phrases.length === 0 || rest.length === 0) return { words: q, checks: {} };
  return { words: rest.join(' '), checks: { checks: { excluded, phrases } } };
}

/** Only trainings have a place: without them a distance would leave nothing. */
function findSearchFormPlace(form: SearchForm): Pick<LearningObjectQuery, 'address' | 'distanceMax'> | null {
  const { type, address, distance } = form;
  if (!type.includes(PLACED_TYPE) || address === '' || distance === 0) return null;
  return { address, distanceMax: distance };
}

function searchChoiceField<const T extends readonly string[]>(names: T) {
  return z.enum(['', ...names] as ['', ...T]).catch('' as never);
}
