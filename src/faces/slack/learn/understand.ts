import { levels, MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { ObjectMark } from '#domain/object-facts';
import type { Preferences } from '#domain/person';
import type {
  FilterKey,
  NamedFilterKey,
  TypedFilter,
  TypedQuery,
  UnknownFilter,
} from '#domain/query-intent/query-grammar';
import * as grammar from '#domain/query-intent/query-grammar';
import type { SearchDefaults } from '#domain/tenant';
import { foldText } from '#domain/text';
import type { ObjectWords } from '#faces/object-view/facts';
import type { NamedValue, ValueNames } from '#faces/search-view/filter-names';
import {
  findNearestFilterNames,
  findNearFilterNames,
  isAnyFilterValue,
  matchFilterName,
  nameFilterValues,
} from '#faces/search-view/filter-names';
import { joinNames, readLanguages } from '#faces/words/i18n';
import { cutSlackText, escapeMrkdwn, normaliseTyped } from '../blocks/text.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import type { LearnChoices, LevelName, Proposal } from './choices.ts';

export interface UnderstoodSearch {
  readonly choices: LearnChoices;
  /** Remarks on filters that were not understood, with possible values: plain text, not escaped. */
  readonly notes: readonly string[];
}

/** Reads typed words and filters; adds the person's preferences and the tenant's defaults. */
export async function understandTyped(context: SlackContext, typed: string): Promise<UnderstoodSearch> {
  const [{ defaults }, preferences, lists, words] = await Promise.all([
    context.tenants.getTenant(context.owner.tenantId),
    context.preferences(),
    context.discovery.lists({ timeoutMs: LISTS_MS }),
    context.words(),
  ]);
  const { typed: search, ...beginning } = dropAnyValues(parseLearn(typed), { preferences, defaults });
  const { choices, notes } = understandSearch(search, {
    names: nameFilterValues(lists, readLanguages(), context.clock),
    ...beginning,
    words,
  });
  const sentence = cutText(writeTypedSentence(typed), MAX_WORDS_LENGTH).trim();
  return { notes, choices: { ...choices, sentence, ignoresFilters: notes.length > 0 } };
}

type SearchFallbacks = { readonly preferences: Preferences; readonly defaults: SearchDefaults };

/** Removes filters that are typed as `any`, and what the search would begin with for them. */
function dropAnyValues(
  typed: TypedQuery,
  beginning: SearchFallbacks,
): SearchFallbacks & { readonly typed: TypedQuery } {
  const { preferences, defaults } = beginning;
  const open = new Set<FilterKey>(typed.filters.filter(isAnyFilterValue).map(({ key }) => key));
  return {
    typed: { ...typed, filters: typed.filters.filter((filter) => !isAnyFilterValue(filter)) },
    preferences: {
      ...preferences,
      ...(open.has('lang') && { lang: null }),
      ...(open.has('level') && { level: null }),
      ...(open.has('type') && { types: [] }),
      ...(open.has('provider') && { providers: [] }),
    },
    defaults: {
      ...defaults,
      ...(open.has('lang') && { lang: null }),
      ...(open.has('provider') && { providers: [] }),
      ...(open.has('price') && { freeOnly: false }),
    },
  };
}

interface SearchContext extends FilterNames {
  readonly preferences: Preferences;
  readonly defaults: SearchDefaults;
}

/** Limits of excluded words, and of phrases. */
const MAX_WORD_CHECKS = 10;
const MAX_WORD_CHECK_LENGTH = 100;
const MAX_NOTES = 6;
const MAX_NOTE = 250;
const MAX_PROPOSALS = 3;
const MAX_QUOTED = 60;

function understandSearch(typed: TypedQuery, context: SearchContext): UnderstoodSearch {
  const { t } = context.words;
  const read = readTypedFilters(typed.filters, context);
  const [lang, secondLanguage] = read.lang;
  const typedFilters = {
    lang,
    types: read.type,
    providers: read.provider,
    price: readPrice(read.price),
    levels: sortLevels(read.level),
  };
  const words = cutText(typed.words, MAX_WORDS_LENGTH).trim();
  const { min, max } = read;
  const isReversed = min !== null && max !== null && min > max;
  const choices = {
    ...applyFallbacks(context, typedFilters),
    words,
    blooms: read.bloom,
    has: read.has as ObjectMark[],
    since: read.since.at(-1) ?? null,
    ...(isReversed ? { minMinutes: max, maxMinutes: min } : { minMinutes: min, maxMinutes: max }),
    sort: readSort(read.sort),
    excluded: shortenTexts(typed.excluded),
    phrases: shortenTexts(typed.phrases),
  };
  const proposals = [
    ...read.proposals,
    ...typed.unknownFilters.flatMap((filter) => proposeFilter(filter, words, context)),
  ];
  const notes = [...read.notes];
  for (const { key } of typed.unknownFilters)
    notes.push(t('slackLearn.notes.unknownKey', { key: cutSlackText(key, MAX_QUOTED) }));
  if (secondLanguage !== undefined) notes.push(t('slackLearn.notes.oneLanguage'));
  if (typed.words.length > MAX_WORDS_LENGTH) notes.push(t('slackLearn.notes.longWords', { max: MAX_WORDS_LENGTH }));
  return {
    choices: { ...choices, proposals: proposals.slice(0, MAX_PROPOSALS) },
    notes: notes.slice(0, MAX_NOTES).map((note) => cutSlackText(note, MAX_NOTE)),
  };
}

/** Proposes the filter of the nearest name, if it takes the value and words are left without it. */
function proposeFilter(filter: UnknownFilter, words: string, context: SearchContext): Proposal[] {
  const [nearest] = findNearestFilterNames(foldText(filter.key), grammar.filterKeys, (name) => [name]);
  const key = nearest === undefined ? undefined : grammar.findQueryFilterKey(nearest);
  if (key === undefined || filter.text === words) return [];
  const chosen = readTypedFilter({ key, values: filter.values }, context);
  if (chosen === null) return [];
  const text = `${nearest}${filter.text.slice(filter.key.length)}`;
  return [{ text, words: filter.text, chosen }];
}

const shortenTexts = (texts: readonly string[]): string[] =>
  texts.slice(0, MAX_WORD_CHECKS).map((words) => cutText(words, MAX_WORD_CHECK_LENGTH));

/** Cuts a text, but leaves no half of a character, which services refuse. */
const cutText = (text: string, max: number): string => text.slice(0, max).replace(/\p{Cs}$/u, '');

interface TypedFilters extends Pick<LearnChoices, 'types' | 'providers' | 'price' | 'levels'> {
  readonly lang: string | undefined;
}

/** Takes what was asked for, else what the person prefers, else the tenant's defaults. */
function applyFallbacks({ preferences, defaults }: SearchContext, asked: TypedFilters) {
  const firstGiven = <T>(...lists: readonly (readonly T[])[]) => lists.find(({ length }) => length > 0) ?? [];
  const { lang, types, providers, price, levels } = asked;
  return {
    lang: lang ?? preferences.lang ?? defaults.lang,
    types: firstGiven(types, preferences.types),
    providers: firstGiven(providers, preferences.providers, defaults.providers),
    price: price ?? (defaults.freeOnly ? 'free' : null),
    levels: firstGiven(levels, preferences.level === null ? [] : [preferences.level]),
    preferred: [
      ...(lang === undefined ? ['lang' as const] : []),
      ...(types.length === 0 ? ['type' as const] : []),
      ...(levels.length === 0 ? ['level' as const] : []),
    ],
    itemsPerPage: preferences.itemsPerPage ?? USUAL_ITEMS_PER_PAGE,
  };
}

const USUAL_ITEMS_PER_PAGE = 5;

type FilterNames = { readonly names: ValueNames; readonly words: ObjectWords };

/** How many values a note names; the menus of the list have all of them. */
const NAMED_VALUES = 6;

/** Reads filters, with a note about each value that cannot be matched. */
function readTypedFilters(filters: readonly TypedFilter[], { names, words }: FilterNames) {
  const { t } = words;
  const notes: string[] = [];
  const proposals: Proposal[] = [];
  const typedFor = (key: FilterKey) => filters.filter((filter) => filter.key === key).flatMap(({ values }) => values);

  function readValues(key: NamedFilterKey): readonly string[] {
    const possible = names[key];
    const read = typedFor(key).map((value) => ({ value, match: matchFilterName(value, possible) }));
    const matched = [...new Set(read.flatMap(({ match }) => match ?? []))];
    for (const { value } of read.filter(({ match }) => match === null)) {
      const near = findNearFilterNames(value, possible);
      notes.push(writeUnknownValueNote({ key, value }, [...near, ...possible], words));
      const [nearest] = near;
      if (nearest === undefined) continue;
      const chosen = choicesBy[key]([...matched, nearest.value]);
      proposals.push({ text: `${key}:${writeAsTyped(nearest, words)}`, words: '', chosen });
    }
    return matched;
  }

  function readMinutes(key: 'min' | 'max'): number | null {
    const read = typedFor(key).map((value) => ({ value, minutes: grammar.readQueryMinutes(value) }));
    for (const { value, minutes } of read)
      if (minutes === null) notes.push(t(`slackLearn.notes.${key}`, { value: cutSlackText(value, MAX_QUOTED) }));
    return read.findLast(({ minutes }) => minutes !== null)?.minutes ?? null;
  }

  // The notes are in the order of these.
  return {
    lang: readValues('lang'),
    type: readValues('type'),
    provider: readValues('provider'),
    price: readValues('price'),
    level: readValues('level'),
    min: readMinutes('min'),
    max: readMinutes('max'),
    bloom: readValues('bloom'),
    has: readValues('has'),
    since: readValues('since'),
    sort: readValues('sort'),
    notes,
    proposals,
  };
}

/** Gives the choices of a single filter; null if none of its values can be matched. */
function readTypedFilter({ key, values }: TypedFilter, names: FilterNames): Partial<LearnChoices> | null {
  const read = readTypedFilters([{ key, values }], names);
  if (key === 'min') return read.min === null ? null : { minMinutes: read.min };
  if (key === 'max') return read.max === null ? null : { maxMinutes: read.max };
  return read[key].length === 0 ? null : choicesBy[key](read[key]);
}

const choicesBy: Readonly<Record<NamedFilterKey, (values: readonly string[]) => Partial<LearnChoices>>> = {
  type: (types) => ({ types }),
  lang: ([lang = null]) => ({ lang }),
  provider: (providers) => ({ providers }),
  bloom: (blooms) => ({ blooms }),
  level: (names) => ({ levels: sortLevels(names) }),
  price: (prices) => ({ price: readPrice(prices) }),
  has: (has) => ({ has: has as ObjectMark[] }),
  since: (years) => ({ since: years.at(-1) ?? null }),
  sort: (sorts) => ({ sort: readSort(sorts) }),
};

const sortLevels = (names: readonly string[]): LevelName[] =>
  (Object.keys(levels) as LevelName[]).filter((name) => names.includes(name));

const readPrice = (prices: readonly string[]): LearnChoices['price'] =>
  (prices.at(-1) as LearnChoices['price'] | undefined) ?? null;

const readSort = (sorts: readonly string[]): LearnChoices['sort'] =>
  (sorts.at(-1) as LearnChoices['sort'] | undefined) ?? 'popularity';

/** Writes a note that names the possible values, nearest first. */
function writeUnknownValueNote(
  { key, value }: Readonly<{ key: NamedFilterKey; value: string }>,
  possible: readonly NamedValue[],
  words: ObjectWords,
): string {
  const quoted = cutSlackText(value, MAX_QUOTED);
  if (possible.length === 0) return words.t('slackLearn.notes.unlisted', { value: quoted });
  const named = [...new Set(possible)].slice(0, NAMED_VALUES);
  const options = joinNames(
    named.map((name) => writeAsTyped(name, words)),
    words.locale,
    'disjunction',
  );
  return words.t(`slackLearn.notes.${key}`, { value: quoted, options });
}

/** Writes the name in the reader's language, as it can be typed. */
function writeAsTyped({ value, shown }: NamedValue, { locale }: ObjectWords): string {
  const name = shown?.[locale] ?? value;
  return /[\s,]/.test(name) ? `"${name}"` : name;
}

/** Reads what was typed after `/learn`, as Slack sends it. */
export const parseLearn = (typed: string): TypedQuery => grammar.parseTypedQuery(normaliseTyped(typed));

/** Repeats what was typed as a sentence, without filters that have a key and excluded words. */
const writeTypedSentence = (typed: string): string =>
  grammar
    .splitTypedQuery(normaliseTyped(typed))
    .filter(({ kind, text }) => kind !== 'filter' && kind !== 'excluded' && text !== '')
    .map(({ text }) => text)
    .join(' ');

/** Puts each word that would be read as a filter or as excluded in quotation marks, one by one:
 *  several together would be a phrase.
 *  @example quoteTerm('free software') // '"free" software' */
export function quoteTerm(label: string): string {
  const words = label
    .replace(/["“”„‟«»＂]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  // `in English` is a filter only together.
  const isLanguage = parseLearn(words.join(' ')).filters.some(({ key }) => key === 'lang');
  return words
    .map((word) => (isPlain(word) && !(isLanguage && /^(?:in|en|auf)$/i.test(word)) ? word : `"${escapeMrkdwn(word)}"`))
    .join(' ');
}

function isPlain(word: string): boolean {
  const { words, unknownFilters } = parseLearn(word);
  return words === word && unknownFilters.length === 0;
}
