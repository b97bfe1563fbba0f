import type { Preferences } from '#domain/person';
import type { ShelfOwner, SlackInstallationRecord } from '#ports/store/store';
import type { Discovery } from '#services/searching/discovery';
import type { ObjectWords } from '../object-view/facts.ts';
import type { Message, ModalView, OptionGroup, PlainTextOption } from './blocks/block-kit.ts';
import type { SlackFaceDeps } from './deps.ts';
import type { LearnChoices } from './learn/choices.ts';
import type { SlackCalls } from './slack-api/slack-calls.ts';

/** Who asks, and from where, with the services of the face and those of the person's tenant. */
export interface SlackContext extends SlackFaceDeps {
  /** In the tenant of the workspace: `{ tenantId, person: 'slack:T1:U1' }`. */
  readonly owner: ShelfOwner;
  readonly installation: SlackInstallationRecord;
  readonly userId: string;
  /** Null if it does not come from a conversation. */
  readonly channelId: string | null;
  /** For opening a modal, within three seconds; null if there is none. */
  readonly triggerId: string | null;
  /** A secret of this conversation: never in a button. Null if there is none. */
  readonly responseUrl: string | null;
  readonly discovery: Discovery;
  readonly learn: Learn;
  readonly view: SlackView | null;
  readonly slack: SlackCalls;
  /** In the preferred language, else Slack's. `changed` are new preferences. Never rejects. */
  words(changed?: Preferences): Promise<ObjectWords>;
  preferences(): Promise<Preferences>;
}

/** Searches learning objects from anywhere in Slack. */
export interface Learn {
  /** Searches for typed words and filters: `docker type:video lang:fr`. Adds the search to the
   *  recent ones and gives its first page, ways out if nothing is found, or help without words.
   *  @param shareTo where results of a modal can be shared to. Errors: those of `Discovery`. */
  search(context: SlackContext, typed: string, shareTo?: ShareTarget | null): Promise<Message>;
  /** What a search begins with: preferences, and defaults of the tenant. */
  begin(context: SlackContext): Promise<LearnChoices>;
}

export interface ShareTarget {
  readonly channelId: string;
  readonly threadTs: string | null;
  readonly responseUrl: string;
}

export interface SlackView {
  readonly id: string;
  /** Of its content: an update with this hash fails if the content has changed since. */
  readonly hash: string;
  readonly type: 'modal' | 'home';
  readonly callbackId: string;
  readonly privateMetadata: string;
  /** What is filled in, by block id and action id, as Slack sends it. */
  readonly values: ViewValues;
}

export type ViewValues = Readonly<Record<string, Readonly<Record<string, ViewValue>>>>;

/** What is filled in, in a field whose block and element have the same id. */
export const readListenerField = (values: ViewValues, id: string): ViewValue | undefined => values[id]?.[id];

export interface ViewValue {
  readonly type: string;
  readonly value?: string | null;
  readonly selected_option?: { readonly value: string } | null;
  readonly selected_options?: readonly { readonly value: string }[];
}

/** The answer to people; `done` if the listener has shown it already. */
export type Reply =
  /** Only the person sees it; in a view, it opens on top. */
  | { readonly kind: 'message'; readonly message: Message }
  /** Replaces the message of the button that was pressed, or the blocks of its view. */
  | { readonly kind: 'replace'; readonly message: Message }
  /** A modal, on top of an open one. `afterwards` is done once it is shown, as in `ViewAnswer`. */
  | { readonly kind: 'modal'; readonly view: ModalView; readonly afterwards?: () => Promise<Reply> }
  | { readonly kind: 'done' };

export interface SlackAction {
  readonly actionId: string;
  readonly blockId: string;
  readonly value: string;
  /** Of several chosen options. */
  readonly values: readonly string[];
}

export interface ViewAnswer {
  /** `close` this modal; `update` it; `errors` by block id. */
  readonly show:
    | { readonly kind: 'close' }
    | { readonly kind: 'update'; readonly view: ModalView }
    | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> };
  /** Done after Slack has the answer; its reply replaces the blocks of the modal that is shown. */
  readonly afterwards?: () => Promise<Reply>;
  /** Nothing is done before `afterwards`, so if that fails, all of it can be tried again. */
  readonly isRepeatable?: boolean;
}

/** Keeps the form open, with a text beside one of its fields. */
export const refuseListenerField = (blockId: string, text: string): ViewAnswer => ({
  show: { kind: 'errors', errors: { [blockId]: text } },
});

export interface SlackMessage {
  /** As Slack sends it: mrkdwn, escaped. */
  readonly text: string;
  readonly ts: string;
  /** Of the thread it is in; null if it is in none. */
  readonly threadTs: string | null;
}

/** By kind of request: what its listeners take beside the context, and what they give. */
interface Handlers {
  /** In the acknowledgement if ready in 1.8 s (0.6 s in a crowd). Errors become "Try again".
   *  @param text what was typed after the command, as Slack sends it */
  command(context: SlackContext, text: string): Promise<Reply>;
  /** A click or a choice; acknowledged at once. */
  action(context: SlackContext, action: SlackAction): Promise<Reply>;
  /** A form that is submitted. */
  view(context: SlackContext, view: SlackView): Promise<ViewAnswer>;
  /** Acknowledged at once. `source` is null for a global shortcut. */
  shortcut(context: SlackContext, source: SlackMessage | null): Promise<Reply>;
  /** Options while somebody types; none if they are late or fail. */
  options(context: SlackContext, typed: string): Promise<PlainTextOption[] | OptionGroup[]>;
  /** `notice` (mrkdwn, escaped) is for messages without another place. */
  home(context: SlackContext, notice?: string): Promise<void>;
}

export type ListenerKind = keyof Handlers;

export interface ListenerOf<K extends ListenerKind> {
  readonly kind: K;
  /** Of the command, action, form or event; `learn_*` is for all that begin with `learn_`. */
  readonly name: string;
  readonly handle: Handlers[K];
}

export type Listener = { readonly [K in ListenerKind]: ListenerOf<K> }[ListenerKind];

/** @example on('action', 'learn_save', (context, { value }) => saveObject(context, value)) */
export const on = <K extends ListenerKind>(kind: K, name: string, handle: Handlers[K]): ListenerOf<K> => ({
  kind,
  name,
  handle,
});

export const HOME = 'app_home_opened';

/** Milliseconds until lists count as empty: Slack waits three seconds for a modal or options. */
export const LISTS_MS = 700;
