import { inTime } from '../../../services/in-time.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { type Attempt, HOME } from './attempts.ts';
import type { Handling } from './handling.ts';
import { elapsedMs, type Incoming } from './incoming.ts';

export interface AnswerDeps {
  readonly handling: Handling;
  readonly deps: Pick<SlackFaceDeps, 'usage'>;
}

/** A window can be opened for 3 s only: one that waits is opened where the answer takes longer than this. */
const WINDOW_MS = 1_500;

/** Of a message or a modal: what comes of it goes there, however late. */
export async function answerInConversation(
  { handling }: Pick<AnswerDeps, 'handling'>,
  incoming: Incoming,
  attempt: Attempt,
): Promise<void> {
  if (handling.table.find(attempt.kind, attempt.name) === null) return;
  await handling.show(await handling.ask(incoming, attempt), incoming, { hasMessage: true });
}

/** From where only a window can answer: a shortcut, the home page. */
export async function answerInWindow(
  { handling, deps }: AnswerDeps,
  incoming: Incoming,
  attempt: Attempt,
): Promise<void> {
  if (handling.table.find(attempt.kind, attempt.name) === null) return;
  const asked = handling.ask(incoming, attempt, ({ owner }) => {
    if (attempt.kind === 'shortcut') deps.usage.count(owner.tenantId, 'slack-commands');
  });
  const ready = await inTime(asked, WINDOW_MS - elapsedMs(incoming));
  const waitingView = ready === null ? await handling.openWaiting(incoming) : null;
  await handling.show(await asked, incoming, { waitingView });
}

/** Home draws itself; where that fails, the failure takes its place. */
export async function answerHome(
  { handling }: Pick<AnswerDeps, 'handling'>,
  incoming: Incoming,
): Promise<void> {
  if (handling.table.find('home', HOME) === null) return;
  const outcome = await handling.ask(incoming, { kind: 'home', name: HOME });
  await handling.show(outcome, incoming, { view: { id: '', type: 'home' } });
}
