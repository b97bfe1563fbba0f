import { finishInTime } from '#domain/async/deadline';
import { AppError, type ErrorCode, hasErrorCode } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { type KnownBlock, limits, type Message, type ModalView, sectionBlock } from '../blocks/block-kit.ts';
import { drawModal } from '../blocks/messages.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import { HOME, type Reply, type SlackContext, type ViewValues } from '../listener.ts';
import { createSlackError } from '../slack-api/slack-api.ts';
import { callWithPictures, respondToSlackCall, type SlackCalls, type ViewTarget } from '../slack-api/slack-calls.ts';
import { type AnswerDeps, findListener, toListenerReplacement } from './call-listener.ts';
import { writeFailureLine, writeFailureMessage, writeFailureReply } from './failures.ts';
import { findPersonWordsInTime } from './person-words.ts';
import { findListenerContext } from './run-listener.ts';
import { measureRequestMs, type OpenView, type SlackRequest } from './slack-request.ts';

interface ReplyTarget {
  /** The view to change; absent: the one that was acted in; null: none. */
  readonly view?: OpenView | null;
  readonly waitingView?: string | null;
}

/** Shows a reply where it was asked for, or that this failed, if it can. Never rejects. */
export async function showReply(
  deps: AnswerDeps,
  request: SlackRequest,
  reply: Reply,
  target: ReplyTarget = {},
): Promise<void> {
  const { view = request.view, waitingView = null } = target;
  const { context, call } = request;
  try {
    // Somebody whose workspace is unknown can be answered only at an address in the request.
    if (context === null)
      return 'message' in reply && request.responseUrl !== null
        ? await respondToSlackCall(request.responseUrl, reply.message, { how: 'ephemeral' })
        : undefined;
    // A command has no message to replace.
    const hasMessage = call.kind === 'action';
    const place = { context, view, hasMessage, waitingView, onProblem: deps.onProblem };
    const opened = await sendOrShowReply(reply, place);
    if (opened === null || reply.kind !== 'modal' || reply.afterwards === undefined) return;
    const next = await deps.limits
      .runInTurn(context, request, reply.afterwards)
      .catch((error: unknown) => writeFailureReply(deps, request, error));
    // Nothing else will replace what waits there, so a failure must.
    await showReply(deps, request, toListenerReplacement(next), { view: { ...reply.view, id: opened } });
  } catch (error) {
    await showFailure(deps, request, error, target).catch(deps.onProblem);
  }
}

/** Beside the message, in the waiting modal, or on Home; only in the log for a global shortcut. */
async function showFailure(
  deps: AnswerDeps,
  request: SlackRequest,
  error: unknown,
  { waitingView, view }: ReplyTarget,
): Promise<void> {
  const { context, responseUrl } = request;
  // A modal without a hash was opened for this reply, and shows nothing else.
  const waiting = waitingView || (view?.type === 'modal' && view.hash === undefined ? view.id : null);
  if (context !== null && waiting === null && request.view?.type === 'home') {
    const line = escapeMrkdwn(await writeFailureLine(deps, request, error));
    return findListener(deps.listeners, 'home', HOME)?.handle(context, line);
  }
  const message = await writeFailureMessage(deps, request, error);
  if (responseUrl !== null) return respondToSlackCall(responseUrl, message, { how: 'ephemeral' });
  if (context === null || waiting === null) return;
  const words = await findPersonWordsInTime(context, deps.personWords);
  await context.slack.updateView({ id: waiting }, messageWindow(message, words));
}

/** Slack lets a window be opened for 3 s; a call takes a while. */
const TRIGGER_MS = 2_800;

/** Opens a window for a late answer. Never rejects. @returns its id; null if none opens */
export async function openWaitingWindow(deps: AnswerDeps, request: SlackRequest): Promise<string | null> {
  try {
    // If it is not known in time who asks, the answer goes elsewhere.
    const finding = findListenerContext(deps, request);
    const context = await finishInTime(finding, TRIGGER_MS - measureRequestMs(request));
    if (context === null || context.triggerId === null) return null;
    const words = await findPersonWordsInTime(context, deps.personWords);
    if (measureRequestMs(request) > TRIGGER_MS) return null;
    return await context.slack.openView(context.triggerId, waitingWindow(words));
  } catch (error) {
    deps.onProblem(error);
    return null;
  }
}

interface Place extends Required<ReplyTarget> {
  readonly context: SlackContext;
  readonly hasMessage: boolean;
  onProblem(error: unknown): void;
}

/** @returns id of a modal that it opened, or null. Errors: those of `SlackCalls`. */
async function sendOrShowReply(reply: Reply, place: Place): Promise<string | null> {
  switch (reply.kind) {
    case 'done':
      if (place.waitingView !== null) await showReplyModal(doneWindow(await place.context.words()), place);
      return null;
    case 'modal':
      return showReplyModal(reply.view, place);
    case 'message':
      await showReplyMessage(reply.message, place, 'ephemeral');
      return null;
    case 'replace':
      await replaceMessageByReply(reply.message, place);
      return null;
  }
}

