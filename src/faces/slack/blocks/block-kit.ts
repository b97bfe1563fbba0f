import type { types } from '@slack/bolt';
import { cutSlackText, dropControls, toBlockAddress } from './text.ts';

export type KnownBlock = types.KnownBlock;
export type ModalView = types.ModalView;
export type HomeView = types.HomeView;
export type PlainTextOption = types.PlainTextOption;
export type OptionGroup = { readonly label: types.PlainTextElement; readonly options: PlainTextOption[] };
export type Message = { readonly text: string; readonly blocks: KnownBlock[] };

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
  overflowOptions: 5,
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

/** Makes text without markup and emoji; a dash if it is empty, which Slack refuses. */
export function plainText(text: string, max: number): types.PlainTextElement {
  const visible = cutSlackText(dropControls(text).trim(), max);
  return { type: 'plain_text', text: visible === '' ? '–' : visible, emoji: false };
}

/** Makes mrkdwn of escaped text. `verbatim` keeps Slack from making links and mentions of it. */
function markedText(text: string, max: number = limits.section): types.MrkdwnElement {
  return { type: 'mrkdwn', text: cutSlackText(text, max), verbatim: true };
}

export const header = (text: string): types.HeaderBlock => ({ type: 'header', text: plainText(text, limits.header) });

export function sectionBlock(text: string, accessory?: types.SectionBlock['accessory']): types.SectionBlock {
  return { type: 'section', text: markedText(text), ...(accessory && { accessory }) };
}

/** Makes a block of small text, with an element for each line. */
export function smallText(...lines: readonly string[]): types.ContextBlock {
  return {
    type: 'context',
    elements: lines.slice(0, limits.contextElements).map((line) => markedText(line, limits.context)),
  };
}

export const divider: types.DividerBlock = { type: 'divider' };

/** Makes a row of elements, each of which needs an action id of its own. */
export function actions(elements: readonly types.ActionsBlockElement[], blockId?: string): types.ActionsBlock {
  return {
    type: 'actions',
    ...(blockId !== undefined && { block_id: blockId }),
    elements: elements.slice(0, limits.actionsElements),
  };
}

export interface ButtonParts {
  readonly actionId: string;
  readonly text: string;
  /** `<token>` or `<token>:<number>`; absent if the button needs none. */
  readonly value?: string;
  /** The text that is read out, where `text` alone does not say what the button is for. */
  readonly label?: string | undefined;
  readonly style?: 'primary' | 'danger' | undefined;
  readonly confirm?: types.ConfirmationDialog | undefined;
}

export function button({ actionId, text, value = '-', label, style, confirm }: ButtonParts): types.Button {
  return {
    type: 'button',
    action_id: actionId,
    text: plainText(text, limits.buttonText),
    value,
    ...(label !== undefined && { accessibility_label: cutSlackText(label, limits.accessibilityLabel) }),
    ...(style !== undefined && { style }),
    ...(confirm !== undefined && { confirm }),
  };
}

/** Makes a button that opens an address of `toBlockAddress`. Slack reports the click, too. */
export function linkButton(parts: Omit<ButtonParts, 'value'> & { readonly url: string }): types.Button {
  const { value: _, ...withoutValue } = button(parts);
  return { ...withoutValue, url: parts.url };
}

export function confirmation(texts: {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly deny: string;
}): types.ConfirmationDialog {
  return {
    title: plainText(texts.title, limits.confirmTitle),
    text: plainText(texts.text, limits.confirmText),
    confirm: plainText(texts.confirm, limits.confirmButton),
    deny: plainText(texts.deny, limits.confirmButton),
  };
}

interface InputParts {
  /** Id of the block and of its element. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly optional?: boolean;
  readonly element: types.InputBlock['element'];
}

export function input({ id, label, hint, optional = false, element }: InputParts): types.InputBlock {
  return {
    type: 'input',
    block_id: id,
    label: plainText(label, limits.label),
    ...(hint !== undefined && { hint: plainText(hint, limits.hint) }),
    ...(optional && { optional }),
    element: { ...element, action_id: id },
  };
}

/** Makes a picture; null if Slack does not fetch the address. */
export function picture(address: string | null, altText: string): types.ImageElement | null {
  const url = toBlockAddress(address, ['https:']);
  return url === null ? null : { type: 'image', image_url: url, alt_text: cutSlackText(altText, limits.altText) };
}
