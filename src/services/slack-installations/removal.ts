import { slackPeople } from '../../domain/slack.ts';
import type { SlackInstallationRecord } from '../../ports/store.ts';
import type { SlackInstallationsDeps } from '../slack-installations.ts';
import { removeToken } from './installation-records.ts';
import { createLaterWork } from './later-work.ts';

/** Takes an installation away with its token and its people. */
export interface Removal {
  /** Unless it was installed again after `installedUntil`; null whenever that was. @returns whether it was removed */
  remove(record: SlackInstallationRecord, installedUntil: Date | null): Promise<boolean>;
  /** Does now what is still to be done a minute after a removal. */
  close(): Promise<void>;
}

export interface RemovalDeps
  extends Pick<SlackInstallationsDeps, 'installations' | 'secrets' | 'people' | 'onProblem'> {
  /** This host is to see it at once. */
  forgetRecent(): void;
}

/** Longer than any request takes that began before. */
const LAST_REQUESTS_MS = 60_000;

export function createRemoval(deps: RemovalDeps): Removal {
  const { installations, secrets, people } = deps;
  const afterwards = createLaterWork(LAST_REQUESTS_MS, deps.onProblem);

  const forgetPeople = ({ tenantId, id }: SlackInstallationRecord) =>
    people.forgetAll(tenantId, slackPeople(id));

  /** Takes what a failure left behind, and what requests have kept that were still running then. */
  async function removeRest(record: SlackInstallationRecord): Promise<void> {
    await removeToken(secrets, record);
    const again = await installations.findInstallation(record.id);
    if (again?.tenantId !== record.tenantId) await forgetPeople(record);
  }

  return {
    /** The people go first: what ends halfway can be done again as long as the record stands. */
    async remove(record, installedUntil) {
      await forgetPeople(record);
      const removed = await installations.removeInstallation(record.id, installedUntil);
      deps.forgetRecent();
      if (removed === null) return false;
      afterwards.add(() => removeRest(removed));
      await removeToken(secrets, removed);
      return true;
    },
    close: () => afterwards.close(),
  };
}
