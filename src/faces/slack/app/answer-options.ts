import { inTime } from '../../../services/in-time.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { OptionsListener } from '../listener.ts';
import { type Ack, acknowledge } from './acknowledge.ts';
import { isBusy } from './failures.ts';
import type { Handling } from './handling.ts';
import { elapsedMs, type Incoming } from './incoming.ts';

type Options = Awaited<ReturnType<OptionsListener['handle']>>;

export interface AnswerOptionsDeps {
  readonly handling: Handling;
  readonly deps: Pick<SlackFaceDeps, 'onProblem'>;
  readonly ack: Ack;
}

interface Typing {
  readonly name: string;
  readonly typed: string;
}

/** Who types waits less than who asks. */
const READY_MS = 1_500;

/** Gives choices, and none where they are late, refused or fail: who types goes on typing. */
export async function answerOptions(
  { handling, deps, ack }: AnswerOptionsDeps,
  incoming: Incoming,
  typing: Typing,
): Promise<void> {
  const found = findOptions(handling, incoming, typing).catch((error: unknown) => {
    if (!isBusy(error)) deps.onProblem(error);
    return [];
  });
  const options = (await inTime(found, READY_MS - elapsedMs(incoming))) ?? [];
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
    elapsedMs(incoming) > READY_MS ? [] : listener.handle(context, typed),
  );
}
