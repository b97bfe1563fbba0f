import type { ObjectWords } from '../../object-view/facts.ts';
import type { ModalView } from '../blocks/block-kit.ts';
import { context, limits, modalOf, plain } from '../blocks/elements.ts';
import { cut } from '../blocks/text.ts';

/** Slack takes no more in one field. */
const MAX_PASTED_LENGTH = 3_000;
export const ASK_CALLBACK = 'skills_ask_form';
/** Of the block and its field. */
export const ASK_FIELD = 'skills_ask_text';

/** To type or paste. @param prefilled what is in the field at first
 *  @param metadata token of what the answer needs to know; empty where there is nothing */
export function askModal(
  { prefilled, metadata }: { readonly prefilled: string; readonly metadata: string },
  { t }: ObjectWords,
): ModalView {
  const view = modalOf(
    { blocks: [context(t('slackSkills.ask.intro'))] },
    {
      title: t('slackSkills.ask.title'),
      submit: t('slackSkills.ask.submit'),
      close: t('slackSkills.close'),
      callbackId: ASK_CALLBACK,
      privateMetadata: metadata,
    },
  );
  const initial = cut(prefilled, MAX_PASTED_LENGTH);
  const field = {
    type: 'input' as const,
    block_id: ASK_FIELD,
    label: plain(t('slackSkills.ask.label'), limits.label),
    hint: plain(t('slackSkills.ask.hint'), limits.hint),
    element: {
      type: 'plain_text_input' as const,
      action_id: ASK_FIELD,
      multiline: true,
      max_length: MAX_PASTED_LENGTH,
      focus_on_load: true,
      placeholder: plain(t('slackSkills.ask.placeholder'), limits.placeholder),
      ...(initial !== '' && { initial_value: initial }),
    },
  };
  return { ...view, blocks: [...view.blocks, field] };
}
