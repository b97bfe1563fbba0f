import { type LearningObjectQuery, lengths, type levels, type QueryFilter } from '#domain/learning-object-query';
import type { ObjectMark } from '#domain/object-facts';
import type { ObjectWords } from '#faces/object-view/facts';
import { writeBloomFact, writeLengthRange, writeMark, writeTypeFact } from '#faces/object-view/facts';
import { joinNames } from '#faces/words/i18n';
import { findLanguageName } from '#faces/words/language-names';
import type { Lists } from '#services/searching/discovery/results';

export type LevelName = keyof typeof levels;
export type LengthName = keyof typeof lengths;

export interface LearnChoices {
  readonly words: string;
  /** The typed words, also those that were read as filters; absent if nothing was typed. */
  readonly sentence?: string;
  /** Whether a typed filter was not understood and so is ignored. */
  readonly ignoresFilters?: boolean;
  /** Two-letter code; null means any. */
  readonly lang: string | null;
  readonly types: readonly string[];
  readonly providers: readonly string[];
  readonly blooms: readonly string[];
  /** Stands for the range from the easiest to the most demanding of them, both included. */
  readonly levels: readonly LevelName[];
  /** Minutes; null means no limit. */
  readonly minMinutes: number | null;
  readonly maxMinutes: number | null;
  readonly price: 'free' | 'paid' | null;
  readonly sort: LearningObjectQuery['sort'];
  /** As `since`, absent in lists of earlier versions. */
  readonly has?: readonly ObjectMark[];
  /** A year. */
  readonly since?: string | null;
  /** Words and phrases that an object must not have. */
  readonly excluded: readonly string[];
  /** Phrases that an object must have; they are also among the words. */
  readonly phrases: readonly string[];
  /** Filters that are only preferred: they yield where other objects fit better. */
  readonly preferred: readonly ('lang' | 'type' | 'level')[];
  readonly itemsPerPage: number;
  /** Filters that are proposed for mistyped ones. */
  readonly proposals: readonly Proposal[];
}

export interface Proposal {
  /** The filter as it would be typed: `lang:fr`. */
  readonly text: string;
  /** The part taken as search words; empty if there was none. */
  readonly words: string;
  readonly chosen: Partial<LearnChoices>;
}

/** For each chip, in the order of the chips, the choices that remove it. */
const without = {
  type: { types: [] },
  lang: { lang: null },
  level: { levels: [] },
  learningTime: { minMinutes: null, maxMinutes: null },
  free: { price: null },
  provider: { providers: [] },
  bloom: { blooms: [] },
  has: { has: [] },
  newerThan: { since: null },
  sort: { sort: 'popularity' },
  excluded: { excluded: [] },
  phrases: { phrases: [] },
} as const satisfies Partial<Record<QueryFilter | 'sort' | 'excluded' | 'phrases', Partial<LearnChoices>>>;

export type Droppable = keyof typeof without;
export const droppable = Object.keys(without) as readonly Droppable[];

/** Filters with several values, each of which can be removed. */
const lists = {
  type: 'types',
  provider: 'providers',
  bloom: 'blooms',
  has: 'has',
  excluded: 'excluded',
  phrases: 'phrases',
} as const satisfies Partial<Record<Droppable, keyof LearnChoices>>;

/** Lists the values of a filter that can have several; null for other filters. */
export const listChoiceValues = (choices: LearnChoices, name: Droppable): readonly string[] | null =>
  isChoiceList(name) ? (choices[lists[name]] ?? []) : null;

const isChoiceList = (name: Droppable): name is keyof typeof lists => Object.hasOwn(lists, name);

export function dropChoiceValue(choices: LearnChoices, name: Droppable, value: string): LearnChoices {
  const values = listChoiceValues(choices, name);
  if (!isChoiceList(name) || values === null) return choices;
  return { ...choices, [lists[name]]: values.filter((chosen) => chosen !== value) };
}

export const isDroppableChoice = (name: string): name is Droppable => Object.hasOwn(without, name);

export const dropChoice = (choices: LearnChoices, name: Droppable): LearnChoices => ({ ...choices, ...without[name] });

