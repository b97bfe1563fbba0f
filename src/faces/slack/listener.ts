import type { Preferences } from '#domain/person';
import type { ObjectWords } from '#faces/object-view/facts';
import type { ShelfOwner, SlackInstallationRecord } from '#ports/store/store';
import type { Discovery } from '#services/searching/discovery';
import type { Message, ModalView, OptionGroup, PlainTextOption } from './blocks/block-kit.ts';
import type { SlackFaceDeps } from './deps.ts';
import type { LearnChoices } from './learn/choices.ts';
import type { SlackCalls } from './slack-api/slack-calls.ts';

/** Who asks, and from where, with the services of the face and those of the person's tenant. */
export interface SlackContext extends SlackFaceDeps {
  /** The person in the tenant of the workspace: `{ tenantId, person: 'slack:T1:U1' }`. */
  readonly owner: ShelfOwner;
  readonly installation: SlackInstallationRecord;
  readonly userId: string;
  /** Null if the request does not come from a conversation. */
  readonly channelId: string | null;
  /** Opens a modal, within three seconds; null if the request has none. */
  readonly triggerId: string | null;
  /** A secret of this conversation, so never part of a button; null if the request has none. */
  readonly responseUrl: string | null;
  readonly discovery: Discovery;
  readonly learn: Learn;
  readonly view: SlackView | null;
  readonly slack: SlackCalls;
  /** Gives the words of the preferred language, else of the language set in Slack. Never rejects.
   *  @param changed preferences that this request has changed */
  words(changed?: Preferences): Promise<ObjectWords>;
  preferences(): Promise<Preferences>;
}

/** Searches learning objects from anywhere in Slack. */
export interface Learn {
  /** Searches for typed words and filters: `docker type:video lang:fr`. Adds the search to the
   *  recent ones and gives its first page, ways out if nothing is found, or help without words.
   *  @param shareTo where results of a modal can be shared to. Errors: those of `Discovery`. */
  search(context: SlackContext, typed: string, shareTo?: ShareTarget | null): Promise<Message>;
  /** Gives the choices that a search begins with: preferences, and defaults of the tenant. */
  begin(context: SlackContext): Promise<LearnChoices>;
}

export interface ShareTarget {
  readonly channelId: string;
  readonly threadTs: string | null;
  readonly responseUrl: string;
}

export interface SlackView {
  readonly id: string;
  /** Names the content: an update with this hash fails if the content has changed since. */
  readonly hash: string;
  readonly type: 'modal' | 'home';
  readonly callbackId: string;
  readonly privateMetadata: string;
  /** The input, by block id and action id, as Slack sends it. */
  readonly values: ViewValues;
}

export type ViewValues = Readonly<Record<string, Readonly<Record<string, ViewValue>>>>;

/** Reads the input of a field whose block and element have the same id. */
export const readField = (values: ViewValues, id: string): ViewValue | undefined => values[id]?.[id];

export interface ViewValue {
  readonly type: string;
  readonly value?: string | null;
  readonly selected_option?: { readonly value: string } | null;
  readonly selected_options?: readonly { readonly value: string }[];
}

/** The answer to people; `done` if the listener has shown it already. */
export type Reply =
  /** A message that only the person sees; in a view, it opens on top. */
  | { readonly kind: 'message'; readonly message: Message }
  /** Replaces the message of the button that was pressed, or the blocks of its view. */
  | { readonly kind: 'replace'; readonly message: Message }
  /** A modal, on top of an open one. `afterwards` runs once it is shown, as in `ViewAnswer`. */
  | { readonly kind: 'modal'; readonly view: ModalView; readonly afterwards?: () => Promise<Reply> }
  | { readonly kind: 'done' };

export interface SlackAction {
  readonly actionId: string;
  readonly blockId: string;
  readonly value: string;
  /** The values of a menu of several options. */
  readonly values: readonly string[];
}

export interface ViewAnswer {
  /** `close` this modal; `update` it; `errors` by block id. */
  readonly show:
    | { readonly kind: 'close' }
    | { readonly kind: 'update'; readonly view: ModalView }
    | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> };
  /** Runs after Slack has the answer; its reply replaces the blocks of the modal that is shown. */
  readonly afterwards?: () => Promise<Reply>;
  /** Whether `afterwards` does everything, so that the form can be tried again if it fails. */
  readonly isRepeatable?: boolean;
}

/** Keeps the form open, with a text beside one of its fields. */
export const refuseField = (blockId: string, text: string): ViewAnswer => ({
  show: { kind: 'errors', errors: { [blockId]: text } },
});

export interface SlackMessage {
  /** Escaped mrkdwn, as Slack sends it. */
  readonly text: string;
  readonly ts: string;
  /** Timestamp of the thread that it is in; null if it is in none. */
  readonly threadTs: string | null;
}

/** For each kind of request, what its listeners take beside the context, and what they give. */
interface Handlers {
  /** The reply is in the acknowledgement if it is ready in 1.8 s (0.6 s in a crowd).
   *  @param text what was typed after the command, as Slack sends it */
  command(context: SlackContext, text: string): Promise<Reply>;
  /** Takes a click or a choice, which is acknowledged at once. */
  action(context: SlackContext, action: SlackAction): Promise<Reply>;
  /** Takes a submitted form. */
  view(context: SlackContext, view: SlackView): Promise<ViewAnswer>;
  /** Takes a shortcut, which is acknowledged at once. `source` is null for a global one. */
  shortcut(context: SlackContext, source: SlackMessage | null): Promise<Reply>;
  /** Gives options while somebody types; people see none if they are late or fail. */
  options(context: SlackContext, typed: string): Promise<PlainTextOption[] | OptionGroup[]>;
  /** Draws Home, with a `notice` (escaped mrkdwn) above it. */
  home(context: SlackContext, notice?: string): Promise<void>;
}

export type ListenerKind = keyof Handlers;

export interface ListenerOf<K extends ListenerKind> {
  readonly kind: K;
  /** Name of the command, action, form or event; `learn_*` takes all that begin with `learn_`. */
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
