import { Agent } from 'undici';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { Upstreams } from '../../ports/upstream.ts';
import { createGuardedConnector, isPublicAddress, type LookupAll } from './guarded-connector.ts';
import { defaultPolicyOptions, type PolicyOptions, withPolicies } from './policies/policies.ts';
import { createRemoteLearningService } from './remote-learning-service.ts';
import { createExtensionMemory } from './search-extension.ts';
import { createSend } from './send.ts';
import { testConnection } from './test-connection.ts';

export interface UpstreamsOptions {
  /** Whether services in private networks and on this machine may be called. Off where tenants choose addresses that the
   *  operator of the host does not know. */
  readonly allowPrivate: boolean;
  /** Time of a whole operation, with all waiting and repeating, and of a whole test; 10,000 by default. */
  readonly timeoutMs?: number;
  /** Time of one call of an operation; 4,000 by default. */
  readonly attemptTimeoutMs?: number;
  /** Time for finding out whether a service has our extension; 1,000 by default. */
  readonly probeTimeoutMs?: number;
  /** Time for making a connection; 3,000 by default. */
  readonly connectTimeoutMs?: number;
  /** Options that differ from `defaultPolicyOptions`. */
  readonly policies?: Partial<PolicyOptions>;
  readonly clock?: Clock;
  /** The system's resolver by default. */
  readonly lookup?: LookupAll;
}

/** Ways to services of the specification, over connections that are kept open. */
export function createUpstreams(options: UpstreamsOptions): Upstreams & { close(): Promise<void> } {
  const { allowPrivate, timeoutMs = 10_000, attemptTimeoutMs = 4_000, connectTimeoutMs = 3_000 } = options;
  const { probeTimeoutMs = 1_000 } = options;
  const { clock = systemClock, lookup, policies } = options;
  const isAllowed = allowPrivate ? () => true : isPublicAddress;
  const dispatcher = new Agent({
    connect: createGuardedConnector({ isAllowed, timeoutMs: connectTimeoutMs, lookup }),
  });
  const send = withPolicies(createSend({ dispatcher, timeoutMs: attemptTimeoutMs }), {
    ...defaultPolicyOptions,
    ...policies,
    timeoutMs,
    clock,
  });
  // A test shows the real state, so no policy stands between it and the service.
  const sendPlainly = createSend({ dispatcher, timeoutMs });
  // Behaviour at an address outside the specification must not pause or slow anything else.
  const probe = createSend({ dispatcher, timeoutMs: probeTimeoutMs });
  const extensions = createExtensionMemory(clock);
  return {
    connect: (connection) => createRemoteLearningService(connection, { send, probe, clock, extensions }),
    test: (connection, signal) => testConnection(connection, { send: sendPlainly, clock, timeoutMs, signal }),
    // Running calls fail: requests have ended before this is closed.
    close: () => dispatcher.destroy(),
  };
}
