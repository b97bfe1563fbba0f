import { z } from 'zod';
import type { CheckedQuery, LearningObjectQuery } from '#domain/learning-object-query';
import {
  createLearningObjectQuery,
  cutLearningQueryWords,
  distances,
  lengths,
  levels,
  MAX_PAGE,
  PLACED_TYPE,
  prices,
  wishKinds,
} from '#domain/learning-object-query';
import { type FilterKey, splitTypedQuery, straightenMarks } from '#domain/query-intent/query-grammar';
import type { SearchDefaults } from '#domain/tenant';
import { cleanText } from '#domain/text';
import type { BrowseRequest } from '#ports/learning-service';
import { listQueryFilters } from '#services/searching/query-filters';
import { matchName, nameUsualValues } from './filter-names.ts';

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

const name = z.string().min(1).max(100);

/** An edited or old address should still show something: unusable values count as not chosen. */
const fields = z.object({
  q: z.string().transform(cutLearningQueryWords),
  /** Ids of fields and skills, where people look around without words. */
  topic: z.array(name).max(MAX_TOPICS).catch([]),
  /** Of these three one at most. */
  provider: z.array(name).catch([]),
  type: z.array(name).catch([]),
  bloom: z.array(name).catch([]),
  // As the list of an upstream has it.
  lang: z.string().max(60).catch(''),
  level: oneOf(Object.keys(levels) as (keyof typeof levels)[]),
  length: oneOf(Object.keys(lengths) as (keyof typeof lengths)[]),
  price: oneOf(prices),
  rights: oneOf(formRights),
  access: oneOf(formAccess),
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
  sort: oneOf(formSorts),
  /** Wishes of the words that the person took away. */
  without: z.array(z.string()).transform((kinds) => wishKinds.filter((kind) => kinds.includes(kind))),
  /** Where a term made the search narrower, all words have to be found. */
  model: oneOf(['strict'] as const),
  page: z.coerce
    .number()
    .int()
    .min(0)
    .transform((page) => Math.min(page, MAX_PAGE))
    .catch(0),
});

export type SearchForm = z.infer<typeof fields>;

/** The search that the parameters of an address stand for. What is not sent is not limited. */
export function readSearchForm(query: URLSearchParams): SearchForm {
  const one = (field: string) => query.get(field) ?? '';
  const all = (field: string) => query.getAll(field).filter((value) => value !== '');
  const typed = readTypedFilters(one('q'));
  return fields.parse({
    q: typed.words,
    // One field of a form may have several.
    topic: all('topic')
      .flatMap((ids) => ids.split(' '))
      .filter((id) => id !== '' && id !== EVERY_TOPIC),
    provider: all('provider').slice(-1),
    type: typed.type ?? all('type').slice(-1),
    bloom: all('bloom').slice(-1),
    lang: typed.lang ?? one('lang'),
    level: typed.level ?? one('level'),
    length: one('length'),
    // `free=1` is in links to the front page of former versions.
    price: typed.price ?? (one('price') || (query.get('free') === '1' ? 'free' : '')),
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

interface TypedFields {
  /** Without the filters that were read; phrases and excluded words as they were typed. */
  readonly words: string;
  readonly type?: readonly string[];
  readonly lang?: string;
  readonly level?: string;
  readonly price?: string;
}

/** Filters among the words, as fields: `docker type:video`, `gestion en français`. */
function readTypedFilters(typed: string): TypedFields {
  const text = straightenMarks(typed);
  // Nearly all searches are words only.
  if (!/[:"]|(?:^|\s)-|(?:^|\s)(?:in|en|auf)\s/i.test(text)) return { words: typed };
  const names = nameUsualValues();
  const read: Record<string, string> = {};
  const words = splitTypedQuery(text).filter((piece) => {
    if (piece.kind !== 'filter' && piece.kind !== 'language') return true;
    const { key, values } = piece.filter;
    const value = isField(key) ? values.flatMap((each) => matchName(each, names[key]) ?? []).at(-1) : undefined;
    if (value !== undefined) read[key] = value;
    return value === undefined;
  });
  if (Object.keys(read).length === 0) return { words: typed };
  const { type, ...others } = read;
  return { words: words.map((piece) => piece.typed).join(' '), ...others, ...(type !== undefined && { type: [type] }) };
}

const isField = (key: FilterKey): key is 'type' | 'lang' | 'level' | 'price' =>
  key === 'type' || key === 'lang' || key === 'level' || key === 'price';

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
  const inOrder = { ...{ q, topic, ...choices }, ...{ distance: distance || '', page: page || '' } };
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
  const typed = readTypedWords(q);
  const begun = createLearningObjectQuery(
    typed.words,
    {
      ...others,
      // Counts only where nobody chose a language.
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
    ...(length !== '' && lengths[length]),
    ...findPlace(form),
  };
  return { ...query, important: new Set(listQueryFilters(query)) };
}

const MAX_CHECKED_WORDS = 10;

/** The words to search for, and those that an object must or must not have: `java -script`. */
function readTypedWords(q: string): { readonly words: string; readonly checks: Pick<CheckedQuery, 'checks'> } {
  const parts = splitTypedQuery(straightenMarks(q));
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
function findPlace({
  type,
  address,
  distance,
}: SearchForm): Pick<LearningObjectQuery, 'address' | 'distanceMax'> | null {
  if (!type.includes(PLACED_TYPE) || address === '' || distance === 0) return null;
  return { address, distanceMax: distance };
}

function oneOf<const T extends readonly string[]>(names: T) {
  return z.enum(['', ...names] as ['', ...T]).catch('' as never);
}
