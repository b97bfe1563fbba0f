import type { KnownBlock, ModalView } from '../blocks/block-kit.ts';
import type { SlackContext, SlackReply, ViewAnswer, ViewListener } from '../listener.ts';
import { toReplacement, writeAttemptErrors } from './attempts.ts';
import type { Handling } from './handling.ts';
import { type Ack, acknowledge, type Incoming, type RawView, toIncomingView } from './incoming.ts';
import { findPersonWordsInTime } from './person-words.ts';
import { doneWindow, redrawFormWindow, waitingWindow } from './windows.ts';

export type Show = ViewAnswer['show'];

/** A form that was sent. */
export interface Sent {
  readonly handling: Handling;
  readonly incoming: Incoming;
  readonly listener: ViewListener;
  readonly view: RawView;
}

/** What went wrong with it, and who sent it, if that is known. */
export interface Problem {
  readonly error: unknown;
  readonly context: SlackContext | null;
}

export interface Decided {
  readonly answer: ViewAnswer;
  readonly context: SlackContext;
}

/** Why it was not taken, for the field of a form. */
export const writeFormProblemLine = ({ handling, listener }: Sent, problem: Problem): Promise<string> =>
  handling.failures.toLine({ ...problem, listener: listener.callbackId });

interface Late {
  readonly ack: Ack;
  readonly context: SlackContext;
  readonly asked: Promise<Problem | Decided>;
}

/** A form that is not decided in time stays open and waiting, and shows the outcome later. */
export async function answerFormLate(sent: Sent, { ack, context, asked }: Late): Promise<void> {
  const { handling, incoming, listener, view } = sent;
  const words = await findPersonWordsInTime(context, handling.personWords);
  await acknowledge(ack, { response_action: 'update', view: waitingWindow(words) });
  const decided = await asked;
  const shown =
    'error' in decided
      ? redrawFormWindow(view, await writeFormProblemLine(sent, decided))
      : lateView(decided.answer.show, view, doneWindow(words));
  const outcome = { context, listener: listener.callbackId, attempt: null };
  await handling.show({ ...outcome, reply: { kind: 'modal', view: shown } }, incoming, {
    waitingView: view.id,
  });
  if ('answer' in decided) await finishForm(sent, decided, { kind: 'update', view: shown });
}

/** A modal that waits can only be changed. */
function lateView(show: Show, sent: RawView, done: ModalView): ModalView {
  if (show.kind === 'update') return show.view;
  return show.kind === 'errors' ? redrawFormWindow(sent, writeAttemptErrors(show)) : done;
}

/** Whatever follows the answer to Slack goes into the modal that is then shown. */
export async function finishForm(sent: Sent, { answer, context }: Decided, show: Show): Promise<void> {
  const { handling, incoming, listener, view } = sent;
  const { afterwards, isRepeatable = false } = answer;
  if (afterwards === undefined) return;
  const attempt = isRepeatable
    ? ({ kind: 'view', name: listener.callbackId, view: toIncomingView(view) } as const)
    : null;
  const asked = { context, listener: listener.callbackId, attempt };
  const reply = await handling.turns
    .take(context, incoming, afterwards)
    .catch(async (error: unknown): Promise<SlackReply> => {
      const message = await handling.failures.toMessage({ ...asked, error });
      const before = show.kind === 'update' && !isRepeatable ? (show.view.blocks as KnownBlock[]) : [];
      return { kind: 'message', message: { ...message, blocks: [...before, ...message.blocks] } };
    });
  await handling.show({ ...asked, reply: toReplacement(reply) }, incoming, { view: shownAfter(show, view) });
}

/** The view that people see once Slack was told. */
function shownAfter(show: Show, { id, ...before }: RawView): RawView | null {
  if (show.kind === 'close') return null;
  return show.kind === 'errors' ? { ...before, id } : { ...show.view, id };
}
