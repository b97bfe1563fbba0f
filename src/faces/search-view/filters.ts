import { bloomObjectives } from '#domain/learning-object';
import { distances, lengths, levels, PLACED_TYPE, prices } from '#domain/learning-object-query';
import type { SearchDefaults } from '#domain/tenant';
import type { Lists } from '#services/searching/discovery/results';
import { type ObjectWords, writeBloomFact, writeLengthRange, writeTypeFact } from '../object-view/facts.ts';
import { joinNames } from '../words/i18n.ts';
import { findLanguageName } from '../words/language-names.ts';
import {
  createSearchForm,
  formAccess,
  formRights,
  formSorts,
  MAX_ADDRESS_LENGTH,
  PRESET_PROVIDERS,
  readSearchFormLength,
  type SearchForm,
} from './search-form.ts';

/** The model of `views/lti/partials/filters.eta`, in the reader's words. */
export type FiltersView = ReturnType<typeof toFiltersView>;

type SelectName = 'type' | 'level' | 'length' | 'price' | 'rights' | 'access' | 'since' | 'lang' | 'provider' | 'sort';

interface FiltersScope extends ObjectWords {
  readonly form: SearchForm;
  readonly defaults: SearchDefaults;
  /** Numbers of objects by field and choice; absent for fields that are not counted. */
  readonly counts?: Readonly<Record<string, ReadonlyMap<string, number>>>;
}

const filterNames = [
  ...(['type', 'level', 'length', 'price', 'rights', 'access', 'since'] as const),
  ...(['lang', 'provider', 'bloom', 'distance'] as const),
];
/** Offered years, as numbers of years before this one. */
const YEARS_AGO = [0, 1, 2, 5, 10];
const objectiveNames: ReadonlySet<string> = new Set(bloomObjectives);
type Choice = { readonly value: string; readonly name: string };

export function toFiltersView(lists: Lists, scope: FiltersScope) {
  const { form, defaults, t, locale } = scope;
  // With the tenant's own set among them, the choices are not cached for all tenants.
  const providerKey = defaults.providers.length > 1 ? {} : lists.providers;
  const initialForm = createSearchForm(defaults);
  /** `any` is shown if nothing is chosen; `begin` is what the tenant's people begin with. */
  const toSelect = (name: SelectName, choices: readonly Choice[]) => ({
    name,
    label: t(`search.filters.${name}`),
    any: t(`search.filters.any.${name}`),
    choices: toFilterChoices(name, choices, scope),
    begin: [initialForm[name]].flat()[0] ?? '',
  });
  const nameFixed = (name: string, values: readonly string[]): Choice[] =>
    values.map((value) => ({ value, name: t(`search.filters.${name}.${value}`) }));
  const nameListed = (field: string, values: Lists['types']): Choice[] =>
    values.map(({ value }) => ({ value, name: nameFilterChoice(field, value, scope) }));
  return {
    selects: [
      toSelect(
        'type',
        sortFiltersOnce(lists.types, locale, () => nameListed('type', lists.types)),
      ),
      toSelect('level', nameFixed('levels', Object.keys(levels))),
      toSelect('length', nameFixed('lengths', Object.keys(lengths))),
      toSelect('price', nameFixed('prices', prices)),
      toSelect(
        'lang',
        sortFiltersOnce(lists.languages, locale, () => nameListed('lang', lists.languages)),
      ),
      toSelect(
        'provider',
        sortFiltersOnce(providerKey, locale, () => listFilterProviders(lists, scope)),
      ),
      toSelect('rights', nameFixed('rightsChoices', formRights)),
      toSelect('access', nameFixed('accessChoices', formAccess)),
      toSelect('since', listFilterYears(scope)),
      toSelect('sort', nameFixed('sorts', formSorts)),
    ],
    blooms: toFilterChoices('bloom', nameListed('bloom', lists.blooms), scope).map((choice) => ({
      ...choice,
      meaning: objectiveNames.has(choice.value) ? t(`search.filters.blooms.${choice.value}`) : '',
    })),
    place: toPlaceFilter(form, t),
    inUse: filterNames.filter((field) => [form[field]].flat().some(Boolean)).length,
    isMoreInUse: form.bloom.length > 0,
    missing: lists.missing,
  };
}

const toPlaceFilter = (form: SearchForm, t: ObjectWords['t']) => ({
  type: PLACED_TYPE,
  address: form.address,
  distances: distances.map((km) => ({
    value: String(km),
    name: t('search.filters.km', { km }),
    isChosen: form.distance === km,
    count: '',
    isHidden: false,
  })),
  maxLength: MAX_ADDRESS_LENGTH,
  isWanted: form.type.includes(PLACED_TYPE),
});

const sortedChoices = new WeakMap<object, Map<string, readonly Choice[]>>();

/** Sorts by name once for each list, as a list stays the same value and has hundreds of entries. */
function sortFiltersOnce(list: object, locale: string, listChoices: () => Choice[]): readonly Choice[] {
  const byLocale = sortedChoices.get(list) ?? new Map<string, readonly Choice[]>();
  const choices = byLocale.get(locale) ?? listChoices().sort((a, b) => a.name.localeCompare(b.name, locale));
  sortedChoices.set(list, byLocale.set(locale, choices));
  return choices;
}

function toFilterChoices(field: SelectName | 'bloom', choices: readonly Choice[], scope: FiltersScope) {
  const { form, counts = {}, locale } = scope;
  const chosen: readonly string[] = [form[field]].flat();
  // A chosen value that the list lacks is added, so that it can be taken back.
  const unlisted = chosen.filter((value) => value !== '' && !choices.some((choice) => choice.value === value));
  const unlistedChoices = unlisted.map((value) => ({ value, name: nameFilterChoice(field, value, scope) }));
  return [...unlistedChoices, ...choices].map(({ value, name }) => {
    // Only listed values are counted. One without objects is hidden.
    const objects = counts[field] && (counts[field].get(value) ?? (unlisted.includes(value) ? undefined : 0));
    const isChosen = chosen.includes(value);
    const count = objects === undefined ? '' : ` (${objects.toLocaleString(locale)})`;
    return { value, name, isChosen, count, isHidden: objects === 0 && !isChosen };
  });
}

function nameFilterChoice(field: string, value: string, words: ObjectWords): string {
  const { t, locale } = words;
  if (field === 'length') {
    const { learningTimeMin: min = null, learningTimeMax: max = null } = readSearchFormLength(value);
    return writeLengthRange({ min, max }, words) ?? value;
  }
  if (field === 'since') return t('search.filters.sinceYear', { year: value });
  if (field === 'type') return writeTypeFact(value, t);
  if (field === 'lang') return findLanguageName(value, locale);
  return field === 'bloom' ? writeBloomFact(value, t) : value;
}

function listFilterYears({ t }: FiltersScope): Choice[] {
  const year = new Date().getFullYear();
  return YEARS_AGO.map((ago) => ({
    value: `${year - ago}`,
    name: t('search.filters.sinceYear', { year: year - ago }),
  }));
}

function listFilterProviders({ providers }: Lists, { defaults, locale }: FiltersScope): Choice[] {
  const nameOf = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id;
  const preset = {
    value: PRESET_PROVIDERS,
    name: joinNames(defaults.providers.map(nameOf), locale, 'disjunction'),
  };
  return [
    ...(defaults.providers.length > 1 ? [preset] : []),
    ...providers.map(({ id, name }) => ({ value: id, name })),
  ];
}
