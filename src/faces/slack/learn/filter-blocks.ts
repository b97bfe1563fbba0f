import { lengths, levels, prices } from '#domain/learning-object-query';
import { type ObjectWords, writeTypeFact } from '#faces/object-view/facts';
import { findLanguageName } from '#faces/words/language-names';
import type { Lists } from '#services/searching/discovery/results';
import { actions, button, type KnownBlock, limits, type PlainTextOption } from '../blocks/block-kit.ts';
import { findMenuOptions, isMenuOptionValue, option, selectMenu, typeaheadMenu } from '../blocks/menus.ts';
import { cutSlackText } from '../blocks/text.ts';
import { LISTS_MS, type SlackContext } from '../listener.ts';
import type { Droppable, LearnChoices } from './choices.ts';
import { droppable, findLengthChoice, listChoiceValues, nameChoiceValue, nameLearnChoice } from './choices.ts';

/** Values of the menus: no limit; a typed choice that is not listed; the mark of a listed one. */
export const ANY = 'any';
const AS_IT_IS = 'keep';
export const CHOSEN = '=';
/** The block's id carries the token, as requests for options do not name their list. */
const FILTERS = 'learn_filters:';

export const readFilterBlockToken = (blockId: string): string => blockId.slice(FILTERS.length);

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
  const toNamed = (values: readonly string[], nameOf: (value: string) => string): readonly MenuValue[] =>
    values.map((value) => ({ value, text: nameOf(value) }));
  const toListed = (list: Lists['types'], nameOf: (value: string) => string) =>
    toNamed(
      list.map(({ value }) => value),
      nameOf,
    ).toSorted((a, b) => a.text.localeCompare(b.text, locale));
  const translated = (values: readonly string[], key: string) =>
    toNamed(values, (value) => t(`search.filters.${key}.${value}`));
  const typeValues = toListed(lists.types, (type) => writeTypeFact(type, t));
  const langValues = toListed(lists.languages, (code) => findLanguageName(code, locale));
  const lengthValues = translated(Object.keys(lengths), 'lengths');
  return [
    { name: 'type', values: typeValues, chosen: findOnlyValue(types) },
    { name: 'lang', values: langValues, chosen: lang },
    { name: 'level', values: translated(Object.keys(levels), 'levels'), chosen: findOnlyValue(chosenLevels) },
    { name: 'learningTime', values: lengthValues, chosen: findLengthChoice(choices) },
    { name: 'free', values: translated(prices, 'prices'), chosen: price },
  ];
}

/** A choice that the menu lacks, such as several types, gets an option of its own. */
function drawFilterMenu({ name, values, chosen }: Menu, { choices, lists }: FilterParts, words: ObjectWords) {
  const { t } = words;
  const offered = limitFilterMenu(values);
  const listed = offered.find(({ value }) => value === chosen);
  const asItIs = listed === undefined ? nameLearnChoice(name, choices, { words, lists }) : null;
  return selectMenu({
    actionId: `learn_filter_${name}`,
    placeholder: t(`slackLearn.menus.${name}`),
    options: [
      option(ANY, t(`slackLearn.any.${name}`)),
      ...(asItIs === null ? [] : [option(AS_IT_IS, asItIs)]),
      ...offered.map(({ value, text }) => option(CHOSEN + value, text)),
    ],
    chosen: listed !== undefined ? CHOSEN + listed.value : asItIs === null ? ANY : AS_IT_IS,
  });
}

/** The first values, so that the rest of the message has room. */
function limitFilterMenu(values: readonly MenuValue[]): readonly MenuValue[] {
  const short = values
    .filter(({ value }) => isMenuOptionValue(CHOSEN + value))
    .map(({ value, text }) => ({ value, text: cutSlackText(text, MAX_OPTION_TEXT) }));
  let length = 0;
  return short.filter(({ text }) => {
    length += text.length;
    return length <= MAX_MENU_TEXT;
  });
}

const findOnlyValue = (values: readonly string[]): string | null => (values.length === 1 ? (values[0] ?? null) : null);

/** There are too many for a menu: they are offered while somebody types. */
function drawProviderFilterMenu({ choices, lists }: FilterParts, words: ObjectWords) {
  const name = nameLearnChoice('provider', choices, { words, lists });
  const [first = '', ...others] = choices.providers;
  const value = others.length === 0 && isMenuOptionValue(CHOSEN + first) ? CHOSEN + first : AS_IT_IS;
  return typeaheadMenu({
    actionId: 'learn_filter_provider',
    placeholder: words.t('slackLearn.menus.provider'),
    chosen: name === null ? anyProviderFilterOption(words) : option(value, name),
  });
}

export async function listProviderFilterOptions(context: SlackContext, typed: string): Promise<PlainTextOption[]> {
  const { discovery, words: findWords } = context;
  const [lists, words] = await Promise.all([discovery.lists({ timeoutMs: LISTS_MS }), findWords()]);
  const named = lists.providers.map(({ id, name }) => ({ value: CHOSEN + id, name }));
  const options = findMenuOptions(named, typed, words.locale);
  return [...(typed.trim() === '' ? [anyProviderFilterOption(words)] : []), ...options].slice(0, limits.options);
}

const anyProviderFilterOption = ({ t }: ObjectWords): PlainTextOption => option(ANY, t('slackLearn.any.provider'));

interface Chip {
  /** Of the filter, with the place of the value where it is one of several: `type_1`. */
  readonly id: string;
  readonly chosen: string;
}

/** Characters around the text of a chip. */
const CHIP_SIGN = 5;

/** A button to remove each value of a filter; then the proposals for mistyped filters. */
export function drawFilterChipBlocks(parts: FilterParts, words: ObjectWords): KnownBlock[] {
  const proposals = parts.choices.proposals.map(({ text }, place) =>
    button({
      actionId: `learn_meant_${place}`,
      text: words.t('slackLearn.meant', { text }),
      value: `${parts.token}:${place}`,
    }),
  );
  const room = limits.actionsElements - proposals.length;
  const each = droppable.flatMap((name) => listFilterValueChips(name, parts, words));
  const chips = each.length <= room ? each : droppable.flatMap((name) => listFilterChip(name, parts, words));
  const buttons = [...chips.map((chip) => filterChipButton(chip, parts, words)), ...proposals];
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
  const value = nameLearnChoice(name, choices, { words, lists });
  return value === null ? [] : [{ id: name, chosen: words.t(`slackLearn.chips.${name}`, { value }) }];
}

function filterChipButton({ id, chosen }: Chip, { token }: FilterParts, { t }: ObjectWords) {
  // The mark that it can be removed stays even where the value is too long.
  const text = t('slackLearn.chip', { chosen: cutSlackText(chosen, limits.buttonText - CHIP_SIGN) });
  const label = t('slackLearn.dropChip', { chosen });
  return button({ actionId: `learn_drop_${id}`, text, value: token, label });
}
