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
  /** Of a whole operation, with all waiting and repeating, and of a whole test; 10,000 by default. */
  readonly timeoutMs?: number;
  /** Of one call of an operation; 4,000 by default. */
  readonly attemptTimeoutMs?: number;
  /** Of finding out whether a service has our extension; 1,000 by default. */
  readonly probeTimeoutMs?: number;
  /** Of making a connection; 3,000 by default. */
  readonly connectTimeoutMs?: number;
  /** What is different from `defaultPolicyOptions`. */
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
  // A test is to find out how things are, so nothing stands between it and the service.
  const sendPlainly = createSend({ dispatcher, timeoutMs });
  // What a service does where the specification has nothing must pause or slow nothing else.
  const probe = createSend({ dispatcher, timeoutMs: probeTimeoutMs });
  const extensions = createExtensionMemory(clock);
  return {
    connect: (connection) => createRemoteLearningService(connection, { send, probe, clock, extensions }),
    test: (connection, signal) => testConnection(connection, { send: sendPlainly, clock, timeoutMs, signal }),
    // Calls that still run fail: whoever closes has let his requests end before.
    close: () => dispatcher.destroy(),
  };
}
