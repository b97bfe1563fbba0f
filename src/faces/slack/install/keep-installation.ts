import type { Installation } from '@slack/bolt';
import type { NewSlackInstallation } from '../../../services/slack-installations/slack-installations.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { installFailed } from './oauth-state.ts';

/** Keeps what Slack granted, for the tenant of the link that it was begun with. Nothing is kept, and the link stays as it was,
 *  where this fails. Errors: those of `SlackInstallations.install` and `TenantLinks.use`, SLACK_INSTALL_FAILED. */
export async function keepInstallation(
  { installations, installLinks }: Pick<SlackFaceDeps, 'installations' | 'installLinks'>,
  granted: Installation,
): Promise<void> {
  const installation = toInstallation(granted);
  const { metadata: linkToken } = granted;
  if (linkToken === undefined) await installations.install(installation, null);
  else await installLinks.use(linkToken, ({ tenantId }) => installations.install(installation, tenantId));
}

function toInstallation(granted: Installation): NewSlackInstallation {
  const { bot, team, enterprise, user, appId } = granted;
  const isOrganisation = granted.isEnterpriseInstall === true;
  const where = isOrganisation ? enterprise : team;
  if (bot === undefined || where === undefined) throw installFailed('code');
  if (bot.refreshToken !== undefined) throw installFailed('rotation');
  return {
    id: where.id,
    kind: isOrganisation ? 'organisation' : 'workspace',
    name: where.name ?? where.id,
    enterpriseId: enterprise?.id ?? null,
    appId: appId ?? '',
    botId: bot.id,
    botUserId: bot.userId,
    botToken: bot.token,
    scopes: bot.scopes,
    installedBy: user.id,
  };
}
