/** What a message, modal or home needs to be drawn, and what is done in it. */

import type { Block, BlockElement, Choice, Option, Value, Values } from './state.ts';

export interface Control {
  /** What is put in its place. */
  readonly node: HTMLElement;
  /** The element that gets the focus, and is named by a label. */
  readonly field: HTMLElement;
  /** What is chosen now, as the host is told it; empty where nothing is. */
  read(): readonly string[];
  /** Shows what was chosen at first again. */
  undo(): void;
}

export interface ControlParts {
  readonly element: BlockElement;
  /** What is chosen now. */
  readonly value: Value | undefined;
  /** Its name where there is no label. */
  readonly label: string | null;
  /** Id of what describes it. */
  readonly describedBy: string | null;
  /** Whether what is chosen can be taken away. */
  readonly canBeEmpty: boolean;
  /** The conversation it is in. */
  readonly channelId: string;
  readonly userId: string;
  onChange(): void;
  /** What is offered for what is typed. */
  suggest(typed: string): Promise<readonly { readonly text: string; readonly value: string }[]>;
}

export interface Surface {
  readonly values: Values;
  readonly errors: Readonly<Record<string, string>>;
  readonly userId: string;
  readonly channelId: string;
  /** Of its header blocks. */
  readonly heading: 'h2' | 'h3';
  /** A click or a choice that the app is told of; a link opens its address, and no answer is expected. */
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

/** What people choose or type in, whichever element of Block Kit it is of. */

export const chosenOptions = (value: Value | undefined): readonly Option[] =>
  value?.selected_options ?? (value?.selected_option ? [value.selected_option] : []);

/** What names and describes a field. */
export const naming = ({ label, describedBy }: Pick<ControlParts, 'label' | 'describedBy'>) => ({
  'aria-label': label,
  'aria-describedby': describedBy,
});
