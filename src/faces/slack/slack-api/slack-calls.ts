import { AppError } from '#errors';
import type { HomeView, Message, ModalView } from '../blocks/block-kit.ts';
import { dropMessagePictures } from '../blocks/messages.ts';
import { type ResponseOptions, respond, toResponseBody } from './respond.ts';
import type { CallSlack } from './slack-api.ts';

/** Calls of Slack's API in the name of the app. Errors: SLACK_TRIGGER_EXPIRED, SLACK_RESPONSE_EXPIRED, SLACK_NOT_IN_CHANNEL,
 *  SLACK_THROTTLED (if Slack wants a longer wait than is possible), SLACK_FAILED. */
export interface SlackCalls {
  /** @returns id of the view */
  openView(triggerId: string, view: ModalView): Promise<string>;
  pushView(triggerId: string, view: ModalView): Promise<string>;
  /** With `hash`, only if nobody changed it meanwhile; otherwise it is left as it is. */
  updateView(target: ViewTarget, view: ModalView): Promise<void>;
  publishHome(userId: string, view: HomeView): Promise<void>;
  /** As the app, into a conversation it is in. */
  postMessage(
    target: { readonly channelId: string; readonly threadTs?: string },
    message: Message,
  ): Promise<void>;
  /** Through an address that Slack gave for answers, of this or an earlier request: `post` for everyone in the conversation. */
  respond(responseUrl: string, message: Message, as: ResponseOptions): Promise<void>;
}

/** A view that is open. */
export interface ViewTarget {
  readonly id: string;
  readonly hash?: string | undefined;
}

/** What Slack says of a view that somebody closed or changed meanwhile. */
const STALE: ReadonlySet<unknown> = new Set(['hash_conflict', 'not_found', 'view_not_found']);

/** The calls that listeners make. */
export function createSlackCalls(call: CallSlack): SlackCalls {
  const show = async (method: string, triggerId: string, view: object): Promise<string> => {
    const answer = await call(method, { trigger_id: triggerId, view });
    return (answer.view as { readonly id?: string } | undefined)?.id ?? '';
  };
  return {
    openView: (triggerId, view) => show('views.open', triggerId, view),
    pushView: (triggerId, view) => show('views.push', triggerId, view),
    async updateView(target, view) {
      await call('views.update', { ...toArguments(target), view }).catch(ignoreStale);
    },
    async publishHome(userId, view) {
      await call('views.publish', { user_id: userId, view });
    },
    async postMessage({ channelId, threadTs }, message) {
      const target = { channel: channelId, ...(threadTs !== undefined && { thread_ts: threadTs }) };
      await call('chat.postMessage', { ...target, ...toResponseBody(message) });
    },
    respond,
  };
}

function toArguments(target: ViewTarget): object {
  return { view_id: target.id, ...(target.hash !== undefined && { hash: target.hash }) };
}

function ignoreStale(thrown: unknown): void {
  if (!(thrown instanceof AppError && STALE.has(thrown.data.said))) throw thrown;
}

/** What Slack says if it cannot fetch a picture, or if blocks are wrong in another way. */
const WRONG_BLOCKS: ReadonlySet<unknown> = new Set(['invalid_blocks', 'invalid_arguments']);

interface Pictured {
  readonly message: Message;
  onProblem(error: unknown): void;
}

/** One missing picture fails the whole message: it is then sent again without pictures. Errors: those of `send`. */
export async function sendWithPictures(
  { message, onProblem }: Pictured,
  send: (message: Message) => Promise<void>,
): Promise<void> {
  try {
    await send(message);
  } catch (error) {
    if (!(error instanceof AppError && WRONG_BLOCKS.has(error.data.said))) throw error;
    onProblem(error);
    await send(dropMessagePictures(message));
  }
}
