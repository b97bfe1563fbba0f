import type { ObjectWords } from '#faces/object-view/facts';
import { type HomeView, type KnownBlock, limits, type Message, type ModalView, section } from '../blocks/block-kit.ts';
import { drawModal } from '../blocks/messages.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import type { ViewValues } from '../listener.ts';
import type { OpenView } from './slack-request.ts';

/** These windows have nothing to submit, so nobody listens to them. */
const CALLBACK = 'slack_window';

/** A message where only a window can be shown. */
export const messageWindow = ({ blocks }: Message, { t }: ObjectWords): ModalView =>
  drawModal({ title: t('slack.windowTitle'), close: t('slack.close'), callbackId: CALLBACK, blocks });

const textWindow = (text: string, words: ObjectWords): ModalView =>
  messageWindow({ text, blocks: [section(text)] }, words);

/** Opened in time, so that there is a window to put a late answer into. */
export const waitingWindow = (words: ObjectWords): ModalView => textWindow(words.t('slack.waiting'), words);

export const doneWindow = (words: ObjectWords): ModalView => textWindow(words.t('slack.done'), words);

export const messageHome = ({ blocks }: Message): HomeView => ({ type: 'home', callback_id: CALLBACK, blocks });

export function replaceWindowBlocks(view: OpenView, { blocks }: Pick<Message, 'blocks'>): ModalView {
  const { title, submit, close, callback_id, private_metadata } = view;
  return {
    type: 'modal',
    title: title ?? { type: 'plain_text', text: 'Skilldock' },
    ...(submit && { submit }),
    ...(close && { close }),
    ...(callback_id !== undefined && { callback_id }),
    ...(private_metadata !== undefined && { private_metadata }),
    blocks: blocks.slice(0, limits.viewBlocks),
  };
}

const NOTICE = 'slack_notice';

/** A form once more, with what was filled in, and above it why it was refused. */
export function redrawFormWindow(view: OpenView, why: string): ModalView {
  const blocks = (view.blocks ?? []).filter(({ block_id }) => block_id !== NOTICE) as KnownBlock[];
  const filledIn = blocks.map((block) => fillIn(block, view.state?.values ?? {}));
  return replaceWindowBlocks(view, {
    blocks: [{ ...section(escapeMrkdwn(why)), block_id: NOTICE }, ...filledIn],
  });
}

/** Slack sends `selected_option` and `value`, and is shown `initial_option` and `initial_value`. */
function fillIn(block: KnownBlock, values: ViewValues): KnownBlock {
  if (block.type !== 'input') return block;
  const { block_id = '', element } = block;
  const { type, ...filledIn } = values[block_id]?.[element.action_id ?? ''] ?? {};
  if (type === undefined) return block;
  const initial = Object.entries(filledIn).map(([name, value]) => [
    name === 'value' ? 'initial_value' : name.replace(/^selected_/, 'initial_'),
    isEmpty(value) ? undefined : value,
  ]);
  return { ...block, element: { ...element, ...Object.fromEntries(initial) } };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);
