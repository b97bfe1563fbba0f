/** What people choose or type in, whichever element of Block Kit it is of. */

import type { BlockElement, Option, Value } from './state.ts';

export interface Control {
  /** What is put in its place. */
  readonly node: HTMLElement;
  /** What gets the focus, and is named by a label. */
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
  /** Names it where no label does. */
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

export const chosenOptions = (value: Value | undefined): readonly Option[] =>
  value?.selected_options ?? (value?.selected_option ? [value.selected_option] : []);

/** What names and describes a field. */
export const naming = ({ label, describedBy }: Pick<ControlParts, 'label' | 'describedBy'>) => ({
  'aria-label': label,
  'aria-describedby': describedBy,
});
