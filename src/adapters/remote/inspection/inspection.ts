import { Agent } from 'undici';
import { operations, writeFeedbackRequest } from '#contract/index';
import { isOpenAddress } from '#domain/address-kinds';
import { AppError } from '#errors';
import type { Inspection, UpstreamConnection, UpstreamInspector } from '#ports/upstream';
import type { Call, Send } from '../call.ts';
import { locateEndpoint } from '../endpoints.ts';
import { createGuardedConnector } from '../guarded-connector.ts';
import { createSend } from '../send.ts';
import { type ConnectionFailure, isSilenceError } from '../transport-errors.ts';
import { inspectCompetency, inspectRefusals } from './competency.ts';
import { judgeFeedbackAnswer } from './judge.ts';
import { inspectLists } from './lists.ts';
import { createProbe, type Probe } from './probe.ts';
import { inspectSearch, type ObjectSeen } from './search.ts';

export interface InspectorOptions {
  /** Time of a whole call; 10,000 by default. */
  readonly timeoutMs?: number;
}

/** Compares services with the specification, also in private networks: the person who inspects one names its address. */
export function createInspector({ timeoutMs = 10_000 }: InspectorOptions = {}): UpstreamInspector & {
  close(): Promise<void>;
} {
  const agent = new Agent({ connect: createGuardedConnector({ isAllowed: isOpenAddress, timeoutMs }) });
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
  for (const operation of Object.values(operations)) locateEndpoint(connection, operation);
}

/** One feedback that says what it is, and the same without a good key. */
async function* inspectFeedback(probe: Probe, { url, requestId }: ObjectSeen): AsyncGenerator<Inspection> {
  const body = writeFeedbackRequest({
    url,
    requestId,
    comment: 'A test of the interface. Please ignore it.',
    email: 'skilldock@example.org',
    source: 'https://example.org/skilldock-doctor',
  });
  const trial = {
    operation: operations.feedback,
    purpose: '',
    question: { body },
    judge: judgeFeedbackAnswer,
  } as const;
  yield (await probe(trial)).inspection;
  yield* inspectRefusals(probe, operations.feedback, { body });
}

/** Unanswered calls before a host that answered none is given up: one may be the fault of its operation. */
const MAX_SILENT = 3;

/** Does not let every call wait for a host that is down: one that refuses connections, or has answered none of three calls.
 *  Errors: UPSTREAM_PAUSED for what is not asked any more. */
function giveUpOnDeadHosts(send: Send): Send {
  const alive = new Set<string>();
  const silent = new Map<string, number>();
  return async (call) => {
    const { host } = call.url;
    const failures = silent.get(host) ?? 0;
    if (failures >= MAX_SILENT && !alive.has(host)) throw notAsked(call);
    try {
      const answer = await send(call);
      alive.add(host);
      return answer;
    } catch (error) {
      // There was an answer, whatever is wrong with it.
      if (!isSilenceError(error)) alive.add(host);
      else silent.set(host, isUnmade(error) ? MAX_SILENT : failures + 1);
      throw error;
    }
  };
}

function isUnmade({ code, data }: AppError): boolean {
  return code === 'UPSTREAM_UNREACHABLE' && data.connection !== ('broken' satisfies ConnectionFailure);
}

function notAsked({ url, operation }: Call): AppError {
  return new AppError(
    'UPSTREAM_PAUSED',
    `${url.host} answered nothing before, so ${operation} was not asked.`,
    {
      data: { operation },
    },
  );
}
