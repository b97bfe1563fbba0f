import { checkMessage, checkView } from '../block-kit/check.ts';
import type { Ack } from '../deliveries.ts';
import type { SlackParts } from '../parts.ts';
import { describe, readRefusal } from '../refusal.ts';
import { type Answer, toMessage } from '../response-urls.ts';
import type { StoredView, ViewPayload } from '../views.ts';
import type { Actor } from '../world.ts';

/** Shows what the app answered at once. */
export interface ApplyAck {
  /** A message, for the person alone unless it says otherwise; then the command shows as well. */
  command(ack: Ack, actor: Actor, typed: string): void;
  /** Closes, changes or covers the modal, or says what is wrong in it. */
  submission(ack: Ack, view: StoredView): void;
  /** Anything else has an empty answer. */
  nothing(ack: Ack): void;
}

interface SubmissionAnswer {
  readonly response_action?: unknown;
  readonly view?: unknown;
  readonly errors?: unknown;
}

export function createApplyAck({ conversations, views, onProblem }: SlackParts): ApplyAck {
  const report = (ack: Ack, problem: string) => onProblem(`${ack.delivery.about}, answer: ${problem}`);
  const showMessage = (actor: Actor, answer: Answer) => void conversations.add(toMessage(actor, answer));

  function showView(ack: Ack, payload: unknown, show: (view: ViewPayload) => void): void {
    const problems = checkView(payload);
    for (const problem of problems) report(ack, describe(problem));
    if (problems.length > 0) return;
    try {
      show(payload as ViewPayload);
    } catch (thrown) {
      report(ack, readRefusal(thrown)?.error ?? String(thrown));
    }
  }

  function showErrors(ack: Ack, view: StoredView, errors: unknown): void {
    const entries = Object.entries(Object(errors) as Record<string, unknown>);
    const inputs = view.blocks.filter(({ type }) => type === 'input').map(({ block_id }) => block_id);
    if (entries.length === 0) report(ack, 'errors: is empty');
    for (const [blockId, error] of entries) {
      if (!inputs.includes(blockId)) report(ack, `errors.${blockId}: is no input`);
      if (typeof error !== 'string' || error === '') report(ack, `errors.${blockId}: is no text`);
    }
    views.refuse(view, Object(errors) as Record<string, string>);
  }

  return {
    command(ack, actor, typed) {
      if (ack.error !== null) {
        const [command] = typed.split(' ');
        const text = `${command} failed with the error "${ack.error}"`;
        conversations.add({ channelId: actor.channelId, from: 'slackbot', visibleTo: actor.userId, text });
        return;
      }
      if (ack.body === null) return;
      if (typeof ack.body === 'string') return showMessage(actor, { text: ack.body });
      const problems = checkMessage(ack.body);
      for (const problem of problems) report(ack, describe(problem));
      if (problems.length > 0) return;
      const answer = ack.body as Answer;
      const { channelId, userId } = actor;
      if (answer.response_type === 'in_channel') conversations.add({ channelId, userId, from: 'person', text: typed });
      showMessage(actor, answer);
    },

    submission(ack, view) {
      // A modal that could not be sent stays, and says so.
      if (ack.error !== null) return views.refuse(view, { '': 'We had some trouble connecting. Try again?' });
      const { response_action: action, view: next, errors } = Object(ack.body) as SubmissionAnswer;
      if (ack.body === null) views.close(view);
      else if (action === 'clear') views.closeAll(view.actor.userId);
      else if (action === 'update') showView(ack, next, (payload) => void views.update(view.id, payload));
      else if (action === 'push') showView(ack, next, (payload) => void views.push(view.id, payload));
      else if (action === 'errors') showErrors(ack, view, errors);
      else report(ack, `response_action: is ${JSON.stringify(action)}`);
    },

    nothing(ack) {
      if (ack.error === null && ack.body !== null && ack.body !== '') report(ack, 'is not empty');
    },
  };
}
