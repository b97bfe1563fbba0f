import type { Message } from '../blocks/block-kit.ts';
import { waitingModal } from '../blocks/messages.ts';
import type { SlackContext, SlackReply } from '../listener.ts';

/** A modal that is there before what it shows is found: Slack lets one be opened within three seconds only. */
export async function showInModal(
  context: SlackContext,
  title: string,
  find: () => Promise<Message>,
): Promise<SlackReply> {
  return {
    kind: 'modal',
    view: waitingModal({ title, callbackId: 'home_results' }, await context.words()),
    afterwards: async () => ({ kind: 'replace', message: await find() }),
  };
}
