import type { ViewResponseAction } from '@slack/bolt';
import { inTime } from '../../../services/in-time.ts';
import type { KnownBlock, ModalView } from '../blocks/block-kit.ts';
import type { SlackContext, SlackReply, ViewAnswer, ViewListener } from '../listener.ts';
import { type Ack, acknowledge } from './acknowledge.ts';
import { errorsText } from './attempts.ts';
import { slackLate } from './deadline.ts';
import type { Handling } from './handling.ts';
import { elapsedMs, type Incoming, type RawView, toSlackView } from './incoming.ts';
import { wordsInTime } from './person-words.ts';
import { inPlace } from './try-again.ts';
import { doneWindow, formAgain, waitingWindow } from './windows.ts';

export interface AnswerViewDeps {
  readonly handling: Handling;
  readonly ack: Ack;
}

type Show = ViewAnswer['show'];

/** A form that was sent. */
interface Sent {
  readonly handling: Handling;
  readonly incoming: Incoming;
  readonly listener: ViewListener;
  readonly view: RawView;
}

/** What went wrong with it, and whose it is, where that is known. */
interface Problem {
  readonly error: unknown;
  readonly context: SlackContext | null;
}

interface Decided {
  readonly answer: ViewAnswer;
  readonly context: SlackContext;
}

const READY_MS = 2_000;

/** Tells Slack what becomes of the modal, and does what is to be done after that. What is filled in is not lost: a form that
 *  cannot be taken stays, one that is decided too late waits and comes back where it was not taken. */
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
  const ready = await inTime(asked, READY_MS - elapsedMs(incoming));
  if (ready === null) return answerLate(sent, { ack, context, asked });
  const show = 'error' in ready ? await refusal(sent, ready) : ready.answer.show;
  const isTold = await acknowledge(ack, toResponse(show));
  if (isTold && 'answer' in ready) await goOn(sent, ready, show);
}

/** In time always: a form is only let go of when it is known whose it is, and nothing is done for one that is not. */
async function admit({
  handling,
  incoming,
}: Sent): Promise<Problem | { readonly context: SlackContext; readonly isFirst: boolean }> {
  let context: SlackContext | null = null;
  const find = async () => {
    const found = await handling.contextOf(incoming);
    context = found;
    return { context: found, isFirst: await handling.admit(incoming, found) };
  };
  try {
    const admitted = await inTime(find(), READY_MS - elapsedMs(incoming));
    return admitted ?? { error: slackLate(), context };
  } catch (error) {
    return { error, context };
  }
}

/** Never rejects. */
async function decide(sent: Sent, context: SlackContext): Promise<Problem | Decided> {
  const { handling, incoming, listener, view } = sent;
  const submit = () => listener.submit(context, toSlackView(view));
  try {
    return { answer: await handling.turns.take(context, incoming, submit), context };
  } catch (error) {
    return { error, context };
  }
}

/** Keeps the modal open, with all that was filled in. */
async function refusal(sent: Sent, problem: Problem): Promise<Show> {
  const line = await lineOf(sent, problem);
  const input = sent.view.blocks?.find(({ type }) => type === 'input')?.block_id;
  if (input !== undefined) return { kind: 'errors', errors: { [input]: line } };
  return { kind: 'update', view: formAgain(sent.view, line) };
}

const lineOf = ({ handling, listener }: Sent, problem: Problem): Promise<string> =>
  handling.failures.toLine({ ...problem, listener: listener.callbackId });

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

interface Late {
  readonly ack: Ack;
  readonly context: SlackContext;
  readonly asked: Promise<Problem | Decided>;
}

async function answerLate(sent: Sent, { ack, context, asked }: Late): Promise<void> {
  const { handling, incoming, listener, view } = sent;
  const words = await wordsInTime(context, handling.personWords);
  await acknowledge(ack, { response_action: 'update', view: waitingWindow(words) });
  const decided = await asked;
  const shown =
    'error' in decided
      ? formAgain(view, await lineOf(sent, decided))
      : lateView(decided.answer.show, view, doneWindow(words));
  const outcome = { context, listener: listener.callbackId, attempt: null };
  await handling.show({ ...outcome, reply: { kind: 'modal', view: shown } }, incoming, {
    waitingView: view.id,
  });
  if ('answer' in decided) await goOn(sent, decided, { kind: 'update', view: shown });
}

/** A modal that waits can only be changed. */
function lateView(show: Show, sent: RawView, done: ModalView): ModalView {
  if (show.kind === 'update') return show.view;
  return show.kind === 'errors' ? formAgain(sent, errorsText(show)) : done;
}

/** What comes after Slack was told goes into the modal that is shown then. */
async function goOn(sent: Sent, { answer, context }: Decided, show: Show): Promise<void> {
  const { handling, incoming, listener, view } = sent;
  const { afterwards, isRepeatable = false } = answer;
  if (afterwards === undefined) return;
  const attempt = isRepeatable
    ? ({ kind: 'view', name: listener.callbackId, view: toSlackView(view) } as const)
    : null;
  const asked = { context, listener: listener.callbackId, attempt };
  const reply = await handling.turns
    .take(context, incoming, afterwards)
    .catch(async (error: unknown): Promise<SlackReply> => {
      const message = await handling.failures.toMessage({ ...asked, error });
      const before = show.kind === 'update' && !isRepeatable ? (show.view.blocks as KnownBlock[]) : [];
      return { kind: 'message', message: { ...message, blocks: [...before, ...message.blocks] } };
    });
  await handling.show({ ...asked, reply: inPlace(reply) }, incoming, { view: shownAfter(show, view) });
}

/** The view that people see once Slack was told. */
function shownAfter(show: Show, { id, ...before }: RawView): RawView | null {
  if (show.kind === 'close') return null;
  return show.kind === 'errors' ? { ...before, id } : { ...show.view, id };
}
