import type { ViewResponseAction } from '@slack/bolt';
import { finishInTime } from '#domain/async/deadline';
import type { KnownBlock, ModalView } from '../blocks/block-kit.ts';
import type { ListenerOf, Reply, ViewAnswer } from '../listener.ts';
import { toSlackResponseBody } from '../slack-api/slack-calls.ts';
import { type AnswerDeps, findListener, joinListenerErrors, toListenerReplacement } from './call-listener.ts';
import { isBusyFailure, writeFailureLine, writeFailureMessage } from './failures.ts';
import { findPersonWordsInTime } from './person-words.ts';
import { createSlackLateError } from './request-limits.ts';
import { admitToListener, findListenerContext, runListener } from './run-listener.ts';
import { doneWindow, openWaitingWindow, redrawFormWindow, showReply, waitingWindow } from './show-reply.ts';
import type { Ack, OpenView, SlackRequest } from './slack-request.ts';
import { acknowledgeSlackRequest, measureRequestMs, toSlackView } from './slack-request.ts';

interface SubmittedForm {
  readonly deps: AnswerDeps;
  readonly request: SlackRequest;
  readonly listener: ListenerOf<'view'>;
  readonly view: OpenView;
}

type Show = ViewAnswer['show'];
type Decision = ViewAnswer | { readonly error: unknown };

/** Leaves time for the words, before `bolt-app.ts` acknowledges without, closing the modal. */
const READY_MS = 1_800;

/** A refused form stays open; a late one waits, and comes back if it was refused. */
export async function answerForm(deps: AnswerDeps, request: SlackRequest, ack: Ack): Promise<void> {
  const { view, call } = request;
  const listener = findListener(deps.listeners, 'view', call.name);
  if (view === null || listener === null) return void (await acknowledgeSlackRequest(ack));
  const form = { deps, request, listener, view };
  try {
    if (!(await admitSubmittedForm(form))) return void (await acknowledgeSlackRequest(ack));
  } catch (error) {
    return void (await acknowledgeSlackRequest(ack, toFormViewResponse(await refuseSubmittedForm(form, error))));
  }
  const deciding = decideForm(form);
  const decision = await finishInTime(deciding, READY_MS - measureRequestMs(request));
  if (decision === null) return answerFormLate(form, deciding, ack);
  const show = 'error' in decision ? await refuseSubmittedForm(form, decision.error) : decision.show;
  const isAcknowledged = await acknowledgeSlackRequest(ack, toFormViewResponse(show));
  if (isAcknowledged && !('error' in decision)) await finishForm(form, decision, show);
}

/** False for a repetition. Errors: SLACK_LATE, of `findListenerContext` and `admitToListener`. */
async function admitSubmittedForm({ deps, request }: SubmittedForm): Promise<boolean> {
  const admit = async () => {
    const context = await findListenerContext(deps, request);
    // Begun now: a late message needs the words at once.
    void context.words();
    return admitToListener(deps, request, context);
  };
  const isFirst = await finishInTime(admit(), READY_MS - measureRequestMs(request));
  if (isFirst === null) throw createSlackLateError();
  return isFirst;
}

async function decideForm({ deps, request, listener, view }: SubmittedForm): Promise<Decision> {
  const { context } = request;
  if (context === null) return { error: createSlackLateError() };
  try {
    return await deps.limits.runInTurn(context, request, () => listener.handle(context, toSlackView(view)));
  } catch (error) {
    return { error };
  }
}

async function refuseSubmittedForm({ deps, request, view }: SubmittedForm, error: unknown): Promise<Show> {
  const line = await writeFailureLine(deps, request, error);
  const input = view.blocks?.find(({ type }) => type === 'input')?.block_id;
  if (input !== undefined) return { kind: 'errors', errors: { [input]: line } };
  return { kind: 'update', view: redrawFormWindow(view, line) };
}

function toFormViewResponse(show: Show): ViewResponseAction | undefined {
  switch (show.kind) {
    case 'close':
      return undefined;
    case 'errors':
      return { response_action: 'errors', errors: { ...show.errors } };
    case 'update':
      return { response_action: 'update', view: show.view };
  }
}