async function replaceMessageByReply(message: Message, place: Place): Promise<void> {
  const { view, context } = place;
  if (view === null) return showReplyMessage(message, place, place.hasMessage ? 'replace' : 'ephemeral');
  await callWithPictures(message, place, (variant) =>
    view.type === 'home'
      ? context.slack.publishHome(context.userId, { type: 'home', callback_id: CALLBACK, blocks: variant.blocks })
      : context.slack.updateView(view, replaceWindowBlocks(view, variant)),
  );
}

async function showReplyMessage(message: Message, place: Place, how: 'ephemeral' | 'replace'): Promise<void> {
  const { responseUrl, slack, triggerId, words } = place.context;
  const showInWindow = async (shown: Message) => {
    await showReplyModal(messageWindow(shown, await words()), place);
  };
  if (responseUrl === null || place.view !== null || place.waitingView !== null)
    return callWithPictures(message, place, showInWindow);
  try {
    await callWithPictures(message, place, (shown) => slack.respond(responseUrl, shown, { how }));
  } catch (error) {
    // Where the conversation takes no answer any more, a window may still open.
    const isExpired = hasErrorCode(error, 'SLACK_RESPONSE_EXPIRED');
    if (!isExpired || triggerId === null) throw error;
    await showInWindow(message).catch(() => {
      throw error;
    });
  }
}

const NO_WINDOW: ReadonlySet<ErrorCode> = new Set(['SLACK_TRIGGER_EXPIRED', 'SLACK_THROTTLED']);

/** Puts it into the window that waits, opens it, or pushes it on top of the modal that is open. */
async function showReplyModal(modal: ModalView, { context, view, waitingView }: Place): Promise<string> {
  const { slack, triggerId } = context;
  if (waitingView !== null) return updateReplyModal({ id: waitingView }, modal, slack);
  if (view?.type !== 'modal') {
    if (triggerId === null) throw createSlackError('SLACK_TRIGGER_EXPIRED');
    return slack.openView(triggerId, modal);
  }
  try {
    if (triggerId === null) throw createSlackError('SLACK_TRIGGER_EXPIRED');
    return await slack.pushView(triggerId, modal);
  } catch (error) {
    if (!(error instanceof AppError && NO_WINDOW.has(error.code))) throw error;
    return updateReplyModal(view, modal, slack);
  }
}

async function updateReplyModal(target: ViewTarget, modal: ModalView, slack: SlackCalls): Promise<string> {
  await slack.updateView(target, modal);
  return target.id;
}

/** These windows have nothing to submit, so nobody listens to them. */
const CALLBACK = 'slack_window';

/** A message where only a window can be shown. */
const messageWindow = ({ blocks }: Message, { t }: ObjectWords): ModalView =>
  drawModal({ title: t('slack.windowTitle'), close: t('slack.close'), callbackId: CALLBACK, blocks });

const textWindow = (text: string, words: ObjectWords): ModalView =>
  messageWindow({ text, blocks: [sectionBlock(text)] }, words);

/** Opened in time, so that there is a window to put a late answer into. */
export const waitingWindow = (words: ObjectWords): ModalView => textWindow(words.t('slack.waiting'), words);

export const doneWindow = (words: ObjectWords): ModalView => textWindow(words.t('slack.done'), words);

function replaceWindowBlocks(view: OpenView, { blocks }: Pick<Message, 'blocks'>): ModalView {
  const { title, submit, close, callback_id, private_metadata } = view;
  return {
    type: 'modal',
    title: title ?? { type: 'plain_text', text: 'Skilldock' },
    ...(submit && { submit }),
    ...(close && { close }),
    ...(callback_id !== undefined && { callback_id }),
    ...(private_metadata !== undefined && { private_metadata }),
    blocks: blocks.slice(0, limits.viewBlocks),
  };
}

const NOTICE = 'slack_notice';

/** A form once more, with what was filled in, and above it why it was refused. */
export function redrawFormWindow(view: OpenView, why: string): ModalView {
  const blocks = (view.blocks ?? []).filter(({ block_id }) => block_id !== NOTICE) as KnownBlock[];
  const filledIn = blocks.map((block) => fillInReply(block, view.state?.values ?? {}));
  return replaceWindowBlocks(view, { blocks: [{ ...sectionBlock(escapeMrkdwn(why)), block_id: NOTICE }, ...filledIn] });
}

/** Slack sends `selected_option` and `value`, and is shown `initial_option` and `initial_value`. */
function fillInReply(block: KnownBlock, values: ViewValues): KnownBlock {
  if (block.type !== 'input') return block;
  const { block_id = '', element } = block;
  const { type, ...filledIn } = values[block_id]?.[element.action_id ?? ''] ?? {};
  if (type === undefined) return block;
  const initial = Object.entries(filledIn).map(([name, value]) => [
    name === 'value' ? 'initial_value' : name.replace(/^selected_/, 'initial_'),
    // Slack sends null, an empty text or an empty list.
    value === null || value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value,
  ]);
  return { ...block, element: { ...element, ...Object.fromEntries(initial) } };
}
