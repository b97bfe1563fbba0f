import type { types } from '@slack/bolt';

export type KnownBlock = types.KnownBlock;
export type ModalView = types.ModalView;
export type HomeView = types.HomeView;
export type PlainTextOption = types.PlainTextOption;
export type OptionGroup = { readonly label: types.PlainTextElement; readonly options: PlainTextOption[] };

/** A message; who reads it with a screen reader, or in a notification, gets `text` (mrkdwn, escaped). */
export interface Message {
  readonly text: string;
  readonly blocks: KnownBlock[];
}
