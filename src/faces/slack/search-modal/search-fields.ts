import type { types } from '@slack/bolt';
import { bloomObjectives, learningObjectTypes } from '#domain/learning-object';
import { lengths, levels, MAX_WORDS_LENGTH, prices } from '#domain/learning-object-query';
import { type ObjectWords, writeBloomFact, writeTypeFact } from '#faces/object-view/facts';
import { findLanguageName } from '#faces/words/language-names';
import type { Lists } from '#services/searching/discovery/results';
import {
  isMenuOptionValue,
  multiMenu,
  multiTypeaheadMenu,
  option,
  selectMenu,
  typeaheadMenu,
} from '../blocks/menus.ts';
import { nameChoice, nameProvider } from '../learn/choice-names.ts';
import type { LearnChoices } from '../learn/choices.ts';

type FieldElement = types.InputBlock['element'];

/** Characters of a skill before others are proposed. */
const MIN_SKILL_LENGTH = 2;
/** Value of the choice that leaves a filter open: Slack takes no empty one. */
export const ANY = 'any';

/** What can be filled in, in the order of the form. Each name, behind `search_`, is that of the block and of its field. */
export const searchFields = [
  'words',
  'skill',
  'type',
  'level',
  'length',
  'price',
  'lang',
  'provider',
  'bloom',
] as const;

export type SearchField = (typeof searchFields)[number];

export const makeFieldId = (field: SearchField): string => `search_${field}`;

export interface FieldParts {
  /** What is typed at first. */
  readonly wordsAtFirst: string;
  /** What is chosen at first. */
  readonly choices: LearnChoices;
  readonly lists: Lists;
}

/** The element for a field. Where several values can be typed, several can be chosen. */
export function drawFieldElement(field: SearchField, parts: FieldParts, words: ObjectWords): FieldElement {
  const { wordsAtFirst, choices, lists } = parts;
  const actionId = makeFieldId(field);
  const placeholder = words.t(`slackSearch.any.${field}`);
  const any = option(ANY, placeholder);
  switch (field) {
    case 'words':
      return wordsInput(wordsAtFirst);
    case 'skill':
      return typeaheadMenu({ actionId, placeholder, chosen: null, minQueryLength: MIN_SKILL_LENGTH });
    case 'type':
    case 'level':
    case 'bloom':
      return multiMenu({ actionId, placeholder, ...severalOf(field, parts, words) });
    case 'length':
    case 'price': {
      const { options, chosen } = oneOf(field, parts, words);
      return selectMenu({ actionId, placeholder, options: [any, ...options], chosen: chosen ?? ANY });
    }
    case 'lang': {
      const { lang } = choices;
      const chosen = lang === null ? any : option(lang, findLanguageName(lang, words.locale));
      return typeaheadMenu({ actionId, placeholder, chosen });
    }
    case 'provider': {
      const chosen = choices.providers
        .filter(isMenuOptionValue)
        .map((id) => option(id, nameProvider(id, lists)));
      return multiTypeaheadMenu({ actionId, placeholder, chosen });
    }
  }
}

function wordsInput(initial: string): FieldElement {
  return {
    type: 'plain_text_input',
    action_id: makeFieldId('words'),
    max_length: MAX_WORDS_LENGTH,
    focus_on_load: true,
    ...(initial !== '' && { initial_value: initial }),
  };
}

const named = (values: readonly string[], nameOf: (value: string) => string) =>
  [...new Set(values)].filter(isMenuOptionValue).map((value) => option(value, nameOf(value)));

/** The values of the tenant's services, and what is chosen already, even if it is on no list. */
function severalOf(
  field: 'type' | 'level' | 'bloom',
  { choices, lists }: FieldParts,
  { t, locale }: ObjectWords,
) {
  const valuesIn = (list: Lists['types'], usual: readonly string[]) =>
    list.length > 0 ? list.map(({ value }) => value) : usual;
  if (field === 'level') {
    const options = named(Object.keys(levels), (level) => t(`search.filters.levels.${level}`));
    return { options, chosen: choices.levels };
  }
  if (field === 'bloom') {
    const values = [...choices.blooms, ...valuesIn(lists.blooms, bloomObjectives)];
    return { options: named(values, (bloom) => writeBloomFact(bloom, t)), chosen: choices.blooms };
  }
  const values = [...choices.types, ...valuesIn(lists.types, learningObjectTypes)];
  const options = named(values, (type) => writeTypeFact(type, t));
  options.sort((a, b) => a.text.text.localeCompare(b.text.text, locale));
  return { options, chosen: choices.types };
}

/** A length is chosen as it would be typed; an unusual one gets an option of its own. */
function oneOf(field: 'length' | 'price', { choices, lists }: FieldParts, words: ObjectWords) {
  const { t } = words;
  if (field === 'price')
    return { options: named(prices, (price) => t(`search.filters.prices.${price}`)), chosen: choices.price };
  const usual = Object.entries(lengths).map(([name, length]) =>
    option(writeSearchLength(length), t(`search.filters.lengths.${name}`)),
  );
  const chosen = writeSearchLength({
    learningTimeMin: choices.minMinutes,
    learningTimeMax: choices.maxMinutes,
  });
  const isUsual = chosen === '' || usual.some(({ value }) => value === chosen);
  const name = nameChoice('learningTime', choices, { words, lists }) ?? chosen;
  return { options: isUsual ? usual : [option(chosen, name), ...usual], chosen: chosen || null };
}

interface Minutes {
  readonly learningTimeMin?: number | null;
  readonly learningTimeMax?: number | null;
}

/** A length of time as it is typed: `min:20min max:60min`; empty where there is no limit. */
export function writeSearchLength({
  learningTimeMin: min = null,
  learningTimeMax: max = null,
}: Minutes): string {
  return [min === null ? '' : `min:${min}min`, max === null ? '' : `max:${max}min`].join(' ').trim();
}

export const isTypedLength = (text: string): boolean =>
  /^(?:min:\d{1,6}min)?(?: ?max:\d{1,6}min)?$/.test(text) && text !== '';
