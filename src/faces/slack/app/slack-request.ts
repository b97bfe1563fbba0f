import type * as Bolt from '@slack/bolt';
import type { InstalledSlack } from '#services/people/slack/recent-installs';
import { escapeMrkdwn } from '../blocks/text.ts';
import type { HOME, SlackAction, SlackContext, SlackMessage, SlackView } from '../listener.ts';

export interface SlackRequest {
  readonly call: ListenerCall;
  /** Whether "Try again" may repeat the call if it fails. */
  isRepeatable: boolean;
  /** Who asks; null until the installation is found (`findListenerContext`). */
  context: SlackContext | null;
  /** By `performance.now()`. */
  readonly receivedAt: number;
  readonly userId: string;
  readonly channelId: string | null;
  readonly triggerId: string | null;
  readonly responseUrl: string | null;
  /** The same for each delivery of one request; null if nothing identifies it. */
  readonly deliveryId: string | null;
  /** The view that was acted in; null in a conversation. */
  readonly view: OpenView | null;
  findInstallation: FindInstallation;
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

/** A view as Slack sends it, or as this app has shown it since; then it has no hash. */
export type OpenView = Pick<Bolt.ViewOutput, 'id' | 'type'> & Partial<Bolt.ViewOutput>;

/** The installation that a request comes from. Errors: SLACK_NOT_INSTALLED, STORE_UNAVAILABLE. */
export type FindInstallation = () => Promise<InstalledSlack>;

export interface BoltContext {
  readonly receivedAt?: number;
  readonly findInstallation: FindInstallation;
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
    findInstallation: context.findInstallation,
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
  return { text: readSlackBlockText(message), ts: message.ts, threadTs: message.thread_ts ?? null };
}

/** What is read of an action: of a button, and of menus of one or several options. */
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
export async function acknowledgeSlackRequest(ack: Ack, body?: object): Promise<boolean> {
  try {
    await ack(body);
    return true;
  } catch {
    return false;
  }
}

/** A message, attachment, block or element, which others write: nothing in it is certain. */
type Shown = Readonly<Record<string, unknown>>;

/** Types of blocks and elements that are skipped, as they have no text of the message. */
// biome-ignore format: two groups, blocks and elements
const skippedTypes: ReadonlySet<unknown> = new Set([
  'actions', 'input', 'image', 'file', 'button', 'rich_text_preformatted',
  'emoji', 'user', 'usergroup', 'channel', 'broadcast', 'date', 'color',
]);
/** Fields of attachments and blocks that have text, in the order in which Slack shows them. */
const textFields = ['pretext', 'title', 'text', 'value', 'description', 'fields', 'elements', 'rows', 'blocks'];
const MAX_DEPTH = 10;
const MAX_LENGTH = 40_000;

/** The text of a message as mrkdwn, with lines of its blocks and attachments that the text lacks,
 *  as of bots, integrations and forwards. The preview of a link counts only without a text. */
export function readSlackBlockText({ text, blocks, attachments }: Shown): string {
  const written = typeof text === 'string' ? text : '';
  const all = toSlackBlockList(attachments);
  const withoutPreviews = all.filter((attachment) => attachment?.original_url === undefined);
  const lines = [
    ...toSlackBlockList(blocks).map((block) => readSlackLine(block)),
    ...(written === '' ? all : withoutPreviews).map(readSlackAttachment),
  ];
  let result = written;
  for (const line of lines) {
    const words = new Set(splitSlackWords(result));
    if (splitSlackWords(line).some((word) => !words.has(word))) result += `\n${line}`;
  }
  return result.slice(0, MAX_LENGTH).trim();
}

function readSlackAttachment(attachment: Shown | null): string {
  const forwarded = toSlackBlockList(attachment?.message_blocks).map((block) => readSlackLine(block?.message));
  const line = [readSlackLine(attachment), ...forwarded].join('\n').trim();
  return line === '' && typeof attachment?.fallback === 'string' ? attachment.fallback : line;
}

function readSlackLine(node: unknown, depth = 0): string {
  if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return '';
  if (Array.isArray(node)) return node.map((each) => readSlackLine(each, depth + 1)).join('\n');
  const { type, style } = node as Shown;
  if (skippedTypes.has(type) || (type === 'text' && (style as Shown | undefined)?.code === true)) return '';
  if (type === 'rich_text_section' || type === 'rich_text_quote')
    return toSlackBlockList((node as Shown).elements)
      .map((each) => readSlackLine(each, depth + 1))
      .join('');
  return textFields
    .map((name) => {
      const value = (node as Shown)[name];
      if (typeof value !== 'string') return readSlackLine(value, depth + 1);
      // Rich text is not escaped.
      return type === 'text' || type === 'link' ? escapeMrkdwn(value) : value;
    })
    .filter((line) => line !== '')
    .join('\n');
}

const toSlackBlockList = (value: unknown): readonly (Shown | null)[] => (Array.isArray(value) ? value : []);
const splitSlackWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
