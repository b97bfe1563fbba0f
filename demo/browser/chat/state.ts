/** What the host tells of the chat, and what it is told. Blocks are Slack's, checked by the
 *  host. */

export interface Begin {
  readonly locale: string;
  readonly words: Readonly<Record<string, string>>;
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'private' | 'direct';
  readonly hasApp: boolean;
}

export interface ChatState {
  /** Grows with every change. */
  readonly version: number;
  readonly messages: readonly Message[];
  /** Modals, the one on top last. */
  readonly views: readonly View[];
  readonly home: View | null;
  /** What the app did against Slack's rules. */
  readonly problems: readonly string[];
}

export interface Message {
  readonly ts: string;
  readonly threadTs: string | null;
  readonly from: 'person' | 'app' | 'slackbot';
  readonly userId: string | null;
  readonly isPrivate: boolean;
  /** Milliseconds. */
  readonly sentAt: number;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly values: Values;
}

export interface View {
  readonly id: string;
  readonly title: string;
  readonly submit: string | null;
  readonly close: string | null;
  readonly blocks: readonly Block[];
  /** By block id; of the whole view under no name. */
  readonly errors: Readonly<Record<string, string>>;
  readonly values: Values;
}

/** Of Slack, by block id and action id. */
export type Values = Readonly<Record<string, Readonly<Record<string, Value>>>>;

export interface Value {
  readonly value?: string | null;
  readonly selected_option?: Option | null;
  readonly selected_options?: readonly Option[];
  readonly selected_conversation?: string | null;
}

export interface TextObject {
  readonly type: 'plain_text' | 'mrkdwn';
  readonly text: string;
}

export interface Option {
  readonly text: TextObject;
  readonly description?: TextObject;
  readonly value: string;
  readonly url?: string;
}

export interface Confirmation {
  readonly title: TextObject;
  readonly text: TextObject;
  readonly confirm: TextObject;
  readonly deny: TextObject;
}

/** Any element that people act on. */
export interface BlockElement {
  readonly type: string;
  readonly action_id: string;
  readonly text?: TextObject;
  readonly url?: string;
  readonly style?: 'primary' | 'danger';
  readonly accessibility_label?: string;
  readonly confirm?: Confirmation;
  readonly placeholder?: TextObject;
  readonly options?: readonly Option[];
  readonly option_groups?: readonly { readonly label: TextObject; readonly options: readonly Option[] }[];
  readonly multiline?: boolean;
  readonly max_length?: number;
  readonly min_length?: number;
  readonly min_query_length?: number;
  readonly max_selected_items?: number;
  readonly focus_on_load?: boolean;
  readonly default_to_current_conversation?: boolean;
  readonly image_url?: string;
  readonly alt_text?: string;
}

export interface Block {
  readonly type: string;
  readonly block_id: string;
  readonly text?: TextObject;
  readonly fields?: readonly TextObject[];
  readonly accessory?: BlockElement;
  readonly elements?: readonly (BlockElement | (TextObject & { readonly action_id?: never }))[];
  readonly element?: BlockElement;
  readonly label?: TextObject;
  readonly hint?: TextObject;
  readonly title?: TextObject;
  readonly optional?: boolean;
  readonly dispatch_action?: boolean;
  readonly image_url?: string;
  readonly alt_text?: string;
}

/** What is chosen or typed in one element. */
export interface Choice {
  readonly blockId: string;
  readonly actionId: string;
  readonly values: readonly string[];
}

export type Place = { readonly kind: 'message'; readonly ts: string } | { readonly kind: 'view'; readonly id: string };

export type Act =
  | { readonly kind: 'say'; readonly text: string; readonly threadTs: string | null }
  | { readonly kind: 'search' }
  | { readonly kind: 'findLearning'; readonly ts: string }
  | {
      readonly kind: 'choose';
      readonly place: Place;
      readonly choice: Choice;
      readonly filled: readonly Choice[];
    }
  | { readonly kind: 'fill'; readonly viewId: string; readonly choice: Choice }
  | { readonly kind: 'submit'; readonly viewId: string; readonly filled: readonly Choice[] }
  | { readonly kind: 'close'; readonly viewId: string }
  | { readonly kind: 'home' };

/** The person and place that the page shows. */
export interface Seen {
  readonly userId: string;
  readonly channelId: string;
}
