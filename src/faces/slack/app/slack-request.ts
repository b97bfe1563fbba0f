import type * as Bolt from '@slack/bolt';
import type { InstalledSlack } from '#services/people/slack/recent-installs';
import type { HOME, SlackAction, SlackContext, SlackMessage, SlackView } from '../listener.ts';
import { readMessageText } from './message-text.ts';

export interface SlackRequest extends Pick<SlackContext, 'userId' | 'channelId' | 'triggerId' | 'responseUrl'> {
  readonly call: ListenerCall;
  /** Whether "Try again" may repeat the call if it fails. */
  isRepeatable: boolean;
  /** Who asks; null until the installation is found (`loadContext`). */
  context: SlackContext | null;
  /** Milliseconds of `performance.now()`. */
  readonly receivedAt: number;
  /** The same for each delivery of one request; null if nothing identifies it. */
  readonly deliveryId: string | null;
  /** The view that was acted in; null in a conversation. */
  readonly view: OpenView | null;
  getInstallation: GetInstallation;
}

export type ListenerCall =
  | { readonly kind: 'command'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'action';
      readonly name: string;
      readonly action: SlackAction;
      readonly view: SlackView | null;
    }
  | { readonly kind: 'view'; readonly name: string; readonly view: SlackView }
  | { readonly kind: 'shortcut'; readonly name: string; readonly source: SlackMessage | null }
  | { readonly kind: 'home'; readonly name: typeof HOME }
  | { readonly kind: 'links'; readonly name: typeof LINKS }
  | { readonly kind: 'options'; readonly name: string; readonly typed: string };

export const LINKS = 'link_shared';

/** A view as Slack sends it, or without a hash as this app has shown it since. */
export type OpenView = Pick<Bolt.ViewOutput, 'id' | 'type'> & Partial<Bolt.ViewOutput>;

/** Gets where a request comes from. Errors: SLACK_NOT_INSTALLED, STORE_UNAVAILABLE. */
export type GetInstallation = () => Promise<InstalledSlack>;

export interface BoltContext {
  readonly receivedAt?: number;
  readonly getInstallation: GetInstallation;
}

type SlackBody = Partial<
  Pick<Bolt.SlashCommand, 'user_id' | 'channel_id' | 'trigger_id' | 'response_url'> &
    Pick<Bolt.BlockAction, 'user' | 'channel' | 'container' | 'view'> &
    Pick<Bolt.ViewSubmitAction, 'response_urls'> &
    Pick<Bolt.EnvelopedEvent<Bolt.types.AppHomeOpenedEvent>, 'event_id' | 'event'>
>;

export function readSlackRequest(json: object, context: BoltContext, call: ListenerCall): SlackRequest {
  const body = json as SlackBody;
  return {
    call,
    isRepeatable: call.kind !== 'view',
    context: null,
    receivedAt: context.receivedAt ?? performance.now(),
    userId: body.user_id ?? body.user?.id ?? body.event?.user ?? '',
    channelId: body.channel_id ?? body.channel?.id ?? body.container?.channel_id ?? null,
    triggerId: body.trigger_id ?? null,
    // A form has an address for each field that asks for one.
    responseUrl: body.response_url ?? body.response_urls?.[0]?.response_url ?? null,
    deliveryId: body.event_id ?? body.trigger_id ?? null,
    view: body.view ?? null,
    getInstallation: context.getInstallation,
  };
}

export const measureRequestMs = ({ receivedAt }: Pick<SlackRequest, 'receivedAt'>): number =>
  performance.now() - receivedAt;

export function readSlackView(json: object): SlackView | null {
  const { view } = json as SlackBody;
  return view ? toSlackView(view) : null;
}

export function toSlackView(view: OpenView): SlackView {
  return {
    id: view.id,
    hash: view.hash ?? '',
    type: view.type === 'home' ? 'home' : 'modal',
    callbackId: view.callback_id ?? '',
    privateMetadata: view.private_metadata ?? '',
    values: view.state?.values ?? {},
  };
}

export function readSlackMessage(json: object): SlackMessage | null {
  const { message } = json as Partial<Bolt.MessageShortcut>;
  if (message?.ts === undefined) return null;
  return { text: readMessageText(message), ts: message.ts, threadTs: message.thread_ts ?? null };
}

/** The fields that are read of an action: of a button, or of a menu of one or several options. */
type ElementAction = Partial<
  Pick<Bolt.ButtonAction, 'action_id' | 'block_id' | 'value'> &
    Pick<Bolt.StaticSelectAction, 'selected_option'> &
    Pick<Bolt.MultiStaticSelectAction, 'selected_options'>
>;

export function readSlackAction(json: object): SlackAction {
  const action = json as ElementAction;
  const { selected_option: option, selected_options: options } = action;
  return {
    actionId: action.action_id ?? '',
    blockId: action.block_id ?? '',
    value: action.value ?? option?.value ?? '',
    values: (options ?? []).map(({ value }) => value ?? ''),
  };
}

/** Bolt has a type for each form of an acknowledgement. */
// biome-ignore lint/suspicious/noExplicitAny: the body is checked where it is made
export type Ack = (body?: any) => Promise<void>;

/** Acknowledges a request. @returns false if it was acknowledged before, without this body */
export async function acknowledge(ack: Ack, body?: object): Promise<boolean> {
  try {
    await ack(body);
    return true;
  } catch {
    return false;
  }
}
