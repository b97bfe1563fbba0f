import { inTime } from '../../../services/in-time.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { type Ack, acknowledge } from './acknowledge.ts';
import type { Attempt } from './attempts.ts';
import type { Handling } from './handling.ts';
import { elapsedMs, type Incoming } from './incoming.ts';
import { messageBody } from './respond.ts';
import type { Outcome } from './showing.ts';

export interface AnswerCommandDeps {
  readonly handling: Handling;
  readonly deps: Pick<SlackFaceDeps, 'usage'>;
  readonly ack: Ack;
}

/** Slack waits for 3 s, and tells people that the app has failed after that. */
const READY_MS = 1_800;
/** Where many wait, what is not ready by then is acknowledged without its answer, while there is time for all of them. */
const CROWDED_MS = 600;

/** Acknowledges with the answer where it is ready in time, else at once and with the answer to follow. */
export async function answerCommand(
  { handling, deps, ack }: AnswerCommandDeps,
  incoming: Incoming,
  attempt: Extract<Attempt, { kind: 'command' }>,
): Promise<void> {
  const asked = handling.ask(incoming, attempt, ({ owner }) =>
    deps.usage.count(owner.tenantId, 'slack-commands'),
  );
  const within = (timeoutMs: number) => inTime(asked, timeoutMs - elapsedMs(incoming));
  const soon = await within(CROWDED_MS);
  const ready = soon ?? (handling.isCrowded() ? null : await within(READY_MS));
  const said = ready === null ? null : messageOf(ready);
  const isAcknowledged = await acknowledge(ack, said ?? undefined);
  if (said === null || !isAcknowledged) await handling.show(await asked, incoming);
}

function messageOf({ reply }: Outcome): object | null {
  if (reply.kind !== 'message' && reply.kind !== 'replace') return null;
  return { ...messageBody(reply.message), response_type: 'ephemeral' };
}
