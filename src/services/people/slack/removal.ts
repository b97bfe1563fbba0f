import { toSlackPeoplePrefix } from '#domain/slack';
import type { Clock } from '#ports/clock';
import type { SlackInstallationRecord, SlackInstallationRepository } from '#ports/store/store';
import type { Secrets } from '#services/host/secrets';
import type { People } from '../people.ts';
import {
  type InstalledToken,
  nameInstallationTokenSecret,
  readInstallationToken,
  removeInstallationToken,
  TOKEN_PREFIX,
} from './installation-records.ts';

export type SlackRemoval = ReturnType<typeof createSlackRemoval>;

/** Longer than any request takes. */
const LAST_REQUESTS_MS = 60_000;
/** A token without a record is a leftover after this time: installing takes far less. */
const INSTALLING_MS = 3_600_000;

/** Removes an installation with its people, and a minute later its token, which marks leftovers. */
export function createSlackRemoval(deps: {
  readonly installations: SlackInstallationRepository;
  readonly secrets: Secrets;
  readonly people: Pick<People, 'forgetAll'>;
  readonly clock: Clock;
  onProblem(error: unknown): void;
  /** Makes a removal visible on this host at once. */
  clearCache(): void;
}) {
  const { installations, secrets, people, clock, onProblem } = deps;
  const laterWork = createLaterRemovals(LAST_REQUESTS_MS, onProblem);

  const removePeople = ({ tenantId, id }: InstalledToken) => people.forgetAll(tenantId, toSlackPeoplePrefix(id));

  /** Removes people that pending requests have stored, and the token unless it is in use. */
  async function finishRemoval(token: InstalledToken): Promise<void> {
    const installed = await installations.findInstallation(token.id);
    const isInstalled = installed?.tenantId === token.tenantId;
    if (!isInstalled) await removePeople(token);
    if (!isInstalled || nameInstallationTokenSecret(installed) !== nameInstallationTokenSecret(token))
      await removeInstallationToken(secrets, token);
  }

  return {
    /** Removes the people first, so that it can be repeated, then the installation unless it was
     *  renewed after `installedUntil` (null: always). @returns whether it was removed */
    async remove(record: SlackInstallationRecord, installedUntil: Date | null): Promise<boolean> {
      await removePeople(record);
      const removed = await installations.removeInstallation(record.id, installedUntil);
      deps.clearCache();
      if (removed === null) return false;
      laterWork.add(() => finishRemoval(removed));
      return true;
    },
    /** Finishes the removals that a stop of a host interrupted. */
    async removeLeftovers(): Promise<void> {
      const latestMs = clock.now().getTime() - INSTALLING_MS;
      for await (const secret of secrets.listStored(TOKEN_PREFIX)) {
        const token = readInstallationToken(secret);
        if (token.installedAt.getTime() < latestMs) await finishRemoval(token).catch(onProblem);
      }
    },
    close: () => laterWork.close(),
  };
}

/** Runs work after a delay, and again after the same delay while it fails. */
function createLaterRemovals(delayMs: number, onProblem: (error: unknown) => void) {
  const pending = new Map<() => Promise<void>, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();

  async function runRemoval(work: () => Promise<void>): Promise<boolean> {
    clearTimeout(pending.get(work));
    pending.delete(work);
    try {
      await work();
      return true;
    } catch (error) {
      onProblem(error);
      return false;
    }
  }

  async function runOrRetry(work: () => Promise<void>): Promise<void> {
    if (!(await runRemoval(work))) addLaterRemoval(work);
  }

  function addLaterRemoval(work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      const attempt = runOrRetry(work).finally(() => running.delete(attempt));
      running.add(attempt);
    }, delayMs);
    pending.set(work, timer.unref());
  }

  return {
    add: addLaterRemoval,
    /** Waits for running work, and runs the pending work at once. Never rejects. */
    async close(): Promise<void> {
      // The next host removes what fails now.
      await Promise.all(running);
      await Promise.all([...pending.keys()].map(runRemoval));
    },
  };
}
