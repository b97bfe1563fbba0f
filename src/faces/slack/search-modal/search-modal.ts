import type { types } from '@slack/bolt';
import type { ObjectWords } from '../../object-view/facts.ts';
import { context, limits, type ModalView, plainText } from '../blocks/block-kit.ts';
import { toModal } from '../blocks/messages.ts';
import { cutText, toOneLine } from '../blocks/text.ts';
import { MAX_WORDS_LENGTH } from '../request-limits.ts';
import { type FieldParts, fieldElement, fieldId, type SearchField, searchFields } from './search-fields.ts';

export const SEARCH_CALLBACK = 'search_form';

const withHint: ReadonlySet<SearchField> = new Set(['words', 'skill']);

export interface SearchModalParts extends FieldParts {
  /** Token of what says where results can be shared to; empty where there is none. */
  readonly metadata: string;
}

/** Words and every filter of a search, with what it begins with. */
export function searchModal({ metadata, ...given }: SearchModalParts, words: ObjectWords): ModalView {
  const { t } = words;
  const view = toModal(
    { blocks: [context(t('slackSearch.intro'))] },
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
    block_id: fieldId(field),
    label: plainText(t(`slackSearch.labels.${field}`), limits.label),
    ...(withHint.has(field) && { hint: plainText(t(`slackSearch.hints.${field}`), limits.hint) }),
    // Words or a skill are needed, either of them.
    optional: true,
    element: fieldElement(field, parts, words),
  };
}
