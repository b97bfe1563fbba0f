import type { types } from '@slack/bolt';
import { bloomObjectives, learningObjectTypes } from '#domain/learning-object';
import { lengths, levels, MAX_WORDS_LENGTH, prices } from '#domain/learning-object-query';
import { objectMarks } from '#domain/object-facts';
import { toOneLine } from '#domain/text';
import { type ObjectWords, writeBloomFact, writeTypeFact } from '#faces/object-view/facts';
import { listNamedFilterValues } from '#faces/search-view/filter-names';
import { findLanguageName } from '#faces/words/language-names';
import type { Lists } from '#services/searching/discovery/results';
import { input, type ModalView, smallText } from '../blocks/block-kit.ts';
import type { MenuParts } from '../blocks/menus.ts';
import { listMenuOptions, multiMenu, multiTypeaheadMenu, option, selectMenu, typeaheadMenu } from '../blocks/menus.ts';
import { drawModal } from '../blocks/messages.ts';
import { cutSlackText } from '../blocks/text.ts';
import { type LearnChoices, nameChoice, nameChoiceValue, nameProviderChoice } from '../learn/choices.ts';
import { quoteTerm } from '../learn/understand.ts';
import { readField, type ViewValues } from '../listener.ts';

export const SEARCH_CALLBACK = 'search_form';

/** Value of the option that leaves a filter open: Slack takes no empty value. */
export const ANY = 'any';

const fields = ['words', 'skill', 'type', 'level', 'length', 'price', 'lang', 'provider', 'bloom', 'has'] as const;

type SearchField = (typeof fields)[number];

export const toSearchFieldId = (field: SearchField): string => `search_${field}`;

interface SearchFormParts {
  readonly wordsAtFirst: string;
  readonly choices: LearnChoices;
  readonly lists: Lists;
  /** Token of the `SearchState` that names where results can be shared; empty if there is none. */
  readonly metadata: string;
}

export function drawSearchForm(parts: SearchFormParts, words: ObjectWords): ModalView {
  const { t } = words;
  const blocks = fields.map((field) =>
    input({
      id: toSearchFieldId(field),
      label: t(`slackSearch.labels.${field}`),
      ...((field === 'words' || field === 'skill') && { hint: t(`slackSearch.hints.${field}`) }),
      // Words or a skill are needed, either of them.
      optional: true,
      element: elements[field]({
        ...parts,
        words,
        menu: {
          actionId: toSearchFieldId(field),
          placeholder: t(`slackSearch.any.${field}`),
        },
      }),
    }),
  );
  return drawModal({
    title: t('slackSearch.title'),
    submit: t('slackSearch.submit'),
    close: t('slack.close'),
    callbackId: SEARCH_CALLBACK,
    privateMetadata: parts.metadata,
    blocks: [smallText(t('slackSearch.intro')), ...blocks],
  });
}

/** How many characters of a skill are typed before skills are proposed. */
const MIN_SKILL_LENGTH = 2;

interface FieldParts extends SearchFormParts {
  readonly words: ObjectWords;
  readonly menu: MenuParts;
}

/** The input of each field: several values can be chosen where several can be typed. */
const elements: Readonly<Record<SearchField, (parts: FieldParts) => types.InputBlock['element']>> = {
  words({ wordsAtFirst }) {
    const initial = cutSlackText(toOneLine(wordsAtFirst), MAX_WORDS_LENGTH);
    const focused = { type: 'plain_text_input', max_length: MAX_WORDS_LENGTH, focus_on_load: true } as const;
    return { ...focused, ...(initial !== '' && { initial_value: initial }) };
  },
  skill: ({ menu }) => typeaheadMenu({ ...menu, chosen: null, minQueryLength: MIN_SKILL_LENGTH }),
  type({ menu, choices: { types: chosen }, lists, words: { t, locale } }) {
    const options = listMenuOptions([...chosen, ...listNamedFilterValues(lists.types, learningObjectTypes)], (type) =>
      writeTypeFact(type, t),
    );
    options.sort((a, b) => a.text.text.localeCompare(b.text.text, locale));
    return multiMenu({ ...menu, options, chosen });
  },
  level({ menu, choices, words: { t } }) {
    const options = listMenuOptions(Object.keys(levels), (level) => t(`search.filters.levels.${level}`));
    return multiMenu({ ...menu, options, chosen: choices.levels });
  },
  bloom({ menu, choices: { blooms: chosen }, lists, words: { t } }) {
    const values = [...chosen, ...listNamedFilterValues(lists.blooms, bloomObjectives)];
    return multiMenu({ ...menu, options: listMenuOptions(values, (bloom) => writeBloomFact(bloom, t)), chosen });
  },
  has({ menu, choices, lists, words }) {
    const options = listMenuOptions(objectMarks, (mark) => nameChoiceValue('has', mark, { words, lists }));
    return multiMenu({ ...menu, options, chosen: choices.has ?? [] });
  },
  length({ menu, choices, lists, words }) {
    const { options, chosen } = listSearchLengths(choices, lists, words);
    return selectMenu({ ...menu, options: [option(ANY, menu.placeholder), ...options], chosen });
  },
  price({ menu, choices, words: { t } }) {
    const options = listMenuOptions(prices, (price) => t(`search.filters.prices.${price}`));
    return selectMenu({ ...menu, options: [option(ANY, menu.placeholder), ...options], chosen: choices.price ?? ANY });
  },
  lang({ menu, choices: { lang }, words: { locale } }) {
    const chosen = lang === null ? option(ANY, menu.placeholder) : option(lang, findLanguageName(lang, locale));
    return typeaheadMenu({ ...menu, chosen });
  },
  provider: ({ menu, choices, lists }) =>
    multiTypeaheadMenu({ ...menu, chosen: listMenuOptions(choices.providers, (id) => nameProviderChoice(id, lists)) }),
};

