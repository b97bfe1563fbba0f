import { levels } from '#domain/learning-object-query';
import type { ObjectWords } from '#faces/object-view/facts';
import { cutText } from '../blocks/text.ts';
import type { LearnChoices, LevelName, Meant } from './choices.ts';
import { findNearNames, matchName, type Named } from './match-names.ts';
import { readLearnMinutes, type TypedFilter, type TypedKey } from './parse-learn.ts';
import { levelNames, priceNames, sortNames, type ValueNames } from './value-names.ts';

export interface FilterNames {
  readonly names: ValueNames;
  readonly words: ObjectWords;
}

export interface FilterReader {
  /** What was not understood, each with the possible values: plain text, not escaped. */
  readonly notes: readonly string[];
  readonly meant: readonly Meant[];
  /** Those that are known, each once. */
  values(key: NamedKey): readonly string[];
  minutes(key: 'min' | 'max'): number | null;
}

type NamedKey = Exclude<TypedKey, 'min' | 'max'>;

/** Values named in a note; the menus below have all of them. */
const NAMED_VALUES = 6;
const MAX_QUOTED = 60;

/** What filters say, one kind after the other, with a note about each unknown one. */
export function createFilterReader(
  filters: readonly TypedFilter[],
  { names, words }: FilterNames,
): FilterReader {
  const { t } = words;
  const notes: string[] = [];
  const meant: Meant[] = [];
  const namedBy = namesByKey(names);
  const typedFor = (key: TypedKey) =>
    filters.filter((filter) => filter.key === key).flatMap(({ values }) => values);

  return {
    notes,
    meant,
    values(key) {
      const possible = namedBy[key];
      const read = typedFor(key).map((value) => ({ value, match: matchName(value, possible) }));
      const found = [...new Set(read.flatMap(({ match }) => match ?? []))];
      for (const { value } of read.filter(({ match }) => match === null)) {
        const near = findNearNames(value, possible);
        notes.push(refusal(key, value, { near, possible, words }));
        const [nearest] = near;
        if (nearest === undefined) continue;
        const chosen = toChoices(key, [...found, nearest.value]);
        meant.push({ text: `${key}:${asTyped(nearest, words)}`, words: '', chosen });
      }
      return found;
    },
    minutes(key) {
      const read = typedFor(key).map((value) => ({ value, minutes: readLearnMinutes(value) }));
      for (const { value, minutes } of read)
        if (minutes === null) notes.push(t(`slackLearn.notes.${key}`, { value: cutText(value, MAX_QUOTED) }));
      return read.findLast(({ minutes }) => minutes !== null)?.minutes ?? null;
    },
  };
}

/** What a filter by itself chooses; null where nothing of it is known. */
export function readFilter({ key, values }: TypedFilter, names: FilterNames): Partial<LearnChoices> | null {
  const read = createFilterReader([{ key, values }], names);
  if (key === 'min' || key === 'max') {
    const minutes = read.minutes(key);
    if (minutes === null) return null;
    return key === 'min' ? { minMinutes: minutes } : { maxMinutes: minutes };
  }
  const known = read.values(key);
  return known.length === 0 ? null : toChoices(key, known);
}

const namesByKey = (names: ValueNames): Readonly<Record<NamedKey, readonly Named[]>> => ({
  type: names.types,
  lang: names.languages,
  provider: names.providers,
  bloom: names.blooms,
  level: levelNames,
  price: priceNames,
  sort: sortNames,
});

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

interface RefusedAmong {
  readonly near: readonly Named[];
  readonly possible: readonly Named[];
  readonly words: ObjectWords;
}

/** With what is nearest first. */
function refusal(key: NamedKey, value: string, { near, possible, words }: RefusedAmong): string {
  const quoted = cutText(value, MAX_QUOTED);
  if (possible.length === 0) return words.t('slackLearn.notes.unlisted', { value: quoted });
  const named = [...new Set([...near, ...possible])].slice(0, NAMED_VALUES);
  const list = new Intl.ListFormat(words.locale, { type: 'disjunction' });
  const options = list.format(named.map((each) => asTyped(each, words)));
  return words.t(`slackLearn.notes.${key}`, { value: quoted, options });
}

/** As the reader calls it and can type it. */
function asTyped({ value, shown }: Named, { locale }: ObjectWords): string {
  const name = shown?.[locale] ?? value;
  return /[\s,]/.test(name) ? `"${name}"` : name;
}