/** Removes all filters; the order, phrases and excluded words stay. */
export const dropFilterChoices = (choices: LearnChoices): LearnChoices =>
  droppable.filter((name) => name !== 'sort' && name !== 'excluded' && name !== 'phrases').reduce(dropChoice, choices);

/** Adds chosen filters, which no longer yield. */
export function applyChoice(choices: LearnChoices, chosen: Partial<LearnChoices>): LearnChoices {
  const asked = { lang: chosen.lang, type: chosen.types, level: chosen.levels };
  return { ...choices, ...chosen, preferred: choices.preferred.filter((name) => asked[name] === undefined) };
}

/** Replaces a mistyped filter, which was taken as words, by the proposal for it. */
export function correctMistypedChoice(choices: LearnChoices, proposal: Proposal): LearnChoices {
  const { text, words: mistyped, chosen } = proposal;
  const words = ` ${choices.words} `.replace(` ${mistyped} `, ' ').trim();
  const proposals = choices.proposals.filter((waiting) => waiting.text !== text);
  const { sentence: _, ...corrected } = applyChoice(choices, chosen);
  return { ...corrected, words, proposals, ignoresFilters: proposals.length > 0 };
}

/** Replaces the words, and drops phrases and proposals, which are of the former words. */
export const replaceChoiceWords = ({ sentence: _, ...choices }: LearnChoices, words: string): LearnChoices => ({
  ...choices,
  words,
  ignoresFilters: false,
  phrases: [],
  proposals: [],
});

type Naming = { readonly words: ObjectWords; readonly lists: Pick<Lists, 'providers'> };

/** Names a choice in plain text; null if nothing is chosen. */
export function nameChoice(name: Droppable, choices: LearnChoices, naming: Naming): string | null {
  const { t, locale } = naming.words;
  const join = (names: readonly string[]) => (names.length === 0 ? null : joinNames(names, locale, 'unit'));
  const values = listChoiceValues(choices, name);
  if (values !== null) return join(values.map((value) => nameChoiceValue(name, value, naming)));
  const { lang, levels, price, sort, since } = choices;
  const named: Partial<Readonly<Record<Droppable, string | null>>> = {
    lang: lang === null ? null : findLanguageName(lang, locale),
    level: join(levels.map((level) => t(`search.filters.levels.${level}`))),
    learningTime: nameChosenLength(choices, naming.words),
    free: price === null ? null : t(`search.filters.prices.${price}`),
    newerThan: since == null ? null : t('search.filters.sinceYear', { year: since }),
    sort: sort === 'popularity' ? null : t(`search.filters.sorts.${sort}`),
  };
  return named[name] ?? null;
}

export function nameChoiceValue(name: Droppable, value: string, { words: { t }, lists }: Naming): string {
  if (name === 'type') return writeTypeFact(value, t);
  if (name === 'bloom') return writeBloomFact(value, t);
  if (name === 'has') return writeMark(value as ObjectMark, t);
  return name === 'provider' ? nameProviderChoice(value, lists) : value;
}

export const nameProviderChoice = (id: string, { providers }: Pick<Lists, 'providers'>): string =>
  providers.find((provider) => provider.id === id)?.name ?? id;

/** Names a length as the menu does, else as a range. */
function nameChosenLength(choices: LearnChoices, words: ObjectWords): string | null {
  const listed = findChosenLength(choices);
  if (listed !== null) return words.t(`search.filters.lengths.${listed}`);
  return writeLengthRange({ min: choices.minMinutes, max: choices.maxMinutes }, words);
}

/** Finds the length of the menu that is chosen; null if it is none of them. */
export function findChosenLength({ minMinutes, maxMinutes }: LearnChoices): LengthName | null {
  const isChosen = (name: LengthName) => {
    const length = toChoiceMinutes(name);
    return length.minMinutes === minMinutes && length.maxMinutes === maxMinutes;
  };
  return (Object.keys(lengths) as LengthName[]).find(isChosen) ?? null;
}

export function toChoiceMinutes(name: LengthName): Pick<LearnChoices, 'minMinutes' | 'maxMinutes'> {
  const length: Pick<LearningObjectQuery, 'learningTimeMin' | 'learningTimeMax'> = lengths[name];
  return { minMinutes: length.learningTimeMin ?? null, maxMinutes: length.learningTimeMax ?? null };
}
