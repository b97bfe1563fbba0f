import { Agent } from 'undici';
import { type OperationName, operations } from '../../../contract/index.ts';
import type { UpstreamConnection, UpstreamInspector } from '../../../ports/upstream.ts';
import { locate } from '../endpoints.ts';
import { createSend } from '../send.ts';
import { inspectCompetency } from './competency.ts';
import { giveUpOnDeadHosts } from './dead-hosts.ts';
import { inspectFeedback } from './feedback.ts';
import { inspectLists } from './lists.ts';
import { createProbe } from './probe.ts';
import { inspectSearch } from './search.ts';

export interface InspectorOptions {
  /** Of a whole call; 10,000 by default. */
  readonly timeoutMs?: number;
}

/** Compares services with the specification, wherever they are: whoever inspects one names its address himself. */
export function createInspector({ timeoutMs = 10_000 }: InspectorOptions = {}): UpstreamInspector & {
  close(): Promise<void>;
} {
  const agent = new Agent();
  return {
    async *inspect(connection, { withFeedback = false } = {}) {
      refuseUnusable(connection);
      const probe = createProbe(connection, giveUpOnDeadHosts(createSend({ dispatcher: agent, timeoutMs })));
      const lists = yield* inspectLists(probe);
      yield* inspectCompetency(probe);
      const seen = yield* inspectSearch(probe, lists);
      if (withFeedback && seen !== null) yield* inspectFeedback(probe, seen);
    },
    close: () => agent.destroy(),
  };
}

/** Errors: UPSTREAM_ADDRESS_REFUSED, UPSTREAM_KEY_REFUSED. */
function refuseUnusable(connection: UpstreamConnection): void {
  for (const operation of Object.keys(operations) as OperationName[]) locate(connection, operation);
}
