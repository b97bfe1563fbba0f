import { finishInTime } from '#domain/async/deadline';
import type { Reply } from '../listener.ts';
import { toResponseBody } from '../slack-api/slack-calls.ts';
import { type AnswerDeps, findListener } from './call-listener.ts';
import { isBusyError } from './failures.ts';
import { findContext, runListener } from './run-listener.ts';
import { openWaitingWindow, showReply } from './show-reply.ts';
import { type Ack, acknowledge, measureRequestMs, type SlackRequest } from './slack-request.ts';

/** Slack waits for 3 s, and tells people that the app has failed after that. */
const COMMAND_MS = 1_800;
/** In a crowd, a later command is acknowledged without its answer, so that all are in time. */
const CROWDED_MS = 600;
/** Requests at once from which on all take longer. */
const CROWD = 20;

/** Acknowledges with the answer if it is ready in time; otherwise the answer follows. */
export async function answerCommand(deps: AnswerDeps, request: SlackRequest, ack: Ack): Promise<void> {
  const running = runListener(deps, request);
  const within = (timeoutMs: number) => finishInTime(running, timeoutMs - measureRequestMs(request));
  const isCrowded = () => deps.running.size > CROWD;
  const reply = (await within(CROWDED_MS)) ?? (isCrowded() ? null : await within(COMMAND_MS));
  const body = reply === null ? null : toCommandAnswer(reply);
  const isAcknowledged = await acknowledge(ack, body ?? undefined);
  if (body === null || !isAcknowledged) await showReply(deps, request, await running);
}

/** Null for a reply that no acknowledgement can show. */
function toCommandAnswer(reply: Reply): object | null {
  if (reply.kind !== 'message' && reply.kind !== 'replace') return null;
  return { ...toResponseBody(reply.message), response_type: 'ephemeral' };
}

const hasListener = ({ listeners }: AnswerDeps, { call }: SlackRequest): boolean =>
  call.kind !== 'links' && findListener(listeners, call.kind, call.name) !== null;

/** The answer takes the place of what was clicked, even if late. Home draws itself if it can. */
export async function answerInPlace(deps: AnswerDeps, request: SlackRequest): Promise<void> {
  if (!hasListener(deps, request)) return;
  const home = request.call.kind === 'home' ? ({ view: { id: '', type: 'home' } } as const) : {};
  await showReply(deps, request, await runListener(deps, request), home);
}

/** A window opens within 3 s only: after this, one that says to wait is opened. */
const WINDOW_MS = 1_500;

/** For requests that only a window can answer: a shortcut, or a click on the home page. */
export async function answerInWindow(deps: AnswerDeps, request: SlackRequest): Promise<void> {
  if (!hasListener(deps, request)) return;
  const running = runListener(deps, request);
  const reply = await finishInTime(running, WINDOW_MS - measureRequestMs(request));
  const waitingView = reply === null ? await openWaitingWindow(deps, request) : null;
  await showReply(deps, request, await running, { waitingView });
}

/** People who type wait for less time than people who ask. */
const TYPING_MS = 1_500;

/** Gives options, or none if they are late, refused or fail: people simply go on typing. */
export async function answerOptions(deps: AnswerDeps, request: SlackRequest, ack: Ack): Promise<void> {
  const finding = findOptions(deps, request).catch((error: unknown) => {
    if (!isBusyError(error)) deps.onProblem(error);
    return [];
  });
  const options = (await finishInTime(finding, TYPING_MS - measureRequestMs(request))) ?? [];
  const hasGroups = options.some((option) => 'options' in option);
  await acknowledge(ack, hasGroups ? { option_groups: options } : { options });
}

async function findOptions(deps: AnswerDeps, request: SlackRequest) {
  const { call } = request;
  if (call.kind !== 'options') return [];
  const listener = findListener(deps.listeners, 'options', call.name);
  if (listener === null) return [];
  const context = await findContext(deps, request);
  await deps.limits.count(context, 'typing');
  return deps.limits.runInTurn(context, request, async () =>
    // When its turn comes too late, nobody is waiting any more.
    measureRequestMs(request) > TYPING_MS ? [] : listener.handle(context, call.typed),
  );
}
