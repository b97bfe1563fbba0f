import type { lengths, levels, QueryFilter } from '#domain/learning-object-query';

export type LevelName = keyof typeof levels;

export type LengthName = keyof typeof lengths;

/** What is searched for, as people are shown it and change it. */
export interface LearnChoices {
  readonly words: string;
  /** Two-letter code; null means any. */
  readonly lang: string | null;
  readonly types: readonly string[];
  /** Provider ids. */
  readonly providers: readonly string[];
  readonly blooms: readonly string[];
  /** From the easiest to the most demanding of them, both included. */
  readonly levels: readonly LevelName[];
  /** Minutes; null means no limit. */
  readonly minMinutes: number | null;
  readonly maxMinutes: number | null;
  readonly price: 'free' | 'paid' | null;
  readonly sort: 'popularity' | 'random';
  /** Words and phrases that an object must not have. */
  readonly excluded: readonly string[];
  /** Phrases that an object must have; they are also among the words. */
  readonly phrases: readonly string[];
  /** Filters that were not asked for, only preferred: they yield where other objects fit better. */
  readonly preferred: readonly ('lang' | 'type' | 'level')[];
  readonly itemsPerPage: number;
  /** What may have been meant by what was mistyped. */
  readonly meant: readonly Meant[];
}

/** A filter to choose in place of one that was mistyped. */
export interface Meant {
  /** As it would be typed: `lang:fr`. */
  readonly text: string;
  /** The part that was taken as search words; empty where there was none. */
  readonly words: string;
  readonly chosen: Partial<LearnChoices>;
}

/** What can be taken away by a click: the filters that a search can have here, by their names in queries, and three more. */
export const droppable = [
  'type',
  'lang',
  'level',
  'learningTime',
  'free',
  'provider',
  'bloom',
  'sort',
  'excluded',
  'phrases',
] as const satisfies readonly (QueryFilter | 'sort' | 'excluded' | 'phrases')[];

export type Droppable = (typeof droppable)[number];

const without: Readonly<Record<Droppable, Partial<LearnChoices>>> = {
  type: { types: [] },
  lang: { lang: null },
  level: { levels: [] },
  learningTime: { minMinutes: null, maxMinutes: null },
  free: { price: null },
  provider: { providers: [] },
  bloom: { blooms: [] },
  sort: { sort: 'popularity' },
  excluded: { excluded: [] },
  phrases: { phrases: [] },
};

/** Filters that can have several values, each of which can be taken away. */
const lists = {
  type: 'types',
  provider: 'providers',
  bloom: 'blooms',
  excluded: 'excluded',
  phrases: 'phrases',
} as const satisfies Partial<Record<Droppable, keyof LearnChoices>>;

/** The values of such a filter; null for one that has at most one value. */
export const listChoiceValues = (choices: LearnChoices, name: Droppable): readonly string[] | null =>
  isList(name) ? choices[lists[name]] : null;

const isList = (name: Droppable): name is keyof typeof lists => Object.hasOwn(lists, name);

export function dropChoiceValue(choices: LearnChoices, name: Droppable, value: string): LearnChoices {
  const values = listChoiceValues(choices, name);
  if (!isList(name) || values === null) return choices;
  return { ...choices, [lists[name]]: values.filter((each) => each !== value) };
}

export const isDroppable = (name: string): name is Droppable => Object.hasOwn(without, name);

export const dropChoice = (choices: LearnChoices, name: Droppable): LearnChoices => ({
  ...choices,
  ...without[name],
});

/** Without any filter; the order, phrases and excluded words stay. */
export const dropFilters = (choices: LearnChoices): LearnChoices =>
  droppable
    .filter((name) => name !== 'sort' && name !== 'excluded' && name !== 'phrases')
    .reduce(dropChoice, choices);

/** Chosen on purpose, so it no longer yields. */
export function applyChoice(choices: LearnChoices, chosen: Partial<LearnChoices>): LearnChoices {
  const isAsked = {
    lang: chosen.lang !== undefined,
    type: chosen.types !== undefined,
    level: chosen.levels !== undefined,
  };
  return { ...choices, ...chosen, preferred: choices.preferred.filter((name) => !isAsked[name]) };
}

/** What was meant, in place of what was mistyped. */
export function correctMistypedChoice(choices: LearnChoices, { text, words, chosen }: Meant): LearnChoices {
  const left = ` ${choices.words} `.replace(` ${words} `, ' ').trim();
  const meant = choices.meant.filter((other) => other.text !== text);
  return { ...applyChoice(choices, chosen), words: left, meant };
}

/** Other words, without phrases. */
export const changeWords = (choices: LearnChoices, words: string): LearnChoices => ({
  ...choices,
  words,
  phrases: [],
  meant: [],
});
