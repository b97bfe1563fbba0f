import type { ObjectWords } from '../object-view/facts.ts';
import { type Message, type ModalView, section } from './blocks/block-kit.ts';
import { type ModalParts, toMessageModal } from './blocks/messages.ts';
import type { SlackContext, SlackReply } from './listener.ts';

type WaitingParts = Pick<ModalParts, 'title' | 'callbackId'>;

/** Shown at once, until what was asked for is there. */
export function waitingModal({ title, callbackId }: WaitingParts, { t }: ObjectWords): ModalView {
  const message = { blocks: [section(t('slack.searching'))] };
  return toMessageModal(message, { title, callbackId, close: t('slack.close') });
}

/** A modal that is there before what it shows is found: Slack lets one be opened within three seconds only. */
export async function showWaitingModal(
  { words }: Pick<SlackContext, 'words'>,
  parts: WaitingParts,
  find: () => Promise<Message>,
): Promise<SlackReply> {
  return {
    kind: 'modal',
    view: waitingModal(parts, await words()),
    afterwards: async () => ({ kind: 'replace', message: await find() }),
  };
}
