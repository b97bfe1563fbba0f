import { lengths, levels, prices } from '#domain/learning-object-query';
import { type ObjectWords, writeTypeFact } from '#faces/object-view/facts';
import { findLanguageName } from '#faces/words/language-names';
import type { Lists } from '#services/searching/discovery/results';
import { actions, type KnownBlock, limits, type PlainTextOption } from '../blocks/block-kit.ts';
import { findMenuOptions, isMenuOptionValue, option, selectMenu, typeaheadMenu } from '../blocks/menus.ts';
import { cutText } from '../blocks/text.ts';
import { findLengthChoiceName, nameChoice } from './choice-names.ts';
import type { Droppable, LearnChoices } from './choices.ts';

/** Values of the filters' menus: no limit; what was typed and is no choice of the menu; else what is chosen, with a mark in
 *  front. */
export const ANY = 'any';
export const AS_IT_IS = 'keep';
export const CHOSEN = '=';
/** The block's id carries the token, as requests for options do not say which list they belong to. */
const FILTERS = 'learn_filters:';

const filtersBlock = (token: string): string => FILTERS + token;

export const readFilterBlockToken = (blockId: string): string => blockId.slice(FILTERS.length);

export interface FilterParts {
  readonly token: string;
  readonly choices: LearnChoices;
  readonly lists: Lists;
}

const MAX_OPTION_TEXT = 40;
const MAX_MENU_TEXT = 1_500;

type MenuName = Extract<Droppable, 'type' | 'lang' | 'level' | 'learningTime' | 'free'>;

interface Menu {
  readonly name: MenuName;
  readonly values: readonly MenuValue[];
  /** What is chosen, if it is one thing. */
  readonly chosen: string | null | undefined;
}

interface MenuValue {
  readonly value: string;
  readonly text: string;
}

/** A menu for each filter, which shows the present choice. */
export function drawFilterBlock(parts: FilterParts, words: ObjectWords): KnownBlock {
  const menus = menusOf(parts, words).map((menu) => menuSelect(menu, parts, words));
  const { choices, lists, token } = parts;
  return actions([...menus, providerMenu(choices, lists, words)], filtersBlock(token));
}

function menusOf({ choices, lists }: FilterParts, { t, locale }: ObjectWords): readonly Menu[] {
  const named = (values: readonly string[], nameOf: (value: string) => string): readonly MenuValue[] =>
    values.map((value) => ({ value, text: nameOf(value) }));
  const sorted = (values: readonly MenuValue[]) =>
    values.toSorted((a, b) => a.text.localeCompare(b.text, locale));
  const types = named(
    lists.types.map(({ value }) => value),
    (type) => writeTypeFact(type, t),
  );
  const languages = named(
    lists.languages.map(({ value }) => value),
    (lang) => findLanguageName(lang, locale),
  );
  return [
    { name: 'type', values: sorted(types), chosen: onlyOne(choices.types) },
    { name: 'lang', values: sorted(languages), chosen: choices.lang },
    {
      name: 'level',
      values: named(Object.keys(levels), (level) => t(`search.filters.levels.${level}`)),
      chosen: onlyOne(choices.levels),
    },
    {
      name: 'learningTime',
      values: named(Object.keys(lengths), (length) => t(`search.filters.lengths.${length}`)),
      chosen: findLengthChoiceName(choices),
    },
    {
      name: 'free',
      values: named(prices, (price) => t(`search.filters.prices.${price}`)),
      chosen: choices.price,
    },
  ];
}

/** A choice that the menu lacks, such as several types, gets an option of its own. */
function menuSelect({ name, values, chosen }: Menu, { choices, lists }: FilterParts, words: ObjectWords) {
  const { t } = words;
  const offered = withinMenu(values);
  const listed = offered.find(({ value }) => value === chosen);
  const asItIs = listed === undefined ? nameChoice(name, choices, { words, lists }) : null;
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

/** As many as leave room for the rest of the message. */
function withinMenu(values: readonly MenuValue[]): readonly MenuValue[] {
  const short = values
    .filter(({ value }) => isMenuOptionValue(CHOSEN + value))
    .map(({ value, text }) => ({ value, text: cutText(text, MAX_OPTION_TEXT) }));
  let length = 0;
  return short.filter(({ text }) => {
    length += text.length;
    return length <= MAX_MENU_TEXT;
  });
}

const onlyOne = (values: readonly string[]): string | null =>
  values.length === 1 ? (values[0] ?? null) : null;

type Providers = Pick<Lists, 'providers'>;

/** There are too many for a menu: they are offered while somebody types. */
function providerMenu(choices: LearnChoices, lists: Providers, words: ObjectWords) {
  const name = nameChoice('provider', choices, { words, lists });
  const [first = '', ...others] = choices.providers;
  const value = others.length === 0 && isMenuOptionValue(CHOSEN + first) ? CHOSEN + first : AS_IT_IS;
  return typeaheadMenu({
    actionId: 'learn_filter_provider',
    placeholder: words.t('slackLearn.menus.provider'),
    chosen: name === null ? anyProvider(words) : option(value, name),
  });
}

/** Providers whose name has what is typed. */
export function listProviderMenuOptions(
  lists: Providers,
  typed: string,
  words: ObjectWords,
): PlainTextOption[] {
  const named = lists.providers.map(({ id, name }) => ({ value: CHOSEN + id, name }));
  const options = findMenuOptions(named, typed, words.locale);
  return [...(typed.trim() === '' ? [anyProvider(words)] : []), ...options].slice(0, limits.options);
}

const anyProvider = ({ t }: ObjectWords): PlainTextOption => option(ANY, t('slackLearn.any.provider'));
