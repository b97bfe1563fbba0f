import type { Preferences } from '#domain/person';
import type { ShelfOwner, SlackInstallationRecord } from '#ports/store/store';
import type { Discovery } from '#services/searching/discovery/discovery';
import type { ObjectWords } from '../object-view/facts.ts';
import type { Message, ModalView, OptionGroup, PlainTextOption } from './blocks/block-kit.ts';
import type { SlackCalls } from './slack-api/slack-calls.ts';

/** Who asks, from where, and what can be done for them. Independent of Bolt: listeners are plain functions. */
export interface SlackContext {
  /** In the tenant of the workspace: `{ tenantId, person: 'slack:T1:U1' }`. */
  readonly owner: ShelfOwner;
  readonly installation: SlackInstallationRecord;
  readonly userId: string;
  /** Null where it does not come from a conversation. */
  readonly channelId: string | null;
  /** For opening a modal, within three seconds; null where there is none. */
  readonly triggerId: string | null;
  /** A secret of this conversation: never in a button. Null where there is none. */
  readonly responseUrl: string | null;
  readonly discovery: Discovery;
  /** The view that was acted in; null in messages. */
  readonly view: SlackView | null;
  readonly slack: SlackCalls;
  /** The person's words: their preference, else Slack's, else English. `changed` are preferences that this request has just
   *  changed. Never rejects. */
  words(changed?: Preferences): Promise<ObjectWords>;
  /** Read once for each request. */
  preferences(): Promise<Preferences>;
}

export interface SlackView {
  readonly id: string;
  /** Of its present content: an update that gives it fails where it changed meanwhile. */
  readonly hash: string;
  readonly type: 'modal' | 'home';
  readonly callbackId: string;
  readonly privateMetadata: string;
  /** What is filled in, by block id and action id, as Slack sends it. */
  readonly values: ViewValues;
}

export type ViewValues = Readonly<Record<string, Readonly<Record<string, ViewValue>>>>;

export interface ViewValue {
  readonly type: string;
  readonly value?: string | null;
  readonly selected_option?: { readonly value: string } | null;
  readonly selected_options?: readonly { readonly value: string }[];
}

/** The answer to people; `done` if the listener has given it itself. */
export type SlackReply =
  /** Only they see it; in a view it is pushed on top of it. */
  | { readonly kind: 'message'; readonly message: Message }
  /** In place of the message, or of the view's blocks, that was acted in. */
  | { readonly kind: 'replace'; readonly message: Message }
  /** A modal on the way in; on top of one that is open. `afterwards` is done once it is shown, as that of `ViewAnswer`. */
  | { readonly kind: 'modal'; readonly view: ModalView; readonly afterwards?: () => Promise<SlackReply> }
  | { readonly kind: 'done' };

/** `/learn docker`: answered in its acknowledgement if it is ready in 1.8 s (0.6 s in a crowd), else as soon as it is. Errors become words with a
 *  reference and "Try again". */
export interface CommandListener {
  readonly kind: 'command';
  readonly name: '/learn' | '/skills';
  /** `text` is what was typed after the command, as Slack sends it. */
  handle(context: SlackContext, text: string): Promise<SlackReply>;
}

/** A click or a choice; acknowledged at once. */
export interface ActionListener {
  readonly kind: 'action';
  /** `learn_page`; one that ends with `*` takes all that begin so. */
  readonly actionId: string;
  handle(context: SlackContext, action: SlackAction): Promise<SlackReply>;
}

export interface SlackAction {
  readonly actionId: string;
  readonly blockId: string;
  /** Of a button, or of the chosen option; empty where nothing is chosen. */
  readonly value: string;
  /** Of several chosen options. */
  readonly values: readonly string[];
}

/** What is sent from a modal. */
export interface ViewListener {
  readonly kind: 'view';
  readonly callbackId: string;
  /** Decided at once: what Slack is told, and what is done after it. */
  submit(context: SlackContext, view: SlackView): Promise<ViewAnswer>;
}

export interface ViewAnswer {
  /** `close` this modal; `update` it; `errors` by block id. */
  readonly show:
    | { readonly kind: 'close' }
    | { readonly kind: 'update'; readonly view: ModalView }
    | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> };
  /** Done after Slack was told; what it gives replaces the blocks of the modal that is shown. */
  readonly afterwards?: () => Promise<SlackReply>;
  /** Nothing is done before `afterwards`, so if that fails, all of it can be tried again. */
  readonly isRepeatable?: boolean;
}

/** A shortcut; acknowledged at once. */
export interface ShortcutListener {
  readonly kind: 'shortcut';
  readonly callbackId: string;
  /** `source` is null for a global shortcut. */
  handle(context: SlackContext, source: SlackMessage | null): Promise<SlackReply>;
}

export interface SlackMessage {
  /** As Slack sends it: mrkdwn, escaped. */
  readonly text: string;
  readonly ts: string;
  /** Of the thread it is in; null where it is in none. */
  readonly threadTs: string | null;
}

/** Choices while somebody types; none if they are late or fail. */
export interface OptionsListener {
  readonly kind: 'options';
  readonly actionId: string;
  handle(context: SlackContext, typed: string): Promise<PlainTextOption[] | OptionGroup[]>;
}

/** Draws the home page of somebody who opens it; with a notice (mrkdwn, escaped) if something has to be told that can be
 *  told nowhere else. */
export interface HomeListener {
  readonly kind: 'home';
  handle(context: SlackContext, notice?: string): Promise<void>;
}

export type Listener =
  | CommandListener
  | ActionListener
  | ViewListener
  | ShortcutListener
  | OptionsListener
  | HomeListener;

/** Lists of types, languages and providers that take longer are as if they were not there: Slack lets a modal be opened, and
 *  shows options while somebody types, within three seconds. */
export const LISTS_MS = 700;
