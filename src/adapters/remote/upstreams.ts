import { Agent } from 'undici';
import { isOpenAddress, isPublicAddress } from '#domain/address-kinds';
import type { PrivateAccess } from '#domain/private-hosts';
import { type Clock, systemClock } from '#ports/clock';
import type { Upstreams } from '#ports/upstream';
import type { Send } from './call.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { defaultPolicyOptions, type PolicyOptions, withPolicies } from './policies/policies.ts';
import { createRemoteLearningService } from './remote-learning-service.ts';
import type { LookupAll } from './resolve-name.ts';
import { createExtensionMemory } from './search-extension.ts';
import { createCallSender } from './send.ts';
import { testConnection } from './test-connection.ts';

export interface UpstreamsOptions {
  readonly privateAccess: PrivateAccess;
  /** Limit of an operation with waiting and retries, and of a test; 10,000 by default. */
  readonly timeoutMs?: number;
  /** Limit of one call of an operation; 4,000 by default. */
  readonly attemptTimeoutMs?: number;
  /** Limit of a probe for the extension; 1,000 by default. */
  readonly probeTimeoutMs?: number;
  /** Limit of making a connection; 3,000 by default. */
  readonly connectTimeoutMs?: number;
  /** Options that differ from `defaultPolicyOptions`. */
  readonly policies?: Partial<PolicyOptions>;
  readonly clock?: Clock;
  /** Resolves names; by the file of hosts and DNS by default. */
  readonly lookup?: LookupAll;
}

export function createUpstreams(options: UpstreamsOptions): Upstreams & { close(): Promise<void> } {
  const { timeoutMs = 10_000, attemptTimeoutMs = 4_000, connectTimeoutMs = 3_000, probeTimeoutMs = 1_000 } = options;
  const { privateAccess, clock = systemClock, lookup, policies } = options;
  const { hosts: privateHosts, isOpenToOwners } = privateAccess;
  const createAgent = (isAllowed: (address: string) => boolean) =>
    new Agent({ connect: createGuardedConnector({ isAllowed, privateHosts, timeoutMs: connectTimeoutMs, lookup }) });
  const usual = createAgent(isPublicAddress);
  // Open connections are not checked again, so those of owners are separate.
  const owners = createAgent(isOpenToOwners ? isOpenAddress : isPublicAddress);
  const sendWithin = (timeoutMs: number): Send => {
    const sendUsual = createCallSender({ dispatcher: usual, timeoutMs });
    const sendOwners = createCallSender({ dispatcher: owners, timeoutMs });
    return (call) => (call.isEnteredByOwner === true ? sendOwners : sendUsual)(call);
  };
  const send = withPolicies(sendWithin(attemptTimeoutMs), {
    ...defaultPolicyOptions,
    ...policies,
    timeoutMs,
    clock,
  });
  // A test shows the real state of the service, so no policies apply to it.
  const sendPlainly = sendWithin(timeoutMs);
  // Behaviour at an address outside the specification must not pause or slow anything else.
  const probe = sendWithin(probeTimeoutMs);
  const extensions = createExtensionMemory(clock);
  return {
    connect: (connection) => createRemoteLearningService(connection, { send, probe, clock, extensions }),
    test: (connection, signal) => testConnection(connection, { send: sendPlainly, clock, timeoutMs, signal }),
    // Running calls fail: requests have ended before this is closed.
    async close() {
      await Promise.all([usual.destroy(), owners.destroy()]);
    },
  };
}
