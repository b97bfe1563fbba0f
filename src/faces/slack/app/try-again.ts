import type { KeptStates } from '../../../services/kept-states.ts';
import { notice } from '../blocks/notice.ts';
import { stateOver } from '../kept-state.ts';
import type { ActionListener, SlackContext, SlackReply } from '../listener.ts';
import type { Attempt, ListenerTable } from './attempts.ts';

export const TRY_AGAIN = 'try_again';

/** The button of a failure: asks the same of the same listener, and puts what it says in place of the failure. */
export function tryAgainListener(keptStates: KeptStates, table: () => ListenerTable): ActionListener {
  return {
    kind: 'action',
    actionId: TRY_AGAIN,
    async handle(context, { value }) {
      const attempt = await keptStates.find<Attempt>(context.owner, value);
      if (attempt === null) throw stateOver();
      const reply = await table().perform(attempt, asBefore(context, attempt));
      // What is done needs no words where it can be seen: Home is drawn anew.
      if (reply.kind !== 'done' || context.view?.type === 'home') return inPlace(reply);
      const { t } = await context.words();
      return { kind: 'replace', message: notice(t('slack.done')) };
    },
  };
}

/** What would be told beside what is shown, instead of it. */
export const inPlace = (reply: SlackReply): SlackReply =>
  reply.kind === 'message' ? { kind: 'replace', message: reply.message } : reply;

/** With what was filled in then, in the view that is there now. */
function asBefore(context: SlackContext, attempt: Attempt): SlackContext {
  const before = 'view' in attempt ? attempt.view : null;
  if (before === null) return context;
  const { view: now } = context;
  return {
    ...context,
    view: now === null ? before : { ...before, id: now.id, hash: now.hash, type: now.type },
  };
}
