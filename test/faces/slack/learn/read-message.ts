import type { Message, ModalView } from '../../../../src/faces/slack/blocks/block-kit.ts';
import type { Reply } from '../../../../src/faces/slack/listener.ts';

export function messageOf(reply: Reply): Message {
  if ('message' in reply) return reply.message;
  throw new Error(`There is no message in ${JSON.stringify(reply)}`);
}

export function viewIn(reply: Reply): ModalView {
  if ('view' in reply) return reply.view;
  throw new Error(`There is no view in ${JSON.stringify(reply)}`);
}

export interface ShownChoice {
  readonly blockId: string;
  readonly actionId: string;
  readonly text: string;
  readonly value: string;
  readonly label: string | undefined;
}

interface ShownElement {
  readonly action_id: string;
  readonly text?: { readonly text: string };
  readonly value?: string;
  readonly accessibility_label?: string;
  readonly options?: readonly { readonly text: { readonly text: string }; readonly value: string }[];
  readonly initial_option?: { readonly text: { readonly text: string } };
}

const elementsIn = ({ blocks }: Message) =>
  blocks.flatMap((block) =>
    elementsOf(block).map((element) => ({
      blockId: block.block_id ?? '',
      ...(element as unknown as ShownElement),
    })),
  );

function elementsOf(block: Message['blocks'][number]): readonly object[] {
  if (block.type === 'actions') return block.elements;
  return block.type === 'section' && block.accessory !== undefined && block.accessory.type !== 'image'
    ? [block.accessory]
    : [];
}

/** Buttons, and what menus offer. */
export function choicesIn(message: Message): ShownChoice[] {
  return elementsIn(message).flatMap(({ blockId, action_id: actionId, accessibility_label: label, ...element }) => {
    const of = element.options ?? [{ text: element.text ?? { text: '' }, value: element.value ?? '' }];
    return of.map(({ text, value }) => ({ blockId, actionId, label, text: text.text, value }));
  });
}

export const buttonTexts = (message: Message): string[] =>
  elementsIn(message).flatMap(({ text }) => (text === undefined ? [] : [text.text]));

/** What each filter's menu shows as chosen. */
export const chosenIn = (message: Message): string[] =>
  elementsIn(message).flatMap(({ initial_option: chosen }) => (chosen === undefined ? [] : [chosen.text.text]));

/** All that is written but on buttons, line by line. */
export function textIn({ blocks }: Message): string {
  return blocks
    .flatMap((block) => {
      if (block.type === 'section') return [block.text?.text ?? ''];
      if (block.type === 'header') return [block.text.text];
      return block.type === 'context' ? block.elements.map((each) => ('text' in each ? each.text : '')) : [];
    })
    .join('\n');
}

/** The texts in which Slack looks for links and mentions. */
export function markedUp(message: Message): string {
  const texts: string[] = [message.text];
  JSON.stringify(message.blocks, (_, value) => {
    if (value?.type === 'mrkdwn') texts.push(value.text);
    return value;
  });
  return texts.join('\n');
}
