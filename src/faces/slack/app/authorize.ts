import type { Authorize } from '@slack/bolt';
import type { InstalledSlack } from '../../../services/slack-installations/slack-installations.ts';
import type { SlackConnection } from '../deps.ts';
import { notInstalled } from './slack-failures.ts';

/** Where a request comes from, once it is known. Errors: SLACK_NOT_INSTALLED, those of `findInstalled`. */
export type Admit = () => Promise<InstalledSlack>;

/** Bolt authorises before it calls anyone, and nothing is acknowledged until then; so this only says how to find out, and
 *  whoever answers does it in the time they have. */
export function createAuthorize({
  findInstalled,
}: Pick<SlackConnection, 'findInstalled'>): Authorize<boolean> {
  return async ({ teamId, enterpriseId, isEnterpriseInstall }) => {
    let admitted: Promise<InstalledSlack> | null = null;
    const source = { teamId: teamId ?? null, enterpriseId: enterpriseId ?? null, isEnterpriseInstall };
    const find = async () => {
      const installed = await findInstalled(source);
      if (installed === null) throw notInstalled();
      return installed;
    };
    const admit: Admit = () => {
      admitted ??= find();
      return admitted;
    };
    return { admit };
  };
}
