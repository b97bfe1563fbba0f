import { finishInTime } from '#domain/async/deadline';
import type { ModalView } from '../blocks/block-kit.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext, SlackReply } from '../listener.ts';
import { respond } from '../slack-api/respond.ts';
import { type Attempt, HOME, type ListenerTable, toReplacement } from './attempts.ts';
import { deliverReply } from './deliver.ts';
import type { Failures } from './failures.ts';
import { type Incoming, measureIncomingMs, type RawView } from './incoming.ts';
import { findPersonWordsInTime, type PersonWords } from './person-words.ts';
import type { Turns } from './turns.ts';
import { messageWindow, waitingWindow } from './windows.ts';

/** What came of a request. */
export interface Outcome {
  readonly reply: SlackReply;
  /** Null if it is not known who asked. */
  readonly context: SlackContext | null;
  readonly listener: string;
  /** Null if it must not be tried again. */
  readonly attempt: Attempt | null;
}

/** Where a reply goes, if the request alone does not say so. */
export interface Whereto {
  readonly hasMessage?: boolean;
  readonly view?: RawView | null;
  readonly waitingView?: string | null;
}

/** How people see the outcome of their request. */
export interface Showing {
  /** Never rejects: if it cannot be shown, it says at least that, if it can. */
  show(outcome: Outcome, incoming: Incoming, whereto?: Whereto): Promise<void>;
  /** Opens a window that the late answer can be put into. Never rejects. @returns its id; null where none can be opened */
  openWaiting(incoming: Incoming): Promise<string | null>;
}

export interface ShowingDeps {
  readonly deps: Pick<SlackFaceDeps, 'onProblem'>;
  readonly table: ListenerTable;
  readonly turns: Turns;
  readonly failures: Failures;
  readonly personWords: PersonWords;
  contextOf(incoming: Incoming): Promise<SlackContext>;
  fail(error: unknown, asked: Omit<Outcome, 'reply'>): Promise<Outcome>;
}

/** Slack lets a window be opened for 3 s; a call takes a while. */
const TRIGGER_MS = 2_800;

export function createShowing(given: ShowingDeps): Showing {
  const { deps, turns, personWords } = given;

  const show: Showing['show'] = async (outcome, incoming, whereto = {}) => {
    const { reply, context, ...asked } = outcome;
    const { hasMessage = false, view = incoming.view, waitingView = null } = whereto;
    try {
      if (context === null) return await showStranger(reply, incoming);
      const { onProblem } = deps;
      const opened = await deliverReply(reply, { context, view, hasMessage, waitingView, onProblem });
      if (opened === null || reply.kind !== 'modal' || reply.afterwards === undefined) return;
      const after = await turns
        .take(context, incoming, reply.afterwards)
        .then((next) => ({ ...asked, reply: next, context }))
        .catch((error: unknown) => given.fail(error, { ...asked, context }));
      // Nothing else will replace what waits there, so a failure must.
      const shown = { view: asRaw(reply.view, opened) };
      await show({ ...after, reply: toReplacement(after.reply) }, incoming, shown);
    } catch (error) {
      await tell(given, { error, outcome, incoming, whereto }).catch(deps.onProblem);
    }
  };

  return {
    show,
    async openWaiting(incoming) {
      try {
        // Not knowing in time who asks must not delay the message.
        const context = await finishInTime(
          given.contextOf(incoming),
          TRIGGER_MS - measureIncomingMs(incoming),
        );
        if (context === null || context.triggerId === null) return null;
        const words = await findPersonWordsInTime(context, personWords);
        if (measureIncomingMs(incoming) > TRIGGER_MS) return null;
        return await context.slack.openView(context.triggerId, waitingWindow(words));
      } catch (error) {
        deps.onProblem(error);
        return null;
      }
    },
  };
}

/** The parts of an opened modal that are needed to change it. */
const asRaw = (view: ModalView, id: string): RawView => ({ ...view, id });

/** Somebody whose workspace is unknown here can be answered only through an address in the request. */
async function showStranger(reply: SlackReply, { responseUrl }: Incoming): Promise<void> {
  if (responseUrl === null || (reply.kind !== 'message' && reply.kind !== 'replace')) return;
  await respond(responseUrl, reply.message, { how: 'ephemeral' });
}

interface Untold {
  readonly error: unknown;
  readonly outcome: Outcome;
  readonly incoming: Incoming;
  readonly whereto: Whereto;
}

/** Says that an answer could not be shown: beside the message, in the modal that waits for it, or on Home. A global shortcut has
 *  no such place: then it is only in the log. */
async function tell(given: ShowingDeps, { error, outcome, incoming, whereto }: Untold): Promise<void> {
  const { failures, personWords, table } = given;
  const { context } = outcome;
  const failed = { ...outcome, error };
  const waiting = findWaiting(whereto);
  if (context !== null && waiting === null && incoming.view?.type === 'home') {
    const line = escapeMrkdwn(await failures.toLine(failed));
    return table.find('home', HOME)?.handle(context, line);
  }
  const message = await failures.toMessage(failed);
  if (incoming.responseUrl !== null) return respond(incoming.responseUrl, message, { how: 'ephemeral' });
  if (context === null || waiting === null) return;
  await context.slack.updateView(
    { id: waiting },
    messageWindow(message, await findPersonWordsInTime(context, personWords)),
  );
}

/** A modal that shows nothing of its own, as it was opened for this answer. */
function findWaiting({ waitingView, view }: Whereto): string | null {
  if (waitingView) return waitingView;
  return view?.type === 'modal' && view.hash === undefined ? view.id : null;
}
