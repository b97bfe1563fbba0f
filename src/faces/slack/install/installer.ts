import type { Installation, InstallProviderOptions } from '@slack/bolt';
import type { NewSlackInstallation } from '#services/people/slack/slack-installations';
import type { SlackConnection } from '../connection.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { createBoltLogger, loadBolt, makeBoltClientOptions } from '../slack-api/bolt.ts';
import { createInstallError } from './install-failures.ts';
import { createOauthState, STATE_COOKIE } from './oauth-state.ts';

type InstallerDeps = Pick<SlackFaceDeps, 'nonces' | 'clock' | 'installations' | 'installLinks' | 'onProblem'>;

/** Slack's OAuth for one app. Its receiver is there only because Bolt makes it so; nothing is routed to it. */
export async function createInstaller(deps: InstallerDeps, connection: SlackConnection) {
  const { ExpressReceiver } = await loadBolt();
  const stateStore = createOauthState(deps);
  const { installer } = new ExpressReceiver({
    signingSecret: connection.signingSecret,
    clientId: connection.clientId,
    clientSecret: connection.clientSecret,
    // Every failure is reported with its page.
    logger: createBoltLogger(() => undefined),
    installationStore: installationStore(deps),
    installerOptions: {
      stateStore,
      stateCookieName: STATE_COOKIE,
      authorizationUrl: connection.authorizationUrl,
      clientOptions: makeBoltClientOptions(connection.apiUrl, () => undefined),
    },
  });
  if (installer === undefined) throw new Error('Bolt made no installer of these options.');
  return { installer, stateStore };
}

export type Installer = Awaited<ReturnType<typeof createInstaller>>;

/** Bolt asks this one only while it installs. */
function installationStore(deps: InstallerDeps): NonNullable<InstallProviderOptions['installationStore']> {
  return {
    storeInstallation: async (installation) => {
      await keepInstallation(deps, installation as Installation);
    },
    fetchInstallation: () => Promise.reject(new Error('nobody authorises with this')),
  };
}

/** Keeps what Slack granted, for the tenant of the link that it was begun with. If this fails, nothing is kept, and the link
 *  stays as it was. Errors: those of `SlackInstallations.install` and `TenantLinks.use`, SLACK_INSTALL_FAILED. */
async function keepInstallation(
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
  if (bot === undefined || where === undefined) throw createInstallError('code');
  if (bot.refreshToken !== undefined) throw createInstallError('rotation');
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
