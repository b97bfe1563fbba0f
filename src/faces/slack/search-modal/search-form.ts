import type { types } from '@slack/bolt';
import { MAX_WORDS_LENGTH } from '#domain/learning-object-query';
import type { ObjectWords } from '#faces/object-view/facts';
import { limits, type ModalView, plainText, smallText } from '../blocks/block-kit.ts';
import { toMessageModal } from '../blocks/messages.ts';
import { cutText, toOneLine } from '../blocks/text.ts';
import type { LearnChoices } from '../learn/choices.ts';
import { quoteLearnTerm } from '../learn/parse-learn.ts';
import type { ViewValues } from '../listener.ts';
import {
  ANY,
  drawFieldElement,
  type FieldParts,
  isTypedLength,
  makeFieldId,
  type SearchField,
  searchFields,
} from './search-fields.ts';

export const SEARCH_CALLBACK = 'search_form';

const withHint: ReadonlySet<SearchField> = new Set(['words', 'skill']);

export interface SearchModalParts extends FieldParts {
  /** Token of what says where results can be shared to; empty where there is none. */
  readonly metadata: string;
}

/** Words and every filter of a search, with what it begins with. */
export function drawSearchForm({ metadata, ...given }: SearchModalParts, words: ObjectWords): ModalView {
  const { t } = words;
  const view = toMessageModal(
    { blocks: [smallText(t('slackSearch.intro'))] },
    {
      title: t('slackSearch.title'),
      submit: t('slackSearch.submit'),
      close: t('slack.close'),
      callbackId: SEARCH_CALLBACK,
      privateMetadata: metadata,
    },
  );
  const parts = { ...given, wordsAtFirst: cutText(toOneLine(given.wordsAtFirst), MAX_WORDS_LENGTH) };
  return {
    ...view,
    blocks: [...view.blocks, ...searchFields.map((field) => fieldBlock(field, parts, words))],
  };
}

function fieldBlock(field: SearchField, parts: FieldParts, words: ObjectWords): types.InputBlock {
  const { t } = words;
  return {
    type: 'input',
    block_id: makeFieldId(field),
    label: plainText(t(`slackSearch.labels.${field}`), limits.label),
    ...(withHint.has(field) && { hint: plainText(t(`slackSearch.hints.${field}`), limits.hint) }),
    // Words or a skill are needed, either of them.
    optional: true,
    element: drawFieldElement(field, parts, words),
  };
}

type FilterField = 'type' | 'level' | 'price' | 'lang' | 'provider' | 'bloom';

/** What is filled in, as it would be typed after `/learn`: `docker type:video,article lang:fr`. Null where there are neither
 *  words nor a skill to search for.
 *  @param begun what a search begins with: what of it was taken away is typed as `lang:any` */
export function writeSearchFormLine(values: ViewValues, begun: LearnChoices): string | null {
  const skill = typedIn(values, 'skill');
  const sought = [typedIn(values, 'words'), skill === '' ? '' : quoteLearnTerm(skill)].filter(
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
  };
  const filters = (Object.keys(isBegun) as FilterField[]).flatMap((field) => {
    const chosen = chosenIn(values, field);
    if (chosen.length > 0) return [`${field}:${chosen.map(typedValue).join(',')}`];
    return isBegun[field] ? [`${field}:${ANY}`] : [];
  });
  const length = chosenIn(values, 'length').filter(isTypedLength);
  return [...sought, ...filters, ...length].join(' ');
}

const filledIn = (values: ViewValues, field: SearchField) => values[makeFieldId(field)]?.[makeFieldId(field)];

function typedIn(values: ViewValues, field: SearchField): string {
  const value = filledIn(values, field);
  return (value?.selected_option?.value ?? value?.value ?? '').trim();
}

function chosenIn(values: ViewValues, field: SearchField): readonly string[] {
  const value = filledIn(values, field);
  const chosen = value?.selected_options ?? [value?.selected_option ?? { value: ANY }];
  return chosen.map((each) => each.value).filter((each) => each !== ANY);
}

/** A comma or a blank would end it. */
const typedValue = (value: string): string =>
  /[\s",]/.test(value) ? `"${value.replaceAll('"', ' ').trim()}"` : value;
