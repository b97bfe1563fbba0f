/** What a message, modal or home needs to be drawn, and what is done in it. */

import type { Control } from './control.ts';
import type { Block, BlockElement, Choice, Values } from './state.ts';

export interface Surface {
  readonly values: Values;
  readonly errors: Readonly<Record<string, string>>;
  readonly userId: string;
  readonly channelId: string;
  /** Of its header blocks. */
  readonly heading: 'h2' | 'h3';
  /** A click or a choice that the app is told of; a link opens its address, and nothing is expected. */
  choose(choice: Choice, isLink: boolean): void;
  /** A choice that is kept until the form is sent. */
  keep(choice: Choice): void;
  suggest(blockId: string, actionId: string, typed: string): Promise<readonly Suggestion[]>;
  /** Fields that are sent with the form. */
  readonly fields: Field[];
}

export interface Suggestion {
  readonly text: string;
  readonly value: string;
}

export interface Field {
  readonly block: Block;
  readonly element: BlockElement;
  readonly control: Control;
  /** Says what is wrong with it; null takes that away. */
  showError(error: string | null): void;
}

export const toChoice = ({ block, element, control }: Field): Choice => ({
  blockId: block.block_id,
  actionId: element.action_id,
  values: control.read(),
});
