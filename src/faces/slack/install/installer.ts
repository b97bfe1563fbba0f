import { createHash, randomBytes } from 'node:crypto';
import type { Installation, InstallProviderOptions, InstallURLOptions, StateStore } from '@slack/bolt';
import type { Request } from 'express';
import { AppError } from '#errors';
import { createKeyring } from '#services/host/keyring';
import type { NewSlackInstallation } from '#services/people/slack/slack-installations';
import type { SlackConnection, SlackFaceDeps } from '../deps.ts';
import { createBoltLogger, loadBolt, makeBoltClientOptions } from '../slack-api/bolt.ts';

type InstallerDeps = Pick<SlackFaceDeps, 'nonces' | 'clock' | 'installations' | 'installLinks' | 'onProblem'>;

/** Slack's OAuth for one app. Bolt makes it only with a receiver, which nothing is routed to. */
export async function createInstaller(deps: InstallerDeps, connection: SlackConnection) {
  const { ExpressReceiver } = await loadBolt();
  const stateStore = createStateStore(deps);
  const { installer } = new ExpressReceiver({
    signingSecret: connection.signingSecret,
    clientId: connection.clientId,
    clientSecret: connection.clientSecret,
    // Every failure is reported with its page.
    logger: createBoltLogger(() => undefined),
    installationStore: createInstallationStore(deps),
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

/** Stores what Slack granted, for the tenant of the link that began the installation; a failure
 *  leaves the link as it was. Bolt calls it only while it installs. Errors: those of
 *  `SlackInstallations.install` and `TenantLinks.use`, SLACK_INSTALL_FAILED. */
const createInstallationStore = ({
  installations,
  installLinks,
}: InstallerDeps): NonNullable<InstallProviderOptions['installationStore']> => ({
  async storeInstallation(granted) {
    const installation = toInstallation(granted as Installation);
    const { metadata: linkToken } = granted;
    if (linkToken === undefined) await installations.install(installation, null);
    else await installLinks.use(linkToken, ({ tenantId }) => installations.install(installation, tenantId));
  },
  fetchInstallation: () => Promise.reject(new Error('nobody authorises with this')),
});

function toInstallation(granted: Installation): NewSlackInstallation {
  const { bot, team, enterprise, user, appId } = granted;
  const isOrganisation = granted.isEnterpriseInstall === true;
  const place = isOrganisation ? enterprise : team;
  if (bot === undefined || place === undefined) throw createInstallError('code');
  if (bot.refreshToken !== undefined) throw createInstallError('rotation');
  return {
    id: place.id,
    kind: isOrganisation ? 'organisation' : 'workspace',
    name: place.name ?? place.id,
    enterpriseId: enterprise?.id ?? null,
    appId: appId ?? '',
    botId: bot.id,
    botUserId: bot.userId,
    botToken: bot.token,
    scopes: bot.scopes,
    installedBy: user.id,
  };
}

export const STATE_COOKIE = 'slack-app-oauth-state';
export const STATE_SECONDS = 600;
const STATE_BYTES = 32;

type StateDeps = Pick<SlackFaceDeps, 'nonces' | 'clock'>;

/** Finished once, within ten minutes, on any host: the store has a hash of the state, and the link
 *  sealed under the state. */
function createStateStore(deps: StateDeps): StateStore {
  const { nonces, clock } = deps;
  return {
    async generateStateParam(options) {
      const state = randomBytes(STATE_BYTES).toString('base64url');
      const expiresAt = new Date(clock.now().getTime() + STATE_SECONDS * 1_000);
      const name = nameState(state);
      await nonces.addNonce(name, createKeyring([state]).seal(JSON.stringify(options), name), expiresAt);
      return state;
    },
    async verifyStateParam(_now, state) {
      const options = await takeOauthState(deps, state);
      if (options === null) throw createInstallError('state');
      return options;
    },
  };
}

/** The options that an installation was begun with; null if the state has expired or was used. */
export async function takeOauthState(
  { nonces, clock }: StateDeps,
  state: string | null,
): Promise<InstallURLOptions | null> {
  if (state === null) return null;
  const name = nameState(state);
  const sealed = await nonces.consumeNonce(name, clock.now());
  if (sealed === null) return null;
  return JSON.parse(createKeyring([state]).open(sealed, name)) as InstallURLOptions;
}

export function findOauthState({ originalUrl, headers }: Request): string | null {
  const state = new URLSearchParams(originalUrl.split('?')[1] ?? '').get('state');
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return state !== null && cookies.includes(`${STATE_COOKIE}=${state}`) ? state : null;
}

const nameState = (state: string): string => `slack-install ${createHash('sha256').update(state).digest('base64url')}`;

/** Why an installation failed; each has its words below `slack.install.failures`. */
type InstallFailure =
  /** Somebody pressed “Cancel”. */
  | 'cancelled'
  /** It was begun in another browser or too long ago, or is finished already. */
  | 'state'
  /** Slack sent no code, or granted nothing for it. */
  | 'code'
  /** Client id or secret are wrong. */
  | 'credentials'
  /** The app's page at Slack does not list the address of this host. */
  | 'redirect'
  /** Tokens of the app would end after some hours. */
  | 'rotation'
  | 'slack';

function createInstallError(reason: InstallFailure, cause?: unknown): AppError {
  return new AppError(
    'SLACK_INSTALL_FAILED',
    `The app could not be installed (${reason}). Begin again, in one browser and within ten minutes.`,
    { cause, data: { reason } },
  );
}

const reasons: Readonly<Record<string, InstallFailure>> = {
  slack_oauth_installer_authorization_error: 'cancelled',
  slack_oauth_invalid_state: 'state',
  slack_oauth_missing_state: 'state',
  slack_oauth_missing_code: 'code',
};

const refusals: Readonly<Record<string, InstallFailure>> = {
  invalid_code: 'state',
  code_already_used: 'state',
  bad_client_secret: 'credentials',
  invalid_client_id: 'credentials',
  bad_redirect_uri: 'redirect',
};

export function explainInstallFailure(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, data } = (thrown ?? {}) as {
    readonly code?: string;
    readonly data?: { readonly error?: string };
  };
  // What Bolt has no name for did not come from Slack.
  if (code === undefined || code === 'slack_oauth_unknown_error')
    return new AppError('INTERNAL', 'An installation failed, see its cause.', { cause: thrown });
  const reason = refusals[data?.error ?? ''] ?? reasons[code] ?? 'slack';
  return createInstallError(reason, thrown);
}
