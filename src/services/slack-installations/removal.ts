import { nameSlackPeople } from '../../domain/slack.ts';
import type { SlackInstallationRecord } from '../../ports/store/store.ts';
import {
  type InstalledToken,
  removeToken,
  TOKEN_PREFIX,
  tokenNameOf,
  tokenOf,
} from './installation-records.ts';
import { createLaterWork } from './later-work.ts';
import type { SlackInstallationsDeps } from './slack-installations.ts';

/** Takes an installation away with its people, and its token a minute later: as long as the token is there, what is left can be
 *  found. */
export interface Removal {
  /** Unless it was installed again after `installedUntil`; null whenever that was. @returns whether it was removed */
  remove(record: SlackInstallationRecord, installedUntil: Date | null): Promise<boolean>;
  /** Takes what hosts have left behind that ended too early. */
  removeLeft(): Promise<void>;
  /** Does now what is still to be done a minute after a removal. */
  close(): Promise<void>;
}

export interface RemovalDeps
  extends Pick<SlackInstallationsDeps, 'installations' | 'secrets' | 'people' | 'clock' | 'onProblem'> {
  /** This host is to see it at once. */
  forgetRecent(): void;
}

/** Longer than any request takes that began before. */
const LAST_REQUESTS_MS = 60_000;
/** A token is there before its record, for far less than this. */
const INSTALLING_MS = 3_600_000;

export function createRemoval(deps: RemovalDeps): Removal {
  const { installations, secrets, people, clock, onProblem } = deps;
  const afterwards = createLaterWork(LAST_REQUESTS_MS, onProblem);

  const forgetPeople = ({ tenantId, id }: InstalledToken) => people.forgetAll(tenantId, nameSlackPeople(id));

  /** Takes what requests have kept that were still running then, and at last the token, unless it is in use. */
  async function removeRest(token: InstalledToken): Promise<void> {
    const installed = await installations.findInstallation(token.id);
    const isThere = installed?.tenantId === token.tenantId;
    if (!isThere) await forgetPeople(token);
    if (!isThere || tokenNameOf(installed) !== tokenNameOf(token)) await removeToken(secrets, token);
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
      for await (const secret of secrets.listNames(TOKEN_PREFIX)) {
        const token = tokenOf(secret);
        if (token.installedAt.getTime() < latestMs) await removeRest(token).catch(onProblem);
      }
    },
    close: () => afterwards.close(),
  };
}
