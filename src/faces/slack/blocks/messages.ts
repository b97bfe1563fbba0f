import type { LearningObject } from '#domain/learning-object';
import { toOneLine } from '#domain/text';
import type { ObjectWords } from '#faces/object-view/facts';
import { toObjectView, writeObjectViewLine } from '#faces/object-view/object-view';
import type { KnownBlock, Message, ModalView } from './block-kit.ts';
import { limits, picture, plainText, sectionBlock } from './block-kit.ts';
import { cutSlackText, escapeMrkdwn, linkTitle } from './text.ts';

export const noticeMessage = (text: string): Message => ({ text, blocks: [sectionBlock(text)] });

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

/** Removes all pictures: if Slack cannot fetch one of them, it refuses the whole message. */
export const dropPictures = ({ text, blocks }: Message): Message => ({
  text,
  blocks: blocks.filter((block) => block.type !== 'image').map(dropPicture),
});

function dropPicture(block: KnownBlock): KnownBlock {
  if (block.type !== 'section' || block.accessory?.type !== 'image') return block;
  const { accessory: _, ...withoutPicture } = block;
  return withoutPicture;
}

const counted: ReadonlySet<string> = new Set(['text', 'alt_text', 'initial_value']);

/** Counts the characters of all texts: Slack refuses messages with more than about 13,000. */
export function countCharacters(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0;
  let count = 0;
  for (const [name, inner] of Object.entries(part))
    count += typeof inner === 'string' && counted.has(name) ? inner.length : countCharacters(inner);
  return count;
}

type WaitingParts = Pick<ModalParts, 'title' | 'callbackId'>;

/** Draws a modal that is shown until its message is ready. */
export function drawWaitingModal({ title, callbackId }: WaitingParts, { t }: ObjectWords): ModalView {
  return drawModal({ title, callbackId, close: t('slack.close'), blocks: [sectionBlock(t('slack.searching'))] });
}

/** Opens a modal before its message is ready: Slack waits three seconds at most. */
export async function showWaitingModal(
  { words }: { words(): Promise<ObjectWords> },
  parts: WaitingParts,
  find: () => Promise<Message>,
) {
  const view = drawWaitingModal(parts, await words());
  const afterwards = async () => ({ kind: 'replace', message: await find() }) as const;
  return { kind: 'modal', view, afterwards } as const;
}

export interface ObjectSectionOptions {
  /** Characters of its description; 0 shows none. */
  readonly maxDescription: number;
  /** Characters of its title; 150 when absent. */
  readonly maxTitle?: number;
  /** Characters of its facts; 250 when absent. */
  readonly maxFacts?: number;
  /** Plain text below the rest. */
  readonly remark?: string | undefined;
}

const MAX_REMARK = 120;
/** Characters of a title within a sentence. */
const MAX_NAMED_TITLE = 60;

export function objectSection(
  object: LearningObject,
  { maxDescription, maxTitle, maxFacts = 250, remark = '' }: ObjectSectionOptions,
  words: ObjectWords,
): KnownBlock {
  const view = toObjectView(object, words);
  const lines = [
    linkTitle(object.url, object.title, { max: maxTitle }),
    toMrkdwnLine(writeObjectViewLine(view, words.t), maxFacts),
    maxDescription === 0 ? '' : toMrkdwnLine(object.description ?? '', maxDescription),
    toMrkdwnLine(remark, MAX_REMARK),
  ];
  const altText = words.t('slackLearn.picture', { title: shortenObjectTitle(object) });
  return sectionBlock(
    lines.filter((line) => line !== '').join('\n'),
    picture(view.picture?.plain ?? null, altText) ?? undefined,
  );
}

/** Shortens the title for use within a sentence. Plain text. */
export const shortenObjectTitle = ({ title }: LearningObject): string =>
  cutSlackText(toOneLine(title), MAX_NAMED_TITLE);

const toMrkdwnLine = (text: string, max: number): string => cutSlackText(escapeMrkdwn(toOneLine(text)), max);
