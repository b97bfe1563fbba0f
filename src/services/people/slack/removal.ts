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

/** Takes an installation away with its people, and its token a minute later: as long as the token is there, what is left can be
 *  found. */
export interface Removal {
  /** Removes it unless it was installed again after `installedUntil`; null removes it in any case. @returns whether it was
   *  removed */
  remove(record: SlackInstallationRecord, installedUntil: Date | null): Promise<boolean>;
  /** Removes what is left of hosts that ended too early. */
  removeLeft(): Promise<void>;
  /** Does now what is still to be done a minute after a removal. */
  close(): Promise<void>;
}

export interface RemovalDeps {
  readonly installations: SlackInstallationRepository;
  readonly secrets: Secrets;
  readonly people: Pick<People, 'forgetAll'>;
  readonly clock: Clock;
  /** Told of what went wrong in passing. */
  onProblem(error: unknown): void;
  /** This host is to see it at once. */
  forgetRecent(): void;
}

/** Longer than any request takes. */
const LAST_REQUESTS_MS = 60_000;

/** A token exists before its record, but for far less time than this. */
const INSTALLING_MS = 3_600_000;

export function createRemoval(deps: RemovalDeps): Removal {
  const { installations, secrets, people, clock, onProblem } = deps;
  const afterwards = createLaterWork(LAST_REQUESTS_MS, onProblem);

  const forgetPeople = ({ tenantId, id }: InstalledToken) =>
    people.forgetAll(tenantId, toSlackPeoplePrefix(id));

  /** Removes what requests still running at that time have kept, and finally the token, unless it is in use. */
  async function removeRest(token: InstalledToken): Promise<void> {
    const installed = await installations.findInstallation(token.id);
    const isThere = installed?.tenantId === token.tenantId;
    if (!isThere) await forgetPeople(token);
    if (!isThere || nameInstallationTokenSecret(installed) !== nameInstallationTokenSecret(token))
      await removeInstallationToken(secrets, token);
  }

  return {
    /** The people go first: what ends halfway can be done again as long as the record stands. */
    async remove(record, installedUntil) {
      await forgetPeople(record);
      const removed = await installations.removeInstallation(record.id, installedUntil);
      deps.forgetRecent();
      if (removed === null) return false;
      afterwards.add(() => removeRest(removed));
      return true;
    },
    async removeLeft() {
      const latestMs = clock.now().getTime() - INSTALLING_MS;
      for await (const secret of secrets.listStored(TOKEN_PREFIX)) {
        const token = readInstallationToken(secret);
        if (token.installedAt.getTime() < latestMs) await removeRest(token).catch(onProblem);
      }
    },
    close: () => afterwards.close(),
  };
}

/** Work to be done a while later, or at the latest when the host closes. */
interface LaterWork {
  /** Failed work is tried again after the same time. */
  add(work: () => Promise<void>): void;
  /** Waits for work under way, and does the rest at once. Never rejects. */
  close(): Promise<void>;
}

function createLaterWork(delayMs: number, onProblem: (error: unknown) => void): LaterWork {
  const left = new Map<() => Promise<void>, NodeJS.Timeout>();
  const running = new Set<Promise<void>>();

  /** @returns whether it is done */
  async function isDone(work: () => Promise<void>): Promise<boolean> {
    clearTimeout(left.get(work));
    left.delete(work);
    try {
      await work();
      return true;
    } catch (error) {
      onProblem(error);
      return false;
    }
  }

  async function doOrAdd(work: () => Promise<void>): Promise<void> {
    if (!(await isDone(work))) add(work);
  }

  function add(work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      const run = doOrAdd(work).finally(() => running.delete(run));
      running.add(run);
    }, delayMs);
    left.set(work, timer.unref());
  }

  return {
    add,
    async close() {
      // What fails now is left.
      await Promise.all(running);
      await Promise.all([...left.keys()].map(isDone));
    },
  };
}
