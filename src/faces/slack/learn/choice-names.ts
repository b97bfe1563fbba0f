import { type LearningObjectQuery, lengths } from '#domain/learning-object-query';
import {
  writeLengthFact as minutesName,
  type ObjectWords,
  writeBloomFact,
  writeTypeFact,
} from '#faces/object-view/facts';
import { findLanguageName } from '#faces/words/language-names';
import type { Lists } from '#services/searching/discovery/results';
import { type Droppable, type LearnChoices, type LengthName, listChoiceValues } from './choices.ts';

interface Naming {
  readonly words: ObjectWords;
  readonly lists: Pick<Lists, 'providers'>;
}

/** A choice in words; null where nothing is chosen. Plain text. */
export function nameChoice(name: Droppable, choices: LearnChoices, naming: Naming): string | null {
  const { t, locale } = naming.words;
  const join = (names: readonly string[]) =>
    names.length === 0 ? null : new Intl.ListFormat(locale, { type: 'unit' }).format(names);
  const values = listChoiceValues(choices, name);
  if (values !== null) return join(values.map((value) => nameChoiceValue(name, value, naming)));
  const { lang, levels, price, sort } = choices;
  const named: Partial<Readonly<Record<Droppable, string | null>>> = {
    lang: lang === null ? null : findLanguageName(lang, locale),
    level: join(levels.map((level) => t(`search.filters.levels.${level}`))),
    learningTime: spanName(choices, naming.words),
    free: price === null ? null : t(`search.filters.prices.${price}`),
    sort: sort === 'popularity' ? null : t(`search.filters.sorts.${sort}`),
  };
  return named[name] ?? null;
}

/** One of several values of a choice. */
export function nameChoiceValue(name: Droppable, value: string, { words: { t }, lists }: Naming): string {
  if (name === 'type') return writeTypeFact(value, t);
  if (name === 'bloom') return writeBloomFact(value, t);
  return name === 'provider' ? nameProvider(value, lists) : value;
}

export const nameProvider = (id: string, { providers }: Pick<Lists, 'providers'>): string =>
  providers.find((provider) => provider.id === id)?.name ?? id;

/** As in the menu, else as a range. */
function spanName(choices: LearnChoices, words: ObjectWords): string | null {
  const { t } = words;
  const { minMinutes, maxMinutes } = choices;
  const listed = findLengthChoiceName(choices);
  if (listed !== null) return t(`search.filters.lengths.${listed}`);
  const [min, max] = [minMinutes, maxMinutes].map((minutes) => minutes && minutesName(minutes, words));
  if (min && max) return t('slackLearn.span', { min, max });
  if (max) return t('slackLearn.upTo', { max });
  return min ? t('slackLearn.atLeast', { min }) : null;
}

/** Which of the lengths in the menu the choice is; null where it is none of them. */
export function findLengthChoiceName({ minMinutes, maxMinutes }: LearnChoices): LengthName | null {
  const names = Object.keys(lengths) as LengthName[];
  return names.find((name) => isSame(toChoiceMinutes(name), { minMinutes, maxMinutes })) ?? null;
}

export function toChoiceMinutes(name: LengthName): Minutes {
  const { learningTimeMin, learningTimeMax }: MinuteRange = lengths[name];
  return { minMinutes: learningTimeMin ?? null, maxMinutes: learningTimeMax ?? null };
}

type MinuteRange = Pick<LearningObjectQuery, 'learningTimeMin' | 'learningTimeMax'>;

type Minutes = Pick<LearnChoices, 'minMinutes' | 'maxMinutes'>;

const isSame = (a: Minutes, b: Minutes) => a.minMinutes === b.minMinutes && a.maxMinutes === b.maxMinutes;
