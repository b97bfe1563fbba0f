import { finishInTime } from '#domain/async/deadline';
import { AppError, type ErrorCode, hasErrorCode } from '#errors';
import type { ObjectWords } from '#faces/object-view/facts';
import { type KnownBlock, limits, type Message, type ModalView, sectionBlock } from '../blocks/block-kit.ts';
import { drawModal } from '../blocks/messages.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import { HOME, type Reply, type SlackContext, type ViewValues } from '../listener.ts';
import { createSlackError } from '../slack-api/slack-api.ts';
import { respond, type SlackCalls, sendWithPictures, type ViewTarget } from '../slack-api/slack-calls.ts';
import { type AnswerDeps, findListener, toReplacement } from './call-listener.ts';
import { writeFailureLine, writeFailureMessage, writeFailureReply } from './failures.ts';
import { findPersonWordsInTime } from './person-words.ts';
import { loadContext } from './run-listener.ts';
import { measureRequestMs, type OpenView, type SlackRequest } from './slack-request.ts';

interface ReplyTarget {
  /** The view to change: absent for the view that was acted in, null for none. */
  readonly view?: OpenView | null;
  /** Id of a window that waits for the reply. */
  readonly waitingView?: string | null;
}

/** Shows a reply where it was asked for, or, where that fails, the failure. Never rejects. */
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
    if (context === null) {
      if (!('message' in reply) || request.responseUrl === null) return;
      return await respond(request.responseUrl, reply.message, { kind: 'ephemeral' });
    }
    // A command has no message to replace.
    const hasMessage = call.kind === 'action';
    const place = { context, view, hasMessage, waitingView, onProblem: deps.onProblem };
    const opened = await sendReply(reply, place);
    if (opened === null || reply.kind !== 'modal' || reply.afterwards === undefined) return;
    const next = await deps.limits
      .runInTurn(context, request, reply.afterwards)
      .catch((error: unknown) => writeFailureReply(deps, request, error));
    // The modal waits for `afterwards`, so a failure must replace it, too.
    await showReply(deps, request, toReplacement(next), { view: { ...reply.view, id: opened } });
  } catch (error) {
    await showFailure(deps, request, error, target).catch(deps.onProblem);
  }
}

/** Shows a failure beside the message, in the waiting modal or on Home, if it has any of them. */
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
  if (responseUrl !== null) return respond(responseUrl, message, { kind: 'ephemeral' });
  if (context === null || waiting === null) return;
  const words = await findPersonWordsInTime(context, deps.personWords);
  await context.slack.updateView({ id: waiting }, drawMessageWindow(message, words));
}

/** Slack opens a window within 3 s only, and a call takes a while. */
const TRIGGER_MS = 2_800;

/** Opens a window for a late answer. Never rejects. @returns its id; null if none opens */
export async function openWaitingWindow(deps: AnswerDeps, request: SlackRequest): Promise<string | null> {
  try {
    // If it is not known in time who asks, the answer goes elsewhere.
    const finding = loadContext(deps, request);
    const context = await finishInTime(finding, TRIGGER_MS - measureRequestMs(request));
    if (context === null || context.triggerId === null) return null;
    const words = await findPersonWordsInTime(context, deps.personWords);
    if (measureRequestMs(request) > TRIGGER_MS) return null;
    return await context.slack.openView(context.triggerId, drawWaitingWindow(words));
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

/** @returns the id of a shown modal; null for other replies. Errors: those of `SlackCalls`. */
async function sendReply(reply: Reply, place: Place): Promise<string | null> {
  switch (reply.kind) {
    case 'done':
      if (place.waitingView !== null) await showReplyModal(drawDoneWindow(await place.context.words()), place);
      return null;
    case 'modal':
      return showReplyModal(reply.view, place);
    case 'message':
      await showReplyMessage(reply.message, place, 'ephemeral');
      return null;
    case 'replace':
      await replaceMessage(reply.message, place);
      return null;
  }
}

async function replaceMessage(message: Message, place: Place): Promise<void> {
  const { view, context } = place;
  if (view === null) return showReplyMessage(message, place, place.hasMessage ? 'replace' : 'ephemeral');
  await sendWithPictures(message, place, (variant) =>
    view.type === 'home'
      ? context.slack.publishHome(context.userId, { type: 'home', callback_id: CALLBACK, blocks: variant.blocks })
      : context.slack.updateView(view, replaceBlocks(view, variant)),
  );
}

async function showReplyMessage(message: Message, place: Place, kind: 'ephemeral' | 'replace'): Promise<void> {
  const { responseUrl, slack, triggerId, words } = place.context;
  const showInWindow = async (shown: Message) => {
    await showReplyModal(drawMessageWindow(shown, await words()), place);
  };
  if (responseUrl === null || place.view !== null || place.waitingView !== null)
    return sendWithPictures(message, place, showInWindow);
  try {
    await sendWithPictures(message, place, (shown) => slack.respond(responseUrl, shown, { kind }));
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

/** Puts a modal into the waiting window, opens it, or pushes it on top. @returns its id */
async function showReplyModal(modal: ModalView, { context, view, waitingView }: Place): Promise<string> {
  const { slack, triggerId } = context;
  if (waitingView !== null) return updateReplyModal({ id: waitingView }, modal, slack);
  const openModal = view?.type === 'modal' ? view : null;
  if (triggerId === null) {
    if (openModal !== null) return updateReplyModal(openModal, modal, slack);
    throw createSlackError('SLACK_TRIGGER_EXPIRED');
  }
  if (openModal === null) return slack.openView(triggerId, modal);
  try {
    return await slack.pushView(triggerId, modal);
  } catch (error) {
    if (!(error instanceof AppError && NO_WINDOW.has(error.code))) throw error;
    return updateReplyModal(openModal, modal, slack);
  }
}

async function updateReplyModal(target: ViewTarget, modal: ModalView, slack: SlackCalls): Promise<string> {
  await slack.updateView(target, modal);
  return target.id;
}

/** The callback id of windows that have nothing to submit: no listener has it. */
const CALLBACK = 'slack_window';

/** Draws a message where only a window can be shown. */
const drawMessageWindow = ({ blocks }: Message, { t }: ObjectWords): ModalView =>
  drawModal({ title: t('slack.windowTitle'), close: t('slack.close'), callbackId: CALLBACK, blocks });

const drawTextWindow = (text: string, words: ObjectWords): ModalView =>
  drawMessageWindow({ text, blocks: [sectionBlock(text)] }, words);

/** Draws a window that opens in time and into which a late answer can be put. */
export const drawWaitingWindow = (words: ObjectWords): ModalView => drawTextWindow(words.t('slack.waiting'), words);

export const drawDoneWindow = (words: ObjectWords): ModalView => drawTextWindow(words.t('slack.done'), words);

function replaceBlocks(view: OpenView, { blocks }: Pick<Message, 'blocks'>): ModalView {
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

/** Draws a form again with what was filled in, and above it why it was refused. */
export function redrawForm(view: OpenView, reason: string): ModalView {
  const blocks = (view.blocks ?? []).filter(({ block_id }) => block_id !== NOTICE) as KnownBlock[];
  const filledIn = blocks.map((block) => fillInBlock(block, view.state?.values ?? {}));
  return replaceBlocks(view, { blocks: [{ ...sectionBlock(escapeMrkdwn(reason)), block_id: NOTICE }, ...filledIn] });
}

/** Slack sends input as `selected_option` or `value`, and takes it as `initial_…`. */
function fillInBlock(block: KnownBlock, values: ViewValues): KnownBlock {
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
