import { createHash, randomBytes } from 'node:crypto';
import type { Installation, InstallProviderOptions, InstallURLOptions, StateStore } from '@slack/bolt';
import type { Request, RequestHandler, Response } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import { listSlackScopes } from '#domain/slack';
import { AppError } from '#errors';
import { beginErrorAnswer } from '#faces/app-errors';
import { setPageHeaders } from '#faces/page-headers';
import { readStrictQuery } from '#faces/strict-paths';
import { views } from '#faces/views';
import { chooseLocale, type Languages } from '#faces/words/i18n';
import { createKeyring } from '#services/host/keyring';
import { createRateLimiter, requireRatePoint } from '#services/host/rate-limits';
import type { NewSlackInstallation } from '#services/people/slack/slack-installations';
import type { SlackConnection, SlackFaceDeps } from '../deps.ts';
import { createBoltLogger, loadBolt, makeBoltClientOptions, rememberByConnection } from '../slack-api/bolt.ts';
import { createSlackError } from '../slack-api/slack-api.ts';

export const REDIRECT_PATH = '/oauth_redirect';
/** Limits how many installations are begun, as each stores a state. */
const BEGIN_LIMIT = { name: 'slack-install', points: 60, windowSeconds: 60 };

/** Leads to Slack's page by OAuth v2, and back. Source: Slack, “Installing with OAuth”. */
export function createInstallRoutes(
  deps: SlackFaceDeps,
  pages: InstallPages,
): Record<'begin' | 'finish', RequestHandler> {
  const installerOf = rememberByConnection((connection) => createInstaller(deps, connection));
  const limiter = createRateLimiter(deps.rateCounters, deps.clock, BEGIN_LIMIT);

  async function getInstaller() {
    const connection = await deps.findConnection();
    if (connection === null) throw createSlackError('SLACK_OFF');
    return installerOf(connection);
  }

  return {
    async begin(request, response) {
      const { installer, stateStore } = await getInstaller();
      const token = readStrictQuery(request).get('token');
      // An expired link is refused before anybody is sent to Slack in vain.
      if (token !== null) await deps.slackInstallLinks.getLink(token);
      // People behind one proxy share an address; they must not lock out somebody with a link.
      const beginner = token === null ? findNetworkOf(request.ip ?? '') : `link ${digest(token)}`;
      await requireRatePoint(limiter, beginner, (seconds) => `Too many installations are begun. Wait ${seconds} s.`);
      const options = {
        scopes: listSlackScopes(deps.unfurlsLinks),
        redirectUri: `${deps.publicUrl}/slack${REDIRECT_PATH}`,
        ...(token !== null && { metadata: token }),
      };
      const state = await stateStore.generateStateParam(options, deps.clock.now());
      // Binds the state to the browser: only the person who began it can finish it.
      const isSecure = deps.publicUrl.startsWith('https:');
      const attributes = `HttpOnly; SameSite=Lax; Path=/; Max-Age=${STATE_SECONDS}${isSecure ? '; Secure' : ''}`;
      const url = await installer.generateInstallUrl(options, true, state);
      response
        .append('Set-Cookie', `${STATE_COOKIE}=${state}; ${attributes}`)
        .set('Cache-Control', 'no-store')
        .redirect(303, url);
    },
    async finish(request, response) {
      const { installer } = await getInstaller();
      await installer.handleCallback(request, response, {
        successAsync: async (installation) => pages.sendInstalled(installation, request, response),
        failureAsync: async (thrown, { metadata }) => {
          const state = findInstallState(request);
          // Bolt removes the cookie always; that of another installation must stay.
          if (state === null) response.removeHeader('Set-Cookie');
          const token = metadata ?? (await takeInstallState(deps, state))?.metadata ?? null;
          pages.sendFailed(explainInstallFailure(thrown), { request, response, token });
        },
      });
    },
  };
}

type InstallerDeps = Pick<SlackFaceDeps, 'nonces' | 'clock' | 'slackInstallations' | 'slackInstallLinks' | 'onProblem'>;

