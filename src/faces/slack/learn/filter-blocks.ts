import { lengths, levels, prices } from '#domain/learning-object-query';
import { type ObjectWords, writeTypeFact } from '#faces/object-view/facts';
import { findLanguageName } from '#faces/words/language-names';
import type { Lists } from '#services/searching/discovery/results';
import { actions, button, type KnownBlock, limits, type PlainTextOption } from '../blocks/block-kit.ts';
import { findMenuOptions, isOptionValue, option, selectMenu, typeaheadMenu } from '../blocks/menus.ts';
import { cutSlackText } from '../blocks/text.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import type { Droppable, LearnChoices } from './choices.ts';
import { droppable, findChosenLength, listChoiceValues, nameChoice, nameChoiceValue } from './choices.ts';

/** Value of the option without a limit. */
export const ANY = 'any';
/** Value of the option that keeps a typed choice which the menu does not list. */
const KEEP = 'keep';
/** Stands before the value of a listed choice. */
export const CHOSEN = '=';
/** The block's id carries the token, as requests for options do not name their list. */
const FILTERS = 'learn_filters:';

export const parseFilterToken = (blockId: string): string => blockId.slice(FILTERS.length);

interface FilterParts {
  readonly token: string;
  readonly choices: LearnChoices;
  readonly lists: Lists;
}

const MAX_OPTION_TEXT = 40;
const MAX_MENU_TEXT = 1_500;

interface Menu {
  readonly name: Extract<Droppable, 'type' | 'lang' | 'level' | 'learningTime' | 'free'>;
  readonly values: readonly MenuValue[];
  readonly chosen: string | null | undefined;
}

type MenuValue = { readonly value: string; readonly text: string };

export function drawFilterBlock(parts: FilterParts, words: ObjectWords): KnownBlock {
  const menus = listFilterMenus(parts, words).map((menu) => drawFilterMenu(menu, parts, words));
  return actions([...menus, drawProviderFilterMenu(parts, words)], FILTERS + parts.token);
}

function listFilterMenus({ choices, lists }: FilterParts, { t, locale }: ObjectWords): readonly Menu[] {
  const { types, lang, levels: chosenLevels, price } = choices;
  const toListed = (list: Lists['types'], nameOf: (value: string) => string) =>
    list.map(({ value }) => ({ value, text: nameOf(value) })).sort((a, b) => a.text.localeCompare(b.text, locale));
  const translated = (values: readonly string[], key: string) =>
    values.map((value) => ({ value, text: t(`search.filters.${key}.${value}`) }));
  const typeValues = toListed(lists.types, (type) => writeTypeFact(type, t));
  const langValues = toListed(lists.languages, (code) => findLanguageName(code, locale));
  const lengthValues = translated(Object.keys(lengths), 'lengths');
  return [
    { name: 'type', values: typeValues, chosen: findOnlyValue(types) },
    { name: 'lang', values: langValues, chosen: lang },
    { name: 'level', values: translated(Object.keys(levels), 'levels'), chosen: findOnlyValue(chosenLevels) },
    { name: 'learningTime', values: lengthValues, chosen: findChosenLength(choices) },
    { name: 'free', values: translated(prices, 'prices'), chosen: price },
  ];
}

/** Draws a menu. A choice that it lacks, such as several types, gets an option of its own. */
function drawFilterMenu({ name, values, chosen }: Menu, { choices, lists }: FilterParts, words: ObjectWords) {
  const { t } = words;
  const offered = limitFilterMenu(values);
  const listed = offered.find(({ value }) => value === chosen);
  const unlisted = listed === undefined ? nameChoice(name, choices, { words, lists }) : null;
  const unchanged = unlisted === null ? ANY : KEEP;
  return selectMenu({
    actionId: `learn_filter_${name}`,
    placeholder: t(`slackLearn.menus.${name}`),
    options: [
      option(ANY, t(`slackLearn.any.${name}`)),
      ...(unlisted === null ? [] : [option(KEEP, unlisted)]),
      ...offered.map(({ value, text }) => option(CHOSEN + value, text)),
    ],
    chosen: listed === undefined ? unchanged : CHOSEN + listed.value,
  });
}

