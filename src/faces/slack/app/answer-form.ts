import type { ViewResponseAction } from '@slack/bolt';
import { finishInTime } from '#domain/async/deadline';
import type { KnownBlock, ModalView } from '../blocks/block-kit.ts';
import type { ListenerOf, Reply, ViewAnswer } from '../listener.ts';
import { type AnswerDeps, findListener, joinFieldErrors, toReplacement } from './call-listener.ts';
import { writeFailureLine, writeFailureMessage } from './failures.ts';
import { findPersonWordsInTime } from './person-words.ts';
import { createSlackLateError } from './request-limits.ts';
import { admitRequest, findContext } from './run-listener.ts';
import { showReply } from './show-reply.ts';
import {
  type Ack,
  acknowledge,
  measureRequestMs,
  type OpenView,
  type SlackRequest,
  toSlackView,
} from './slack-request.ts';
import { doneWindow, redrawFormWindow, waitingWindow } from './windows.ts';

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
  if (view === null || listener === null) return void (await acknowledge(ack));
  const form = { deps, request, listener, view };
  try {
    if (!(await admitForm(form))) return void (await acknowledge(ack));
  } catch (error) {
    return void (await acknowledge(ack, toViewResponse(await refuseForm(form, error))));
  }
  const deciding = decideForm(form);
  const decision = await finishInTime(deciding, READY_MS - measureRequestMs(request));
  if (decision === null) return answerFormLate(form, deciding, ack);
  const show = 'error' in decision ? await refuseForm(form, decision.error) : decision.show;
  const isAcknowledged = await acknowledge(ack, toViewResponse(show));
  if (isAcknowledged && !('error' in decision)) await finishForm(form, decision, show);
}

/** @returns false for a repetition. Errors: SLACK_LATE, of `findContext` and `admitRequest`. */
async function admitForm({ deps, request }: SubmittedForm): Promise<boolean> {
  const admit = async () => {
    const context = await findContext(deps, request);
    // Begun now: a late message needs the words at once.
    void context.words();
    return admitRequest(deps, request, context);
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

async function refuseForm({ deps, request, view }: SubmittedForm, error: unknown): Promise<Show> {
  const line = await writeFailureLine(deps, request, error);
  const input = view.blocks?.find(({ type }) => type === 'input')?.block_id;
  if (input !== undefined) return { kind: 'errors', errors: { [input]: line } };
  return { kind: 'update', view: redrawFormWindow(view, line) };
}

function toViewResponse(show: Show): ViewResponseAction | undefined {
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
  await acknowledge(ack, { response_action: 'update', view: waitingWindow(words) });
  const decision = await deciding;
  const decided =
    'error' in decision
      ? redrawFormWindow(view, await writeFailureLine(deps, request, decision.error))
      : drawLateModal(decision.show, view, doneWindow(words));
  await showReply(deps, request, { kind: 'modal', view: decided }, { waitingView: view.id });
  if (!('error' in decision)) await finishForm(form, decision, { kind: 'update', view: decided });
}

/** A modal that waits cannot be closed or get errors at its fields: it can only be changed. */
function drawLateModal(show: Show, view: OpenView, done: ModalView): ModalView {
  if (show.kind === 'update') return show.view;
  return show.kind === 'errors' ? redrawFormWindow(view, joinFieldErrors(show.errors)) : done;
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
  await showReply(deps, request, toReplacement(reply), { view: findOpenView(show, view) });
}

/** The view that is open once Slack has done this; null where it is closed. */
function findOpenView(show: Show, view: OpenView): OpenView | null {
  if (show.kind === 'close') return null;
  return show.kind === 'errors' ? view : { ...show.view, id: view.id };
}
