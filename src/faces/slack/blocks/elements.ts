import type { types } from '@slack/bolt';
import type { KnownBlock, Message, ModalView } from './block-kit.ts';
import { cut, linkable, withoutControls } from './text.ts';

/** What Slack takes at most, in characters or pieces. */
export const limits = {
  section: 3_000,
  header: 150,
  context: 2_000,
  contextElements: 10,
  actionsElements: 25,
  buttonText: 75,
  accessibilityLabel: 75,
  optionText: 75,
  optionValue: 75,
  options: 100,
  placeholder: 150,
  altText: 2_000,
  viewTitle: 24,
  label: 2_000,
  hint: 2_000,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  messageBlocks: 50,
  viewBlocks: 100,
} as const;

/** Text as it is: nothing in it is marked up, and no `:name:` becomes a picture. A dash where there is none, as Slack takes no
 *  empty text. */
export function plain(text: string, max: number): types.PlainTextElement {
  const shown = cut(withoutControls(text).trim(), max);
  return { type: 'plain_text', text: shown === '' ? '–' : shown, emoji: false };
}

/** Marked-up text. What others wrote in it is escaped (`escapeMrkdwn`, `linkTo`) before; `verbatim` keeps Slack from making
 *  links and mentions of what looks like them. */
export function mrkdwn(text: string, max: number = limits.section): types.MrkdwnElement {
  return { type: 'mrkdwn', text: cut(text, max), verbatim: true };
}

export function header(text: string): types.HeaderBlock {
  return { type: 'header', text: plain(text, limits.header) };
}

export function section(text: string, accessory?: types.SectionBlock['accessory']): types.SectionBlock {
  return { type: 'section', text: mrkdwn(text), ...(accessory && { accessory }) };
}

/** Small text, a line each. */
export function context(...lines: readonly string[]): types.ContextBlock {
  return {
    type: 'context',
    elements: lines.slice(0, limits.contextElements).map((line) => mrkdwn(line, limits.context)),
  };
}

export const divider: types.DividerBlock = { type: 'divider' };

/** Elements of one row; those of the same block have action ids of their own. */
export function actions(
  elements: readonly types.ActionsBlockElement[],
  blockId?: string,
): types.ActionsBlock {
  return {
    type: 'actions',
    ...(blockId !== undefined && { block_id: blockId }),
    elements: elements.slice(0, limits.actionsElements),
  };
}

export interface ButtonParts {
  readonly actionId: string;
  readonly text: string;
  /** `<token>` or `<token>:<number>`. */
  readonly value: string;
  /** Read out instead of the text, where this alone does not say what the button is for. */
  readonly label?: string | undefined;
  readonly style?: 'primary' | 'danger' | undefined;
  readonly confirm?: types.ConfirmationDialog | undefined;
}

export function button({ actionId, text, value, label, style, confirm }: ButtonParts): types.Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plain(text, limits.buttonText),
    value,
    ...(label !== undefined && { accessibility_label: cut(label, limits.accessibilityLabel) }),
    ...(style !== undefined && { style }),
    ...(confirm !== undefined && { confirm }),
  };
}

/** Opens an address; Slack tells of the click as well. The address is one that `linkable` gave. */
export function linkButton(parts: Omit<ButtonParts, 'value'> & { readonly url: string }): types.Button {
  const { value: _, ...rest } = button({ ...parts, value: '-' });
  return { ...rest, url: parts.url };
}

export function confirmation(texts: {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly deny: string;
}): types.ConfirmationDialog {
  return {
    title: plain(texts.title, limits.confirmTitle),
    text: plain(texts.text, limits.confirmText),
    confirm: plain(texts.confirm, limits.confirmButton),
    deny: plain(texts.deny, limits.confirmButton),
  };
}

/** Null where the address is not one that Slack fetches. */
export function picture(address: string | null, altText: string): types.ImageElement | null {
  const url = linkable(address, ['https:']);
  return url === null ? null : { type: 'image', image_url: url, alt_text: cut(altText, limits.altText) };
}

export interface ModalParts {
  readonly title: string;
  readonly close: string;
  readonly submit?: string;
  /** What is sent comes back under this name. */
  readonly callbackId: string;
  /** `<token>` or `<token>:<number>`: never a secret. */
  readonly privateMetadata?: string;
}

/** A message as a modal: the same blocks, with a title instead of the text that only notifications show. */
export function modalOf({ blocks }: Pick<Message, 'blocks'>, parts: ModalParts): ModalView {
  return {
    type: 'modal',
    callback_id: parts.callbackId,
    title: plain(parts.title, limits.viewTitle),
    close: plain(parts.close, limits.viewTitle),
    ...(parts.submit !== undefined && { submit: plain(parts.submit, limits.viewTitle) }),
    ...(parts.privateMetadata !== undefined && { private_metadata: parts.privateMetadata }),
    blocks: blocks.slice(0, limits.viewBlocks),
  };
}

/** Without pictures, which fail the whole message where Slack cannot fetch one of them. */
export function withoutPictures({ text, blocks }: Message): Message {
  return { text, blocks: blocks.filter((block) => block.type !== 'image').map(withoutPicture) };
}

function withoutPicture(block: KnownBlock): KnownBlock {
  if (block.type !== 'section' || block.accessory?.type !== 'image') return block;
  const { accessory: _, ...rest } = block;
  return rest;
}