/** Lists lengths, with values as they are typed, and an option for an unusual one. */
function listSearchLengths(choices: LearnChoices, lists: Lists, words: ObjectWords) {
  const usual = Object.entries(lengths).map(([name, length]) =>
    option(writeSearchLength(length), words.t(`search.filters.lengths.${name}`)),
  );
  const { minMinutes: learningTimeMin, maxMinutes: learningTimeMax } = choices;
  const chosen = writeSearchLength({ learningTimeMin, learningTimeMax });
  const isUsual = chosen === '' || usual.some(({ value }) => value === chosen);
  const name = nameChoice('learningTime', choices, { words, lists }) ?? chosen;
  return { options: isUsual ? usual : [option(chosen, name), ...usual], chosen: chosen || ANY };
}

/** Writes a length of time as it is typed: `min:20min max:60min`; empty if there is no limit. */
export const writeSearchLength = ({
  learningTimeMin: min = null,
  learningTimeMax: max = null,
}: Partial<Record<'learningTimeMin' | 'learningTimeMax', number | null>>): string =>
  [min === null ? '' : `min:${min}min`, max === null ? '' : `max:${max}min`].join(' ').trim();

const TYPED_LENGTH = /^(?=.)(?:min:\d{1,6}min)?(?: ?max:\d{1,6}min)?$/;
type FilterField = Exclude<SearchField, 'words' | 'skill' | 'length'>;

/** Writes the fields as typed after `/learn`: `docker type:video,article lang:fr`. Null
 *  without words and skill.
 *  @param usual what a search begins with: a filter of it that is removed is typed as `lang:any` */
export function writeSearchLine(values: ViewValues, usual: LearnChoices): string | null {
  const words = readSearchText(values, 'words');
  const skill = quoteTerm(readSearchText(values, 'skill'));
  if (words === '' && skill === '') return null;
  const isUsual: Readonly<Record<FilterField, boolean>> = {
    type: usual.types.length > 0,
    level: usual.levels.length > 0,
    price: usual.price !== null,
    lang: usual.lang !== null,
    provider: usual.providers.length > 0,
    bloom: usual.blooms.length > 0,
    has: usual.has !== undefined && usual.has.length > 0,
  };
  const filters = (Object.keys(isUsual) as FilterField[]).map((field) => {
    const chosen = readSearchValues(values, field);
    if (chosen.length > 0) return `${field}:${chosen.map(quoteSearchValue).join(',')}`;
    return isUsual[field] ? `${field}:${ANY}` : '';
  });
  const typedLengths = readSearchValues(values, 'length').filter((text) => TYPED_LENGTH.test(text));
  return [words, skill, ...filters, ...typedLengths].filter((part) => part !== '').join(' ');
}

function readSearchText(values: ViewValues, field: SearchField): string {
  const answer = readField(values, toSearchFieldId(field));
  return (answer?.selected_option?.value ?? answer?.value ?? '').trim();
}

function readSearchValues(values: ViewValues, field: SearchField): readonly string[] {
  const answer = readField(values, toSearchFieldId(field));
  const chosen = answer?.selected_options ?? [answer?.selected_option ?? { value: ANY }];
  return chosen.map(({ value }) => value).filter((value) => value !== ANY);
}

/** Quotes a value that a comma or a blank would end. */
const quoteSearchValue = (value: string): string =>
  /[\s",]/.test(value) ? `"${value.replaceAll('"', ' ').trim()}"` : value;
