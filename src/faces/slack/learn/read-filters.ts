import { levels } from '#domain/learning-object-query';
import { type FilterKey, readTypedMinutes, type TypedFilter } from '#domain/query-intent/query-grammar';
import type { ObjectWords } from '#faces/object-view/facts';
import { findNearNames, matchName, type Named, type NamedKey, type ValueNames } from '#faces/search-view/filter-names';
import { cutText } from '../blocks/text.ts';
import type { LearnChoices, LevelName, Proposal } from './choices.ts';

export interface FilterNames {
  readonly names: ValueNames;
  readonly words: ObjectWords;
}

interface FilterReader {
  /** What was not understood, each with the possible values: plain text, not escaped. */
  readonly notes: readonly string[];
  readonly proposals: readonly Proposal[];
  values(key: NamedKey): readonly string[];
  minutes(key: 'min' | 'max'): number | null;
}

/** Values named in a note; the menus below have all of them. */
const NAMED_VALUES = 6;
const MAX_QUOTED = 60;

/** Reads filters, one kind after the other, with a note about each value that cannot be matched. */
export function createFilterReader(filters: readonly TypedFilter[], { names, words }: FilterNames): FilterReader {
  const { t } = words;
  const notes: string[] = [];
  const proposals: Proposal[] = [];
  const typedFor = (key: FilterKey) => filters.filter((filter) => filter.key === key).flatMap(({ values }) => values);

  return {
    notes,
    proposals,
    values(key) {
      const possible = names[key];
      const read = typedFor(key).map((value) => ({ value, match: matchName(value, possible) }));
      const matched = [...new Set(read.flatMap(({ match }) => match ?? []))];
      for (const { value } of read.filter(({ match }) => match === null)) {
        const near = findNearNames(value, possible);
        notes.push(refusal({ key, value, possible }, near, words));
        const [nearest] = near;
        if (nearest === undefined) continue;
        const chosen = toChoices(key, [...matched, nearest.value]);
        proposals.push({ text: `${key}:${asTyped(nearest, words)}`, words: '', chosen });
      }
      return matched;
    },
    minutes(key) {
      const read = typedFor(key).map((value) => ({ value, minutes: readTypedMinutes(value) }));
      for (const { value, minutes } of read)
        if (minutes === null) notes.push(t(`slackLearn.notes.${key}`, { value: cutText(value, MAX_QUOTED) }));
      return read.findLast(({ minutes }) => minutes !== null)?.minutes ?? null;
    },
  };
}

/** What a single filter chooses; null if none of its values can be matched. */
export function readFilter({ key, values }: TypedFilter, names: FilterNames): Partial<LearnChoices> | null {
  const read = createFilterReader([{ key, values }], names);
  if (key === 'min' || key === 'max') {
    const minutes = read.minutes(key);
    if (minutes === null) return null;
    return key === 'min' ? { minMinutes: minutes } : { maxMinutes: minutes };
  }
  const matched = read.values(key);
  return matched.length === 0 ? null : toChoices(key, matched);
}

const choicesBy: Readonly<Record<NamedKey, (values: readonly string[]) => Partial<LearnChoices>>> = {
  type: (types) => ({ types }),
  lang: ([lang = null]) => ({ lang }),
  provider: (providers) => ({ providers }),
  bloom: (blooms) => ({ blooms }),
  level: (names) => ({ levels: sortLevels(names) }),
  price: (prices) => ({ price: readPrice(prices) }),
  sort: (sorts) => ({ sort: readSort(sorts) }),
};

const toChoices = (key: NamedKey, values: readonly string[]) => choicesBy[key](values);

export const sortLevels = (names: readonly string[]): LevelName[] =>
  (Object.keys(levels) as LevelName[]).filter((name) => names.includes(name));

export const readPrice = (prices: readonly string[]): LearnChoices['price'] =>
  (prices.at(-1) as LearnChoices['price'] | undefined) ?? null;

export const readSort = (sorts: readonly string[]): LearnChoices['sort'] =>
  sorts.at(-1) === 'random' ? 'random' : 'popularity';

/** Names the possible values, nearest first. */
function refusal(
  { key, value, possible }: { readonly key: NamedKey; readonly value: string; readonly possible: readonly Named[] },
  near: readonly Named[],
  words: ObjectWords,
): string {
  const quoted = cutText(value, MAX_QUOTED);
  if (possible.length === 0) return words.t('slackLearn.notes.unlisted', { value: quoted });
  const named = [...new Set([...near, ...possible])].slice(0, NAMED_VALUES);
  const list = new Intl.ListFormat(words.locale, { type: 'disjunction' });
  const options = list.format(named.map((each) => asTyped(each, words)));
  return words.t(`slackLearn.notes.${key}`, { value: quoted, options });
}

/** The name in the reader's language, as it can be typed. */
function asTyped({ value, shown }: Named, { locale }: ObjectWords): string {
  const name = shown?.[locale] ?? value;
  return /[\s,]/.test(name) ? `"${name}"` : name;
}
