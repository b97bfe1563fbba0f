import type { Installation, InstallProviderOptions } from '@slack/bolt';
import { createBoltLogger } from '../app/bolt-logger.ts';
import { clientOptions } from '../app/client-options.ts';
import { loadBolt } from '../app/load-bolt.ts';
import type { SlackConnection, SlackFaceDeps } from '../deps.ts';
import { keepInstallation } from './keep-installation.ts';
import { createOauthState, STATE_COOKIE } from './oauth-state.ts';

type InstallerDeps = Pick<SlackFaceDeps, 'nonces' | 'clock' | 'installations' | 'installLinks' | 'onProblem'>;

/** Slack's OAuth for one app. Its receiver is there only because Bolt makes it so; nothing is routed to it. */
export async function createInstaller(deps: InstallerDeps, connection: SlackConnection) {
  const { ExpressReceiver } = await loadBolt();
  const { installer } = new ExpressReceiver({
    signingSecret: connection.signingSecret,
    clientId: connection.clientId,
    clientSecret: connection.clientSecret,
    // Every failure is reported with its page.
    logger: createBoltLogger(() => undefined),
    installationStore: installationStore(deps),
    installerOptions: {
      stateStore: createOauthState(deps),
      stateCookieName: STATE_COOKIE,
      authorizationUrl: connection.authorizationUrl,
      clientOptions: clientOptions(connection.apiUrl, () => undefined),
    },
  });
  return installer!;
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
