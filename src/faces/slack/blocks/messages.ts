import type { ObjectWords } from '#faces/object-view/facts';
import { type KnownBlock, limits, type Message, type ModalView, plainText, section } from './block-kit.ts';

export const noticeMessage = (text: string): Message => ({ text, blocks: [section(text)] });

interface ModalParts extends Pick<Message, 'blocks'> {
  readonly title: string;
  readonly close: string;
  readonly submit?: string;
  readonly callbackId: string;
  /** `<token>` or `<token>:<number>`: never a secret. */
  readonly privateMetadata?: string;
}

export function drawModal(parts: ModalParts): ModalView {
  return {
    type: 'modal',
    callback_id: parts.callbackId,
    title: plainText(parts.title, limits.viewTitle),
    close: plainText(parts.close, limits.viewTitle),
    ...(parts.submit !== undefined && { submit: plainText(parts.submit, limits.viewTitle) }),
    ...(parts.privateMetadata !== undefined && { private_metadata: parts.privateMetadata }),
    blocks: parts.blocks.slice(0, limits.viewBlocks),
  };
}

/** Without pictures: if Slack cannot fetch one of them, it refuses the whole message. */
export const dropMessagePictures = ({ text, blocks }: Message): Message => ({
  text,
  blocks: blocks.filter((block) => block.type !== 'image').map(dropPicture),
});

function dropPicture(block: KnownBlock): KnownBlock {
  if (block.type !== 'section' || block.accessory?.type !== 'image') return block;
  const { accessory: _, ...rest } = block;
  return rest;
}

const counted: ReadonlySet<string> = new Set(['text', 'alt_text', 'initial_value']);

/** Characters of all texts together: Slack refuses messages with more than about 13,000. */
export const countMessageCharacters = (blocks: readonly KnownBlock[]): number => lengthIn(blocks);

function lengthIn(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0;
  return Object.entries(part).reduce(
    (sum, [name, inner]) => sum + (typeof inner === 'string' && counted.has(name) ? inner.length : lengthIn(inner)),
    0,
  );
}

type WaitingParts = Pick<ModalParts, 'title' | 'callbackId'>;

/** Shown at once, until what was asked for is there. */
export function waitingModal({ title, callbackId }: WaitingParts, { t }: ObjectWords): ModalView {
  return drawModal({ title, callbackId, close: t('slack.close'), blocks: [section(t('slack.searching'))] });
}

/** Opens a modal before its message is ready: Slack waits three seconds at most. */
export async function showWaitingModal(
  { words }: { words(): Promise<ObjectWords> },
  parts: WaitingParts,
  find: () => Promise<Message>,
) {
  const view = waitingModal(parts, await words());
  const afterwards = async () => ({ kind: 'replace', message: await find() }) as const;
  return { kind: 'modal', view, afterwards } as const;
}
