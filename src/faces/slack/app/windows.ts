import type { ObjectWords } from '#faces/object-view/facts';
import {
  type HomeView,
  type KnownBlock,
  limits,
  type Message,
  type ModalView,
  section,
} from '../blocks/block-kit.ts';
import { toMessageModal } from '../blocks/messages.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import type { ViewValues } from '../listener.ts';
import type { RawBlock, RawView } from './incoming.ts';

/** These windows have nothing to submit, so nobody listens to them. */
const CALLBACK = 'slack_window';

/** A message where only a window can be shown. */
export function messageWindow(message: Message, { t }: ObjectWords): ModalView {
  return toMessageModal(message, {
    title: t('slack.windowTitle'),
    close: t('slack.close'),
    callbackId: CALLBACK,
  });
}

const textWindow = (text: string, words: ObjectWords): ModalView =>
  messageWindow({ text, blocks: [section(text)] }, words);

/** Opened in time, so that there is a window to put a late answer into. */
export const waitingWindow = (words: ObjectWords): ModalView => textWindow(words.t('slack.waiting'), words);

export const doneWindow = (words: ObjectWords): ModalView => textWindow(words.t('slack.done'), words);

/** A message where the home page should be. */
export const messageHome = ({ blocks }: Message): HomeView => ({
  type: 'home',
  callback_id: CALLBACK,
  blocks,
});

/** Other blocks in an open view; its title and its fields' names stay. */
export function replaceWindowBlocks(view: RawView, { blocks }: Pick<Message, 'blocks'>): ModalView {
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

/** A form once more, with what was filled in, and above it why it was not taken. */
export function redrawFormWindow(view: RawView, why: string): ModalView {
  const blocks = (view.blocks ?? []).filter(({ block_id }) => block_id !== NOTICE);
  const filledIn = blocks.map((block) => filled(block, view.state?.values ?? {})) as KnownBlock[];
  return replaceWindowBlocks(view, {
    blocks: [{ ...section(escapeMrkdwn(why)), block_id: NOTICE }, ...filledIn],
  });
}

/** `selected_option` of what was sent is `initial_option` of what is shown; `value` of a text is `initial_value`. */
function filled(block: RawBlock, values: ViewValues): RawBlock {
  const { block_id = '', element } = block;
  const value = values[block_id]?.[element?.action_id ?? ''];
  if (block.type !== 'input' || element === undefined || value === undefined) return block;
  const { type: _, ...chosen } = value;
  const initial = Object.entries(chosen).map(([name, what]) => [
    name === 'value' ? 'initial_value' : name.replace(/^selected_/, 'initial_'),
    isEmpty(what) ? undefined : what,
  ]);
  return { ...block, element: { ...element, ...Object.fromEntries(initial) } };
}

const isEmpty = (what: unknown): boolean =>
  what === null || what === '' || (Array.isArray(what) && what.length === 0);
