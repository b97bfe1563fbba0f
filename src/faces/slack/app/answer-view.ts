import type { ViewResponseAction } from '@slack/bolt';
import { finishInTime } from '#domain/async/deadline';
import type { SlackContext } from '../listener.ts';
import {
  answerFormLate,
  type Decided,
  finishForm,
  type Problem,
  type Sent,
  type Show,
  writeFormProblemLine,
} from './after-form.ts';
import type { Handling } from './handling.ts';
import { type Ack, acknowledge, type Incoming, measureIncomingMs, toIncomingView } from './incoming.ts';
import { createSlackLateError } from './turns.ts';
import { redrawFormWindow } from './windows.ts';

export interface AnswerViewDeps {
  readonly handling: Handling;
  readonly ack: Ack;
}

/** Leaves time to find the words, before `bolt-app.ts` acknowledges without any, which closes the modal. */
const READY_MS = 1_800;

/** Tells Slack what to do with the modal, and does what follows. Input is not lost: a refused form stays open, and one that is
 *  decided too late waits, and comes back if it was refused. */
export async function answerView({ handling, ack }: AnswerViewDeps, incoming: Incoming): Promise<void> {
  const { view } = incoming;
  const listener = view === null ? null : handling.table.find('view', view.callback_id ?? '');
  if (view === null || listener === null) return void (await acknowledge(ack));
  const sent = { handling, incoming, listener, view };
  const admitted = await admit(sent);
  if ('error' in admitted) return void (await acknowledge(ack, toResponse(await refusal(sent, admitted))));
  const { context, isFirst } = admitted;
  if (!isFirst) return void (await acknowledge(ack));
  const asked = decide(sent, context);
  const ready = await finishInTime(asked, READY_MS - measureIncomingMs(incoming));
  if (ready === null) return answerFormLate(sent, { ack, context, asked });
  const show = 'error' in ready ? await refusal(sent, ready) : ready.answer.show;
  const isTold = await acknowledge(ack, toResponse(show));
  if (isTold && 'answer' in ready) await finishForm(sent, ready, show);
}

/** Always in time: a form is acknowledged only once its sender is known, and nothing is done for an unknown one. */
async function admit({
  handling,
  incoming,
}: Sent): Promise<Problem | { readonly context: SlackContext; readonly isFirst: boolean }> {
  let context: SlackContext | null = null;
  const find = async () => {
    const found = await handling.contextOf(incoming);
    context = found;
    // Begun now: a late message needs the words at once.
    void found.words();
    return { context: found, isFirst: await handling.admit(incoming, found) };
  };
  try {
    const admitted = await finishInTime(find(), READY_MS - measureIncomingMs(incoming));
    return admitted ?? { error: createSlackLateError(), context };
  } catch (error) {
    return { error, context };
  }
}

/** Never rejects. */
async function decide(sent: Sent, context: SlackContext): Promise<Problem | Decided> {
  const { handling, incoming, listener, view } = sent;
  const submit = () => listener.submit(context, toIncomingView(view));
  try {
    return { answer: await handling.turns.take(context, incoming, submit), context };
  } catch (error) {
    return { error, context };
  }
}

/** Keeps the modal open, with all that was filled in. */
async function refusal(sent: Sent, problem: Problem): Promise<Show> {
  const line = await writeFormProblemLine(sent, problem);
  const input = sent.view.blocks?.find(({ type }) => type === 'input')?.block_id;
  if (input !== undefined) return { kind: 'errors', errors: { [input]: line } };
  return { kind: 'update', view: redrawFormWindow(sent.view, line) };
}

function toResponse(show: Show): ViewResponseAction | undefined {
  switch (show.kind) {
    case 'close':
      return undefined;
    case 'errors':
      return { response_action: 'errors', errors: { ...show.errors } };
    case 'update':
      return { response_action: 'update', view: show.view };
  }
}
