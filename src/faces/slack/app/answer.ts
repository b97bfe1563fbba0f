import { finishInTime } from '#domain/async/deadline';
import type { SlackFaceDeps } from '../deps.ts';
import type { OptionsListener } from '../listener.ts';
import { toResponseBody } from '../slack-api/respond.ts';
import { type Attempt, HOME } from './attempts.ts';
import { isBusyError } from './failures.ts';
import type { Handling } from './handling.ts';
import { type Ack, acknowledge, type Incoming, measureIncomingMs } from './incoming.ts';
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
/** In a crowd, a request that is not ready by then is acknowledged without its answer, so that all are acknowledged in time. */
const CROWDED_MS = 600;

/** Acknowledges with the answer if it is ready in time; otherwise without it, and the answer follows. */
export async function answerCommand(
  { handling, deps, ack }: AckDeps,
  incoming: Incoming,
  attempt: Extract<Attempt, { kind: 'command' }>,
): Promise<void> {
  const asked = handling.ask(incoming, attempt, ({ owner }) =>
    deps.usage.count(owner.tenantId, 'slack-commands'),
  );
  const within = (timeoutMs: number) => finishInTime(asked, timeoutMs - measureIncomingMs(incoming));
  const soon = await within(CROWDED_MS);
  const ready = soon ?? (handling.isCrowded() ? null : await within(COMMAND_MS));
  const said = ready === null ? null : messageOf(ready);
  const isAcknowledged = await acknowledge(ack, said ?? undefined);
  if (said === null || !isAcknowledged) await handling.show(await asked, incoming);
}

function messageOf({ reply }: Outcome): object | null {
  if (reply.kind !== 'message' && reply.kind !== 'replace') return null;
  return { ...toResponseBody(reply.message), response_type: 'ephemeral' };
}

/** A window can only be opened within 3 s: if the answer takes longer than this, one that says to wait is opened. */
const WINDOW_MS = 1_500;

/** For clicks in a message or a modal: the answer goes there, even if late. */
export async function answerInConversation(
  { handling }: Pick<AnswerDeps, 'handling'>,
  incoming: Incoming,
  attempt: Attempt,
): Promise<void> {
  if (handling.table.find(attempt.kind, attempt.name) === null) return;
  await handling.show(await handling.ask(incoming, attempt), incoming, { hasMessage: true });
}

/** For requests that only a window can answer: a shortcut, or a click on the home page. */
export async function answerInWindow(
  { handling, deps }: AnswerDeps,
  incoming: Incoming,
  attempt: Attempt,
): Promise<void> {
  if (handling.table.find(attempt.kind, attempt.name) === null) return;
  const asked = handling.ask(incoming, attempt, ({ owner }) => {
    if (attempt.kind === 'shortcut') deps.usage.count(owner.tenantId, 'slack-commands');
  });
  const ready = await finishInTime(asked, WINDOW_MS - measureIncomingMs(incoming));
  const waitingView = ready === null ? await handling.openWaiting(incoming) : null;
  await handling.show(await asked, incoming, { waitingView });
}

/** Home draws itself; if that fails, the failure takes its place. */
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

/** People who type wait for less time than people who ask. */
const TYPING_MS = 1_500;

/** Gives choices, or none if they are late, refused or fail: people simply go on typing. */
export async function answerOptions(
  { handling, deps, ack }: AckDeps,
  incoming: Incoming,
  typing: Typing,
): Promise<void> {
  const found = findOptions(handling, incoming, typing).catch((error: unknown) => {
    if (!isBusyError(error)) deps.onProblem(error);
    return [];
  });
  const options = (await finishInTime(found, TYPING_MS - measureIncomingMs(incoming))) ?? [];
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
    // When its turn comes too late, nobody is waiting any more.
    measureIncomingMs(incoming) > TYPING_MS ? [] : listener.handle(context, typed),
  );
}