/** Takes the first values and cuts them, so that the rest of the message has room. */
function limitFilterMenu(values: readonly MenuValue[]): readonly MenuValue[] {
  const short = values
    .filter(({ value }) => isOptionValue(CHOSEN + value))
    .map(({ value, text }) => ({ value, text: cutSlackText(text, MAX_OPTION_TEXT) }));
  let length = 0;
  return short.filter(({ text }) => {
    length += text.length;
    return length <= MAX_MENU_TEXT;
  });
}

const findOnlyValue = (values: readonly string[]): string | null => (values.length === 1 ? (values[0] ?? null) : null);

/** Draws the menu of providers, which are offered while somebody types: they are too many. */
function drawProviderFilterMenu({ choices, lists }: FilterParts, words: ObjectWords) {
  const name = nameChoice('provider', choices, { words, lists });
  const onlyValue = CHOSEN + (findOnlyValue(choices.providers) ?? '');
  const value = onlyValue !== CHOSEN && isOptionValue(onlyValue) ? onlyValue : KEEP;
  return typeaheadMenu({
    actionId: 'learn_filter_provider',
    placeholder: words.t('slackLearn.menus.provider'),
    chosen: name === null ? makeAnyProviderOption(words) : option(value, name),
  });
}

export async function listProviderFilterOptions(context: SlackContext, typed: string): Promise<PlainTextOption[]> {
  const { discovery, words: findWords } = context;
  const [lists, words] = await Promise.all([discovery.lists({ timeoutMs: LISTS_MS }), findWords()]);
  const named = lists.providers.map(({ id, name }) => ({ value: CHOSEN + id, name }));
  const options = findMenuOptions(named, typed, words.locale);
  return [...(typed.trim() === '' ? [makeAnyProviderOption(words)] : []), ...options].slice(0, limits.options);
}

const makeAnyProviderOption = ({ t }: ObjectWords): PlainTextOption => option(ANY, t('slackLearn.any.provider'));

interface Chip {
  /** Name of the filter, with the index of the value where there can be several: `type_1`. */
  readonly id: string;
  readonly chosen: string;
}

/** How many characters surround the text of a chip. */
const CHIP_SIGN = 5;

/** Draws a button for each value to remove (each filter, if many), and for each proposal. */
export function drawFilterChips(parts: FilterParts, words: ObjectWords): KnownBlock[] {
  const proposals = parts.choices.proposals.map(({ text }, place) =>
    button({
      actionId: `learn_meant_${place}`,
      text: words.t('slackLearn.meant', { text }),
      value: `${parts.token}:${place}`,
    }),
  );
  const room = limits.actionsElements - proposals.length;
  const valueChips = droppable.flatMap((name) => listFilterValueChips(name, parts, words));
  const chips =
    valueChips.length <= room ? valueChips : droppable.flatMap((name) => listFilterChip(name, parts, words));
  const buttons = [...chips.map((chip) => drawFilterChip(chip, parts, words)), ...proposals];
  return buttons.length === 0 ? [] : [actions(buttons)];
}

function listFilterValueChips(name: Droppable, parts: FilterParts, words: ObjectWords): Chip[] {
  const { choices, lists } = parts;
  const values = listChoiceValues(choices, name);
  if (values === null) return listFilterChip(name, parts, words);
  return values.map((value, place) => {
    const label = nameChoiceValue(name, value, { words, lists });
    return { id: `${name}_${place}`, chosen: words.t(`slackLearn.chips.${name}`, { value: label }) };
  });
}

function listFilterChip(name: Droppable, { choices, lists }: FilterParts, words: ObjectWords): Chip[] {
  const value = nameChoice(name, choices, { words, lists });
  return value === null ? [] : [{ id: name, chosen: words.t(`slackLearn.chips.${name}`, { value }) }];
}

function drawFilterChip({ id, chosen }: Chip, { token }: FilterParts, { t }: ObjectWords) {
  // The text is cut, so that the sign to remove it stays.
  const text = t('slackLearn.chip', { chosen: cutSlackText(chosen, limits.buttonText - CHIP_SIGN) });
  const label = t('slackLearn.dropChip', { chosen });
  return button({ actionId: `learn_drop_${id}`, text, value: token, label });
}
