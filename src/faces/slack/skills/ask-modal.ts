import type { ObjectWords } from '../../object-view/facts.ts';
import { context, limits, type ModalView, plainText } from '../blocks/block-kit.ts';
import { toModal } from '../blocks/messages.ts';
import { cutText } from '../blocks/text.ts';

/** Slack takes no more in one field. */
const MAX_PASTED_LENGTH = 3_000;
export const ASK_CALLBACK = 'skills_ask_form';
/** Of the block and its field. */
export const ASK_FIELD = 'skills_ask_text';

/** To type or paste. @param prefilled what is in the field at first
 *  @param metadata token of what the answer needs to know; empty where there is nothing */
export function drawAskModal(
  { prefilled, metadata }: { readonly prefilled: string; readonly metadata: string },
  { t }: ObjectWords,
): ModalView {
  const view = toModal(
    { blocks: [context(t('slackSkills.ask.intro'))] },
    {
      title: t('slackSkills.ask.title'),
      submit: t('slackSkills.ask.submit'),
      close: t('slackSkills.close'),
      callbackId: ASK_CALLBACK,
      privateMetadata: metadata,
    },
  );
  const initial = cutText(prefilled, MAX_PASTED_LENGTH);
  const field = {
    type: 'input' as const,
    block_id: ASK_FIELD,
    label: plainText(t('slackSkills.ask.label'), limits.label),
    hint: plainText(t('slackSkills.ask.hint'), limits.hint),
    element: {
      type: 'plain_text_input' as const,
      action_id: ASK_FIELD,
      multiline: true,
      max_length: MAX_PASTED_LENGTH,
      focus_on_load: true,
      placeholder: plainText(t('slackSkills.ask.placeholder'), limits.placeholder),
      ...(initial !== '' && { initial_value: initial }),
    },
  };
  return { ...view, blocks: [...view.blocks, field] };
}
