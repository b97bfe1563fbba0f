import { LRUCache } from 'lru-cache';
import { limitEntries } from '#domain/limit-entries';
import type { LtiRegistrations } from './lti-registrations.ts';

/** The store is asked for what every launch needs once in this time. Changes of this host hold at once, those of another host
 *  within it. */
const RECENT_MS = 500;
const MAX_ENTRIES = 10_000;

/** The same registrations, with a short memory.
 *  @param now milliseconds of a monotonic clock, as ages are measured with it */
export function withRecentReads(
  registrations: LtiRegistrations,
  now = () => performance.now(),
): LtiRegistrations {
  const recent = new LRUCache<string, NonNullable<unknown>>({
    ...limitEntries(MAX_ENTRIES),
    ttl: RECENT_MS,
    ttlResolution: 0,
    perf: { now },
  });
  let changes = 0;

  /** Misses are not kept: strangers could fill the memory with them. */
  async function remember<T>(key: string, read: () => Promise<T>): Promise<T> {
    const found = recent.get(key);
    if (found !== undefined) return found as T;
    const before = changes;
    const value = await read();
    // What was read during a change may be outdated.
    if (value && changes === before) recent.set(key, value);
    return value;
  }

  function forgetting<A extends unknown[], T>(change: (...args: A) => Promise<T>) {
    return async (...args: A): Promise<T> => {
      try {
        return await change(...args);
      } finally {
        changes++;
        recent.clear();
      }
    };
  }

  return {
    ...registrations,
    getRegistration: (id) => remember(`id ${id}`, () => registrations.getRegistration(id)),
    findRegistrationOfClient: (issuer, clientId) =>
      remember(`client ${JSON.stringify([issuer, clientId])}`, () =>
        registrations.findRegistrationOfClient(issuer, clientId),
      ),
    admitDeployment: (registration, deploymentId) =>
      remember(`deployment ${registration.id} ${deploymentId}`, () =>
        registrations.admitDeployment(registration, deploymentId),
      ),
    create: forgetting(registrations.create),
    change: forgetting(registrations.change),
    noteProduct: forgetting(registrations.noteProduct),
    activate: forgetting(registrations.activate),
    deactivate: forgetting(registrations.deactivate),
    remove: forgetting(registrations.remove),
    renewUnreadableKeys: forgetting(registrations.renewUnreadableKeys),
    addDeployment: forgetting(registrations.addDeployment),
    removeDeployment: forgetting(registrations.removeDeployment),
  };
}