/** A form that is decided late stays open and waiting until then. */
async function answerFormLate(form: SubmittedForm, deciding: Promise<Decision>, ack: Ack): Promise<void> {
  const { deps, request, view } = form;
  const words = await findPersonWordsInTime(request.context, deps.personWords);
  await acknowledgeSlackRequest(ack, { response_action: 'update', view: waitingWindow(words) });
  const decision = await deciding;
  const decided =
    'error' in decision
      ? redrawFormWindow(view, await writeFailureLine(deps, request, decision.error))
      : drawLateFormModal(decision.show, view, doneWindow(words));
  await showReply(deps, request, { kind: 'modal', view: decided }, { waitingView: view.id });
  if (!('error' in decision)) await finishForm(form, decision, { kind: 'update', view: decided });
}

/** A modal that waits cannot be closed or get errors at its fields: it can only be changed. */
function drawLateFormModal(show: Show, view: OpenView, done: ModalView): ModalView {
  if (show.kind === 'update') return show.view;
  return show.kind === 'errors' ? redrawFormWindow(view, joinListenerErrors(show.errors)) : done;
}

async function finishForm(form: SubmittedForm, answer: ViewAnswer, show: Show): Promise<void> {
  const { deps, request, view } = form;
  const { afterwards, isRepeatable = false } = answer;
  const { context } = request;
  if (afterwards === undefined || context === null) return;
  request.isRepeatable = isRepeatable;
  const reply = await deps.limits
    .runInTurn(context, request, afterwards)
    .catch(async (error: unknown): Promise<Reply> => {
      const message = await writeFailureMessage(deps, request, error);
      const before = show.kind === 'update' && !isRepeatable ? (show.view.blocks as KnownBlock[]) : [];
      return { kind: 'message', message: { ...message, blocks: [...before, ...message.blocks] } };
    });
  // What is open once Slack has done this.
  const open = show.kind === 'update' ? { ...show.view, id: view.id } : show.kind === 'errors' ? view : null;
  await showReply(deps, request, toListenerReplacement(reply), { view: open });
}

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
  const reply = (await within(CROWDED_MS)) ?? (deps.running.size > CROWD ? null : await within(COMMAND_MS));
  // Others cannot be shown by an acknowledgement.
  const message = reply?.kind === 'message' || reply?.kind === 'replace' ? reply.message : null;
  const body = message === null ? undefined : { ...toSlackResponseBody(message), response_type: 'ephemeral' };
  const isAcknowledged = await acknowledgeSlackRequest(ack, body);
  if (body === undefined || !isAcknowledged) await showReply(deps, request, await running);
}

const hasFormListener = ({ listeners }: AnswerDeps, { call }: SlackRequest): boolean =>
  call.kind !== 'links' && findListener(listeners, call.kind, call.name) !== null;

/** The answer takes the place of what was clicked, even if late. Home draws itself if it can. */
export async function answerFormInPlace(deps: AnswerDeps, request: SlackRequest): Promise<void> {
  if (!hasFormListener(deps, request)) return;
  const home = request.call.kind === 'home' ? ({ view: { id: '', type: 'home' } } as const) : {};
  await showReply(deps, request, await runListener(deps, request), home);
}

/** A window opens within 3 s only: after this, one that says to wait is opened. */
const WINDOW_MS = 1_500;

/** For requests that only a window can answer: a shortcut, or a click on the home page. */
export async function answerFormInWindow(deps: AnswerDeps, request: SlackRequest): Promise<void> {
  if (!hasFormListener(deps, request)) return;
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
    if (!isBusyFailure(error)) deps.onProblem(error);
    return [];
  });
  const options = (await finishInTime(finding, TYPING_MS - measureRequestMs(request))) ?? [];
  const hasGroups = options.some((option) => 'options' in option);
  await acknowledgeSlackRequest(ack, hasGroups ? { option_groups: options } : { options });
}

async function findOptions(deps: AnswerDeps, request: SlackRequest) {
  const { call } = request;
  if (call.kind !== 'options') return [];
  const listener = findListener(deps.listeners, 'options', call.name);
  if (listener === null) return [];
  const context = await findListenerContext(deps, request);
  await deps.limits.count(context, 'typing');
  return deps.limits.runInTurn(context, request, async () =>
    // When its turn comes too late, nobody is waiting any more.
    measureRequestMs(request) > TYPING_MS ? [] : listener.handle(context, call.typed),
  );
}
