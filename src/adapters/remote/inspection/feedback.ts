import { writeFeedbackRequest } from '../../../contract/index.ts';
import type { Inspection } from '../../../ports/upstream.ts';
import { inspectRefusals } from './competency.ts';
import { expectTaken } from './judge.ts';
import type { Probe } from './probe.ts';
import type { ObjectSeen } from './search.ts';

/** One feedback that says what it is, and the same without a good key. */
export async function* inspectFeedback(
  probe: Probe,
  { url, requestId }: ObjectSeen,
): AsyncGenerator<Inspection> {
  const body = writeFeedbackRequest({
    url,
    requestId,
    comment: 'A test of the interface. Please ignore it.',
    email: 'skilldock@example.org',
    source: 'https://example.org/skilldock-doctor',
  });
  const trial = { operation: 'feedback', purpose: '', question: { body }, judge: expectTaken } as const;
  yield (await probe(trial)).inspection;
  yield* inspectRefusals(probe, 'feedback', { body });
}