/** Makes Slack's OAuth for an app. Bolt makes it only with a receiver, which nothing reaches. */
async function createInstaller(deps: InstallerDeps, connection: SlackConnection) {
  const { ExpressReceiver } = await loadBolt();
  const stateStore = createStateStore(deps);
  const { installer } = new ExpressReceiver({
    signingSecret: connection.signingSecret,
    clientId: connection.clientId,
    clientSecret: connection.clientSecret,
    // Every failure is reported with its page.
    logger: createBoltLogger(() => undefined),
    installationStore: createInstallStore(deps),
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

/** Stores what Slack granted, for the tenant of the link that began the installation; a failure
 *  leaves the link as it was. Bolt calls it only while it installs. Errors: those of
 *  `SlackInstallations.install` and `TenantLinks.use`, SLACK_INSTALL_FAILED. */
const createInstallStore = ({
  slackInstallations,
  slackInstallLinks,
}: InstallerDeps): NonNullable<InstallProviderOptions['installationStore']> => ({
  async storeInstallation(granted) {
    const installation = toNewInstallation(granted as Installation);
    const { metadata: linkToken } = granted;
    if (linkToken === undefined) await slackInstallations.install(installation, null);
    else await slackInstallLinks.use(linkToken, ({ tenantId }) => slackInstallations.install(installation, tenantId));
  },
  fetchInstallation: () => Promise.reject(new Error('nobody authorises with this')),
});

function toNewInstallation(granted: Installation): NewSlackInstallation {
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

const STATE_COOKIE = 'slack-app-oauth-state';
const STATE_SECONDS = 600;
const STATE_BYTES = 32;
type StateDeps = Pick<SlackFaceDeps, 'nonces' | 'clock'>;

/** Seals options under their state, so that an installation is finished once, in ten minutes. */
function createStateStore(deps: StateDeps): StateStore {
  const { nonces, clock } = deps;
  return {
    async generateStateParam(options) {
      const state = randomBytes(STATE_BYTES).toString('base64url');
      const expiresAt = new Date(clock.now().getTime() + STATE_SECONDS * 1_000);
      const name = nameInstallState(state);
      await nonces.addNonce(name, createKeyring([state]).seal(JSON.stringify(options), name), expiresAt);
      return state;
    },
    async verifyStateParam(_now, state) {
      const options = await takeInstallState(deps, state);
      if (options === null) throw createInstallError('state');
      return options;
    },
  };
}

/** Takes the options of an installation; null if its state has expired or was used. */
async function takeInstallState({ nonces, clock }: StateDeps, state: string | null): Promise<InstallURLOptions | null> {
  if (state === null) return null;
  const name = nameInstallState(state);
  const sealed = await nonces.consumeNonce(name, clock.now());
  if (sealed === null) return null;
  return JSON.parse(createKeyring([state]).open(sealed, name)) as InstallURLOptions;
}

/** Finds the state of the address; null if this browser did not begin the installation. */
function findInstallState(request: Request): string | null {
  const state = readStrictQuery(request).get('state');
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return state !== null && cookies.includes(`${STATE_COOKIE}=${state}`) ? state : null;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
const nameInstallState = (state: string): string => `slack-install ${digest(state)}`;

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

const boltErrors: Readonly<Record<string, InstallFailure>> = {
  slack_oauth_installer_authorization_error: 'cancelled',
  slack_oauth_invalid_state: 'state',
  slack_oauth_missing_state: 'state',
  slack_oauth_missing_code: 'code',
};

const slackErrors: Readonly<Record<string, InstallFailure>> = {
  invalid_code: 'state',
  code_already_used: 'state',
  bad_client_secret: 'credentials',
  invalid_client_id: 'credentials',
  bad_redirect_uri: 'redirect',
};

function explainInstallFailure(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const { code, data } = (thrown ?? {}) as { readonly code?: string; readonly data?: { readonly error?: string } };
  // An error without Bolt's code did not come from Slack.
  if (code === undefined || code === 'slack_oauth_unknown_error')
    return new AppError('INTERNAL', 'An installation failed, see its cause.', { cause: thrown });
  return createInstallError(slackErrors[data?.error ?? ''] ?? boltErrors[code] ?? 'slack', thrown);
}

interface FailedParts {
  readonly request: Request;
  readonly response: Response;
  /** Token of the link that the installation was begun with. */
  readonly token: string | null;
}

export type InstallPages = ReturnType<typeof createInstallPages>;

export function createInstallPages(languages: Languages) {
  function send(view: string, model: object, { request, response }: Pick<FailedParts, 'request' | 'response'>) {
    const locale = chooseLocale(undefined, request.get('accept-language'));
    setPageHeaders(response, {});
    response.type('html').end(views.render(`slack/${view}`, { t: languages.translatorOf(locale), locale, ...model }));
  }

  return {
    sendInstalled(installation: Installation, request: Request, response: Response): void {
      const { team, enterprise } = installation;
      const name = team?.name ?? enterprise?.name ?? null;
      send('installed', { name, ...toSlackLinks(installation) }, { request, response });
    },
    sendFailed(error: AppError, parts: FailedParts): void {
      const { request, token } = parts;
      const { reference } = beginErrorAnswer(error, request, parts.response);
      const { code, kind, data, cause } = error;
      // Name of the words below `slack.install.failures`: the reason or the code, else the kind.
      const named = code === 'SLACK_INSTALL_FAILED' ? String(data.reason) : code;
      const reason = languages.has(`slack.install.failures.${named}.title`) ? named : kind;
      const slackError = (cause as { readonly data?: { readonly error?: unknown } } | undefined)?.data?.error;
      // Somebody may show the reference and ask why.
      request.log?.info({ reference, code, reason, slackError }, 'Slack: not installed');
      const again = `/slack/install${token === null ? '' : `?token=${encodeURIComponent(token)}`}`;
      send('failed', { reason, reference, again: FINAL.includes(reason) ? null : again }, parts);
    },
  };
}

/** Reasons for which the same would happen again. */
const FINAL = ['LINK_INVALID', 'SLACK_OFF', 'SLACK_WORKSPACE_TAKEN', 'TENANT_DISABLED', 'TENANT_UNKNOWN'];

/** Gives addresses that lead on: `program` into Slack's program, null for an organisation, where
 *  no workspace is chosen; `workspaces` to where an organisation lets workspaces use the app. */
function toSlackLinks(installation: Installation) {
  const { team, appId = '', enterpriseUrl, isEnterpriseInstall } = installation;
  if (isEnterpriseInstall === true || team === undefined) {
    const path = `manage/organization/apps/profile/${appId}/workspaces/add`;
    const url = URL.canParse(path, enterpriseUrl) ? new URL(path, enterpriseUrl) : null;
    return { program: null, browser: 'https://slack.com/', workspaces: url?.protocol === 'https:' ? url.href : null };
  }
  const program = `slack://app?${new URLSearchParams({ team: team.id, id: appId })}`;
  const browser = `https://slack.com/app_redirect?${new URLSearchParams({ app: appId, team: team.id })}`;
  return { program, browser, workspaces: null };
}
