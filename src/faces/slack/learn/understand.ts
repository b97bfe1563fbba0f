import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { Preferences } from '#domain/person';
import {
  type FilterKey,
  filterKeys,
  findFilterKey,
  type TypedQuery,
  type UnknownFilter,
} from '#domain/query-intent/query-grammar';
import type { SearchDefaults } from '#domain/tenant';
import { foldText } from '#domain/text';
import { findNearestNames, nameValues } from '#faces/search-view/filter-names';
import type { Languages } from '#faces/words/i18n';
import { cutText } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import type { LearnChoices, Proposal } from './choices.ts';
import { parseLearn, readLearnSentence } from './parse-learn.ts';
import { createFilterReader, type FilterNames, readFilter, readPrice, readSort, sortLevels } from './read-filters.ts';

export interface Understood {
  readonly choices: LearnChoices;
  /** What was not understood as typed, each with the possible values: plain text, not escaped. */
  readonly notes: readonly string[];
}

export async function understandTyped(
  { tenants, languages }: Pick<SlackFaceDeps, 'tenants'> & { readonly languages: Languages },
  context: SlackContext,
  typed: string,
): Promise<Understood> {
  const [{ defaults }, preferences, lists, words] = await Promise.all([
    tenants.getTenant(context.owner.tenantId),
    context.preferences(),
    context.discovery.lists({ timeoutMs: LISTS_MS }),
    context.words(),
  ]);
  const { typed: search, ...beginning } = dropAnyValues(parseLearn(typed), { preferences, defaults });
  const { choices, notes } = understandSearch(search, { names: nameValues(lists, languages), ...beginning, words });
  const sentence = beginningOf(readLearnSentence(typed), MAX_WORDS_LENGTH).trim();
  return { notes, choices: { ...choices, sentence, ignoresFilters: notes.length > 0 } };
}

/** Values that take back what a search begins with: `lang:any`. Folded, in English and French. */
const anyWords: ReadonlySet<string> = new Set(['any', 'all', 'tous', 'toutes']);

interface Beginning {
  readonly preferences: Preferences;
  readonly defaults: SearchDefaults;
}

/** Removes filters that are typed as `any`, and what the search would begin with for them. */
function dropAnyValues(
  typed: TypedQuery,
  { preferences, defaults }: Beginning,
): Beginning & { readonly typed: TypedQuery } {
  const isAny = (values: readonly string[]) => values.every((value) => anyWords.has(foldText(value)));
  const open = new Set<FilterKey>(typed.filters.flatMap(({ key, values }) => (isAny(values) ? [key] : [])));
  return {
    typed: { ...typed, filters: typed.filters.filter(({ values }) => !isAny(values)) },
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

interface Circumstances extends FilterNames {
  readonly preferences: Preferences;
  readonly defaults: SearchDefaults;
}

/** Of excluded words, and of phrases. */
const MAX_WORD_CHECKS = 10;
const MAX_WORD_CHECK_LENGTH = 100;
const MAX_NOTES = 6;
const MAX_NOTE = 250;
const MAX_PROPOSALS = 3;
const MAX_QUOTED = 60;

/** Typed filters come before preferences, and those before the tenant's defaults. */
function understandSearch(typed: TypedQuery, circumstances: Circumstances): Understood {
  const { t } = circumstances.words;
  const read = createFilterReader(typed.filters, circumstances);
  const [lang, ...otherLanguages] = read.values('lang');
  const typedFilters = {
    lang,
    types: read.values('type'),
    providers: read.values('provider'),
    price: readPrice(read.values('price')),
    levels: sortLevels(read.values('level')),
  };
  const words = beginningOf(typed.words, MAX_WORDS_LENGTH).trim();
  const choices = {
    ...fillUp(circumstances, typedFilters),
    words,
    blooms: read.values('bloom'),
    ...inOrderOfLength(read.minutes('min'), read.minutes('max')),
    sort: readSort(read.values('sort')),
    excluded: shorten(typed.excluded),
    phrases: shorten(typed.phrases),
  };
  const proposals = [
    ...read.proposals,
    ...typed.unknownFilters.flatMap((filter) => proposeFilter(filter, words, circumstances)),
  ];
  const notes = [...read.notes, ...typed.unknownFilters.map(({ key }) => unknownKey(key, circumstances))];
  if (otherLanguages.length > 0) notes.push(t('slackLearn.notes.oneLanguage'));
  if (typed.words.length > MAX_WORDS_LENGTH) notes.push(t('slackLearn.notes.longWords', { max: MAX_WORDS_LENGTH }));
  return {
    choices: { ...choices, proposals: proposals.slice(0, MAX_PROPOSALS) },
    notes: notes.slice(0, MAX_NOTES).map((note) => cutText(note, MAX_NOTE)),
  };
}

const unknownKey = (key: string, { words: { t } }: Circumstances): string =>
  t('slackLearn.notes.unknownKey', { key: cutText(key, MAX_QUOTED) });

/** The filter with the nearest name, if it takes the value and words are left without it. */
function proposeFilter(filter: UnknownFilter, words: string, circumstances: Circumstances): Proposal[] {
  const [nearest] = findNearestNames(foldText(filter.key), filterKeys, (each) => [each]);
  const key = nearest === undefined ? undefined : findFilterKey(nearest);
  if (key === undefined || filter.text === words) return [];
  const chosen = readFilter({ key, values: filter.values }, circumstances);
  if (chosen === null) return [];
  const text = `${nearest}${filter.text.slice(filter.key.length)}`;
  return [{ text, words: filter.text, chosen }];
}

const shorten = (texts: readonly string[]): string[] =>
  texts.slice(0, MAX_WORD_CHECKS).map((words) => beginningOf(words, MAX_WORD_CHECK_LENGTH));

/** Without half a character at the end, which services refuse. */
const beginningOf = (text: string, max: number): string => text.slice(0, max).replace(/\p{Cs}$/u, '');

interface Asked extends Pick<LearnChoices, 'types' | 'providers' | 'price' | 'levels'> {
  readonly lang: string | undefined;
}

type FilledUp = Pick<LearnChoices, keyof Asked | 'preferred' | 'itemsPerPage'>;

/** What was asked for, else what the person prefers, else the tenant's defaults. */
function fillUp({ preferences, defaults }: Circumstances, asked: Asked): FilledUp {
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

function inOrderOfLength(min: number | null, max: number | null) {
  const isReversed = min !== null && max !== null && min > max;
  return isReversed ? { minMinutes: max, maxMinutes: min } : { minMinutes: min, maxMinutes: max };
}
