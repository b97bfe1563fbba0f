import type { LinkCode } from '../../../services/people/people.ts';
import type { ObjectWords } from '../../object-view/facts.ts';
import { context, divider, limits, type ModalView, plainText, section } from '../blocks/block-kit.ts';
import { toModal } from '../blocks/messages.ts';

/** Block id and action id of the code that is typed. */
export const CODE_FIELD = 'home_link_code';

/** A code to give, and a field for one that was given. */
export function linkModal({ code, expiresAt }: LinkCode, words: ObjectWords): ModalView {
  const { t } = words;
  const blocks = [
    section(t('slackHome.link.give')),
    section(`*${code}*`),
    context(t('slackHome.link.valid', { time: timeOf(expiresAt) })),
    divider,
    {
      type: 'input' as const,
      block_id: CODE_FIELD,
      label: plainText(t('slackHome.link.take'), limits.label),
      hint: plainText(t('slackHome.link.takeHint'), limits.hint),
      element: { type: 'plain_text_input' as const, action_id: CODE_FIELD, max_length: 40 },
    },
  ];
  return toModal(
    { blocks },
    {
      title: t('slackHome.link.short'),
      submit: t('slackHome.link.submit'),
      close: t('slackHome.link.close'),
      callbackId: 'home_link_code',
    },
  );
}

/** Slack shows it in the reader's time zone; else in the one that needs no saying. */
function timeOf(at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `<!date^${seconds}^{time}|${at.toISOString().slice(11, 16)} UTC>`;
}

export function linkedModal({ t }: ObjectWords): ModalView {
  return toModal(
    { blocks: [section(t('slackHome.link.done'))] },
    {
      title: t('slackHome.link.short'),
      close: t('slackHome.link.close'),
      callbackId: 'home_linked',
    },
  );
}
