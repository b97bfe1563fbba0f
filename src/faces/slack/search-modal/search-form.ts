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
import { type LearnChoices, nameChoiceValue, nameLearnChoice, nameProviderChoice } from '../learn/choices.ts';
import { quoteLearnTerm } from '../learn/understand.ts';
import { readListenerField, type ViewValues } from '../listener.ts';

export const SEARCH_CALLBACK = 'search_form';

/** Value of the choice that leaves a filter open: Slack takes no empty one. */
export const ANY = 'any';

const fields = ['words', 'skill', 'type', 'level', 'length', 'price', 'lang', 'provider', 'bloom', 'has'] as const;

type SearchField = (typeof fields)[number];

export const makeSearchFieldId = (field: SearchField): string => `search_${field}`;

interface SearchFormParts {
  readonly wordsAtFirst: string;
  readonly choices: LearnChoices;
  readonly lists: Lists;
  /** Token of what names where results can be shared to; empty if there is none. */
  readonly metadata: string;
}

export function drawSearchForm(parts: SearchFormParts, words: ObjectWords): ModalView {
  const { t } = words;
  const blocks = fields.map((field) =>
    input({
      id: makeSearchFieldId(field),
      label: t(`slackSearch.labels.${field}`),
      ...((field === 'words' || field === 'skill') && { hint: t(`slackSearch.hints.${field}`) }),
      // Words or a skill are needed, either of them.
      optional: true,
      element: elements[field]({
        ...parts,
        words,
        menu: {
          actionId: makeSearchFieldId(field),
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

/** Characters of a skill before others are proposed. */
const MIN_SKILL_LENGTH = 2;

/** What the element of a field is drawn from. */
interface FieldParts extends SearchFormParts {
  readonly words: ObjectWords;
  readonly menu: MenuParts;
}

/** Where several values can be typed, several can be chosen. */
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

/** A length is chosen as it would be typed; an unusual one gets an option of its own. */
function listSearchLengths(choices: LearnChoices, lists: Lists, words: ObjectWords) {
  const usual = Object.entries(lengths).map(([name, length]) =>
    option(writeSearchLength(length), words.t(`search.filters.lengths.${name}`)),
  );
  const { minMinutes: learningTimeMin, maxMinutes: learningTimeMax } = choices;
  const chosen = writeSearchLength({ learningTimeMin, learningTimeMax });
  const isUsual = chosen === '' || usual.some(({ value }) => value === chosen);
  const name = nameLearnChoice('learningTime', choices, { words, lists }) ?? chosen;
  return { options: isUsual ? usual : [option(chosen, name), ...usual], chosen: chosen || ANY };
}

/** A length of time as it is typed: `min:20min max:60min`; empty if there is no limit. */
export const writeSearchLength = ({
  learningTimeMin: min = null,
  learningTimeMax: max = null,
}: Partial<Record<'learningTimeMin' | 'learningTimeMax', number | null>>): string =>
  [min === null ? '' : `min:${min}min`, max === null ? '' : `max:${max}min`].join(' ').trim();

const TYPED_LENGTH = /^(?=.)(?:min:\d{1,6}min)?(?: ?max:\d{1,6}min)?$/;
type FilterField = Exclude<SearchField, 'words' | 'skill' | 'length'>;

/** The fields as typed after `/learn`: `docker type:video,article lang:fr`. Null without words and
 *  skill.
 *  @param begun what a search begins with: a removed filter is typed as `lang:any` */
export function writeSearchFormLine(values: ViewValues, begun: LearnChoices): string | null {
  const skill = readSearchText(values, 'skill');
  const sought = [readSearchText(values, 'words'), skill === '' ? '' : quoteLearnTerm(skill)].filter(
    (part) => part !== '',
  );
  if (sought.length === 0) return null;
  const isBegun: Readonly<Record<FilterField, boolean>> = {
    type: begun.types.length > 0,
    level: begun.levels.length > 0,
    price: begun.price !== null,
    lang: begun.lang !== null,
    provider: begun.providers.length > 0,
    bloom: begun.blooms.length > 0,
    has: begun.has !== undefined && begun.has.length > 0,
  };
  const filters = (Object.keys(isBegun) as FilterField[]).flatMap((field) => {
    const chosen = readChosen(values, field);
    if (chosen.length > 0) return [`${field}:${chosen.map(quoteSearchValue).join(',')}`];
    return isBegun[field] ? [`${field}:${ANY}`] : [];
  });
  return [...sought, ...filters, ...readChosen(values, 'length').filter((text) => TYPED_LENGTH.test(text))].join(' ');
}

function readSearchText(values: ViewValues, field: SearchField): string {
  const value = readListenerField(values, makeSearchFieldId(field));
  return (value?.selected_option?.value ?? value?.value ?? '').trim();
}

function readChosen(values: ViewValues, field: SearchField): readonly string[] {
  const value = readListenerField(values, makeSearchFieldId(field));
  const chosen = value?.selected_options ?? [value?.selected_option ?? { value: ANY }];
  return chosen.map((each) => each.value).filter((each) => each !== ANY);
}

/** A comma or a blank would end the value. */
const quoteSearchValue = (value: string): string =>
  /[\s",]/.test(value) ? `"${value.replaceAll('"', ' ').trim()}"` : value;
