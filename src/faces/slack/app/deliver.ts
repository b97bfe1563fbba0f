import { AppError, type ErrorCode } from '#errors';
import type { Message, ModalView } from '../blocks/block-kit.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import { type SlackCalls, sendWithPictures, type ViewTarget } from '../slack-api/slack-calls.ts';
import { createTriggerExpiredError } from '../slack-api/slack-failures.ts';
import type { RawView } from './incoming.ts';
import { doneWindow, messageHome, messageWindow, replaceWindowBlocks } from './windows.ts';

/** Where an answer goes. */
export interface Place {
  readonly context: SlackContext;
  /** The view that was acted in, as it is shown now; null in a conversation. */
  readonly view: RawView | null;
  /** Whether there is a message that can be replaced: not for a command, which is only typed. */
  readonly hasMessage: boolean;
  /** Of a window that was opened for this very answer. */
  readonly waitingView: string | null;
  onProblem(error: unknown): void;
}

/** Shows an answer where it was asked for. @returns id of a modal that it opened; null where it opened none.
 *  Errors: those of `SlackCalls`. */
export async function deliverReply(reply: SlackReply, place: Place): Promise<string | null> {
  switch (reply.kind) {
    case 'done':
      if (place.waitingView !== null) await showView(doneWindow(await place.context.words()), place);
      return null;
    case 'modal':
      return showView(reply.view, place);
    case 'message':
      await showMessage(reply.message, place, 'ephemeral');
      return null;
    case 'replace':
      await replace(reply.message, place);
      return null;
  }
}

async function replace(message: Message, place: Place): Promise<void> {
  const { view, context } = place;
  if (view === null) return showMessage(message, place, place.hasMessage ? 'replace' : 'ephemeral');
  await sendWithPictures({ ...place, message }, (shown) =>
    view.type === 'home'
      ? context.slack.publishHome(context.userId, messageHome(shown))
      : context.slack.updateView(view, replaceWindowBlocks(view, shown)),
  );
}

async function showMessage(message: Message, place: Place, how: 'ephemeral' | 'replace'): Promise<void> {
  const { responseUrl, slack, triggerId } = place.context;
  const inWindow = async (shown: Message) => {
    await showView(messageWindow(shown, await place.context.words()), place);
  };
  if (responseUrl === null || place.view !== null || place.waitingView !== null)
    return sendWithPictures({ ...place, message }, inWindow);
  try {
    await sendWithPictures({ ...place, message }, (shown) => slack.respond(responseUrl, shown, { how }));
  } catch (error) {
    // Where the conversation takes no answer any more, a window may still open.
    const isOver = error instanceof AppError && error.code === 'SLACK_RESPONSE_EXPIRED';
    if (!isOver || triggerId === null) throw error;
    await inWindow(message).catch(() => {
      throw error;
    });
  }
}

const NO_WINDOW: ReadonlySet<ErrorCode> = new Set(['SLACK_TRIGGER_EXPIRED', 'SLACK_THROTTLED']);

async function showView(modal: ModalView, { context, view, waitingView }: Place): Promise<string> {
  const { slack, triggerId } = context;
  if (waitingView !== null) return updated({ id: waitingView }, modal, slack);
  if (view?.type !== 'modal') {
    if (triggerId === null) throw createTriggerExpiredError();
    return slack.openView(triggerId, modal);
  }
  try {
    if (triggerId === null) throw createTriggerExpiredError();
    return await slack.pushView(triggerId, modal);
  } catch (error) {
    if (!(error instanceof AppError && NO_WINDOW.has(error.code))) throw error;
    // None on top of it (any more), so it takes the place of the one that is there.
    return updated(view, modal, slack);
  }
}

async function updated(target: ViewTarget, modal: ModalView, slack: SlackCalls): Promise<string> {
  await slack.updateView(target, modal);
  return target.id;
}
