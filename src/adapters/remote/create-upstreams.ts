import { Agent } from 'undici';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { Upstreams } from '../../ports/upstream.ts';
import { createGuardedConnector, type LookupAll } from './guarded-connector.ts';
import { isPublicAddress } from './public-address.ts';
import { createRemoteLearningService } from './remote-learning-service.ts';
import { createSearchMemory } from './search-many.ts';
import { createSend } from './send.ts';
import { testConnection } from './test-connection.ts';

export interface UpstreamsOptions {
  /** Whether services in private networks and on this machine may be called. Off where tenants choose addresses that the
   *  operator of the host does not know. */
  readonly allowPrivate: boolean;
  /** Of a whole call; 10,000 by default. */
  readonly timeoutMs?: number;
  /** Of making a connection; 3,000 by default. */
  readonly connectTimeoutMs?: number;
  readonly clock?: Clock;
  /** The system's resolver by default. */
  readonly lookup?: LookupAll;
}

/** Ways to services of the specification, over connections that are kept open. */
export function createUpstreams(options: UpstreamsOptions): Upstreams & { close(): Promise<void> } {
  const { allowPrivate, timeoutMs = 10_000, connectTimeoutMs = 3_000, clock = systemClock, lookup } = options;
  const isAllowed = allowPrivate ? () => true : isPublicAddress;
  const agent = new Agent({
    connect: createGuardedConnector({ isAllowed, timeoutMs: connectTimeoutMs, lookup }),
  });
  // Retries, the circuit breaker, the bulkhead and the cache will be further functions around this one.
  const send = createSend({ dispatcher: agent, timeoutMs });
  const memory = createSearchMemory(clock);
  return {
    connect: (connection) => createRemoteLearningService(connection, { send, clock, memory, timeoutMs }),
    test: (connection, signal) => testConnection(connection, { send, clock, timeoutMs, signal }),
    // Calls that still run fail: whoever closes has let his requests end before.
    close: () => agent.destroy(),
  };
}
