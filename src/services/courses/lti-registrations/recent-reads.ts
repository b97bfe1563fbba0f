import { LRUCache } from 'lru-cache';
import { limitEntriesAndAge } from '#domain/limit-entries';
import type { LtiRegistrations } from './lti-registrations.ts';

/** Cache time of the records that every launch needs; only changes on other hosts wait for it. */
const RECENT_MS = 500;
const MAX_ENTRIES = 10_000;

/** Caches what each launch reads. @param now milliseconds of a monotonic clock */
export function withRecentReads(registrations: LtiRegistrations, now = () => performance.now()): LtiRegistrations {
  const recent = new LRUCache<string, NonNullable<unknown>>(limitEntriesAndAge(MAX_ENTRIES, RECENT_MS, now));
  let changes = 0;

  /** Misses are not cached: strangers could fill the memory with them. */
  async function readThrough<T>(key: string, read: () => Promise<T>): Promise<T> {
    const cached = recent.get(key);
    if (cached !== undefined) return cached as T;
    const before = changes;
    const value = await read();
    // A value that was read during a change may be outdated.
    if (value && changes === before) recent.set(key, value);
    return value;
  }

  function clearingCache<A extends unknown[], T>(change: (...args: A) => Promise<T>) {
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
    getRegistration: (id) => readThrough(`id ${id}`, () => registrations.getRegistration(id)),
    findRegistrationOfClient: (issuer, clientId) =>
      readThrough(`client ${JSON.stringify([issuer, clientId])}`, () =>
        registrations.findRegistrationOfClient(issuer, clientId),
      ),
    admitDeployment: (registration, deploymentId) =>
      readThrough(`deployment ${registration.id} ${deploymentId}`, () =>
        registrations.admitDeployment(registration, deploymentId),
      ),
    create: clearingCache(registrations.create),
    change: clearingCache(registrations.change),
    noteProduct: clearingCache(registrations.noteProduct),
    activate: clearingCache(registrations.activate),
    deactivate: clearingCache(registrations.deactivate),
    remove: clearingCache(registrations.remove),
    renewUnreadableKeys: clearingCache(registrations.renewUnreadableKeys),
    addDeployment: clearingCache(registrations.addDeployment),
    removeDeployment: clearingCache(registrations.removeDeployment),
  };
}
