import type { InstalledSlack } from '#services/people/slack/recent-installs';
import type { ModalView } from '../blocks/block-kit.ts';
import type { SlackAction, SlackMessage, SlackView, ViewValues } from '../listener.ts';

/** The parts of a view from Slack that are read here. */
export interface RawView {
  readonly id: string;
  /** Absent where it was shown from here since. */
  readonly hash?: string;
  readonly type: 'modal' | 'home';
  readonly callback_id?: string;
  readonly private_metadata?: string;
  readonly title?: ModalView['title'];
  readonly submit?: ModalView['submit'] | null;
  readonly close?: ModalView['close'] | null;
  readonly blocks?: readonly RawBlock[];
  readonly state?: { readonly values?: ViewValues };
}

export interface RawBlock {
  readonly type: string;
  readonly block_id?: string;
  readonly element?: { readonly action_id?: string };
}

interface Named {
  readonly id?: string;
}

/** What Slack's payloads have in common, wherever they have it. */
export interface RawBody {
  readonly user_id?: string;
  readonly user?: Named;
  readonly event?: { readonly user?: string };
  readonly channel_id?: string;
  readonly channel?: Named | null;
  readonly container?: { readonly channel_id?: string };
  readonly trigger_id?: string;
  readonly event_id?: string;
  readonly response_url?: string;
  readonly response_urls?: readonly { readonly response_url: string }[];
  readonly view?: RawView | null;
  readonly message?: { readonly text?: string; readonly ts?: string; readonly thread_ts?: string };
}

/** A request of Slack that a listener answers. */
export interface Incoming {
  /** By `performance.now()`. */
  readonly receivedAt: number;
  readonly userId: string;
  readonly channelId: string | null;
  readonly triggerId: string | null;
  readonly responseUrl: string | null;
  /** The same for each delivery of one request; null if nothing identifies it. */
  readonly deliveryId: string | null;
  readonly view: RawView | null;
  admit: Admit;
}

/** What `customPropertiesExtractor` and `authorize` add to Bolt's context. */
export interface BoltContext {
  readonly receivedAt?: number;
  readonly admit: Admit;
}

/** Where a request comes from, once it is known. Errors: SLACK_NOT_INSTALLED, those of `findInstalled`. */
export type Admit = () => Promise<InstalledSlack>;

/** Slack sends a view with what happened in it; a message action carries its own address for answers. */
export function readIncoming(given: object, { receivedAt, admit }: BoltContext): Incoming {
  const body = given as RawBody;
  return {
    receivedAt: receivedAt ?? performance.now(),
    userId: body.user_id ?? body.user?.id ?? body.event?.user ?? '',
    channelId: body.channel_id ?? body.channel?.id ?? body.container?.channel_id ?? null,
    triggerId: body.trigger_id ?? null,
    responseUrl: body.response_url ?? body.response_urls?.[0]?.response_url ?? null,
    deliveryId: body.event_id ?? body.trigger_id ?? null,
    view: body.view ?? null,
    admit,
  };
}

export const measureIncomingMs = ({ receivedAt }: Pick<Incoming, 'receivedAt'>): number =>
  performance.now() - receivedAt;

export function toIncomingView(view: RawView): SlackView {
  return {
    id: view.id,
    hash: view.hash ?? '',
    type: view.type,
    callbackId: view.callback_id ?? '',
    privateMetadata: view.private_metadata ?? '',
    values: view.state?.values ?? {},
  };
}

/** Null for a global shortcut. */
export function readIncomingMessage(given: object): SlackMessage | null {
  const { message } = given as RawBody;
  if (message?.ts === undefined) return null;
  return { text: message.text ?? '', ts: message.ts, threadTs: message.thread_ts ?? null };
}

/** An action of a button or a menu. */
interface RawAction {
  readonly action_id?: string;
  readonly block_id?: string;
  readonly value?: string | null;
  readonly selected_option?: { readonly value?: string } | null;
  readonly selected_options?: readonly { readonly value?: string }[] | null;
}

export function readIncomingAction(given: object): SlackAction {
  const action = given as RawAction;
  const { selected_option: option, selected_options: options } = action;
  return {
    actionId: action.action_id ?? '',
    blockId: action.block_id ?? '',
    value: action.value ?? option?.value ?? '',
    values: (options ?? []).map(({ value }) => value ?? ''),
  };
}

/** Bolt has a type for each form of an acknowledgement. */
// biome-ignore lint/suspicious/noExplicitAny: what is said is checked where it is made
export type Ack = (said?: any) => Promise<void>;

/** Acknowledges a request. False where Slack has its acknowledgement already, and this came too late to say anything. */
export async function acknowledge(ack: Ack, said?: object): Promise<boolean> {
  try {
    await ack(said);
    return true;
  } catch {
    return false;
  }
}
