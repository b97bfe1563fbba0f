import { inTime } from '../../../services/in-time.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { OptionsListener } from '../listener.ts';
import { messageBody } from '../slack-api/respond.ts';
import { type Attempt, HOME } from './attempts.ts';
import { isBusy } from './failures.ts';
import type { Handling } from './handling.ts';
import { type Ack, acknowledge, elapsedMs, type Incoming } from './incoming.ts';
import type { Outcome } from './showing.ts';

export interface AnswerDeps {
  readonly handling: Handling;
  readonly deps: Pick<SlackFaceDeps, 'usage' | 'onProblem'>;
}

interface AckDeps extends AnswerDeps {
  readonly ack: Ack;
}

/** Slack waits for 3 s, and tells people that the app has failed after that. */
const COMMAND_MS = 1_800;
/** Where many wait, what is not ready by then is acknowledged without its answer, while there is time for all of them. */
const CROWDED_MS = 600;

/** Acknowledges with the answer where it is ready in time, else at once and with the answer to follow. */
export async function answerCommand(
  { handling, deps, ack }: AckDeps,
  incoming: Incoming,
  attempt: Extract<Attempt, { kind: 'command' }>,
): Promise<void> {
  const asked = handling.ask(incoming, attempt, ({ owner }) =>
    deps.usage.count(owner.tenantId, 'slack-commands'),
  );
  const within = (timeoutMs: number) => inTime(asked, timeoutMs - elapsedMs(incoming));
  const soon = await within(CROWDED_MS);
  const ready = soon ?? (handling.isCrowded() ? null : await within(COMMAND_MS));
  const said = ready === null ? null : messageOf(ready);
  const isAcknowledged = await acknowledge(ack, said ?? undefined);
  if (said === null || !isAcknowledged) await handling.show(await asked, incoming);
}

function messageOf({ reply }: Outcome): object | null {
  if (reply.kind !== 'message' && reply.kind !== 'replace') return null;
  return { ...messageBody(reply.message), response_type: 'ephemeral' };
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

type Options = Awaited<ReturnType<OptionsListener['handle']>>;

interface Typing {
  readonly name: string;
  readonly typed: string;
}

/** Who types waits less than who asks. */
const TYPING_MS = 1_500;

/** Gives choices, and none where they are late, refused or fail: who types goes on typing. */
export async function answerOptions(
  { handling, deps, ack }: AckDeps,
  incoming: Incoming,
  typing: Typing,
): Promise<void> {
  const found = findOptions(handling, incoming, typing).catch((error: unknown) => {
    if (!isBusy(error)) deps.onProblem(error);
    return [];
  });
  const options = (await inTime(found, TYPING_MS - elapsedMs(incoming))) ?? [];
  const hasGroups = options.some((option) => 'options' in option);
  await acknowledge(ack, hasGroups ? { option_groups: options } : { options });
}

async function findOptions(
  { table, turns, contextOf }: Handling,
  incoming: Incoming,
  { name, typed }: Typing,
): Promise<Options> {
  const listener = table.find('options', name);
  if (listener === null) return [];
  const context = await contextOf(incoming);
  await turns.spend(context, 'typing');
  return turns.take(context, incoming, async () =>
    // Nobody waits for what comes to its turn too late.
    elapsedMs(incoming) > TYPING_MS ? [] : listener.handle(context, typed),
  );
}
