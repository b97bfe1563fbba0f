import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler, Router } from 'express';
import { AppError } from '#errors';
import { createStrictRouter } from '#faces/strict-paths';
import type { Demo } from '#load-demo';
import type { InstalledSlack } from '#services/people/slack/recent-installs';
import { getPresent } from '../get-present.ts';
import type { ConnectedApp } from '../slack/world.ts';
import type { Chat } from './chat.ts';
import { type Chats, type ChatsDeps, createChats } from './chats.ts';

export interface DemoSlack {
  /** The app as the Slack of the demo has it, and where that Slack is. It exists in this process alone: its secrets are made
   *  when the host starts, and kept nowhere. */
  readonly connection: Demo['slack'];
  readonly chats: Chats;
  /** What the app asks of the demo's Slack: `/api/<method>` and `/responses/…`. */
  readonly api: Router;
}

export interface DemoSlackDeps extends Omit<ChatsDeps, 'app' | 'serviceUrl'> {
  /** Where the host reaches itself, without a slash at the end. */
  readonly ownOrigin: string;
  /** Where browsers reach the demo, without a slash at the end. */
  readonly browserUrl: string;
}

const CHAT_PATH = '/slack';

export function createDemoSlack({ ownOrigin, browserUrl, ...deps }: DemoSlackDeps): DemoSlack {
  const serviceUrl = `${ownOrigin}/demo${CHAT_PATH}`;
  const app = createApp(ownOrigin);
  const chats = createChats({ ...deps, app, serviceUrl });
  return {
    chats,
    api: createApi(chats),
    connection: {
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      signingSecret: app.signingSecret,
      apiUrl: `${serviceUrl}/api/`,
      // Nobody is sent there: the app is in every chat from the beginning.
      authorizationUrl: browserUrl + CHAT_PATH,
      async findInstalled({ teamId }) {
        const chat = teamId === null ? null : chats.findByTeam(teamId);
        return chat === null ? null : toInstalled(chat, await deps.tenantId());
      },
      // Chats end with all that is kept of them, and the app cannot be removed from one before.
      erase: async () => false,
    },
  };
}

const secret = () => randomBytes(24).toString('hex');

function createApp(ownOrigin: string): ConnectedApp {
  return {
    appId: 'A0DEMO',
    clientId: `demo.${randomBytes(8).toString('hex')}`,
    clientSecret: secret(),
    signingSecret: secret(),
    eventsUrl: `${ownOrigin}/slack/events`,
    redirectUrl: `${ownOrigin}/slack/oauth_redirect`,
  };
}

function toInstalled({ world, grant, installedAt }: Chat, tenantId: string): InstalledSlack {
  const { token: botToken, appId, botId, botUserId, scopes, userId: installedBy } = grant;
  const { id, name } = getPresent(world.teams[0], 'a team');
  const installation = {
    id,
    tenantId,
    name,
    appId,
    botId,
    botUserId,
    scopes,
    installedBy,
    installedAt,
    kind: 'workspace',
    enterpriseId: null,
  } as const;
  return { installation, botToken };
}

/** Hands each request to the Slack of its workspace. */
function createApi(chats: Chats): Router {
  const toSlackOf =
    (teamOf: (request: Request) => string | undefined): RequestHandler =>
    (request, response, next) => {
      const chat = chats.findByTeam(teamOf(request) ?? '');
      if (chat === null) throw new AppError('PATH_UNKNOWN', 'This chat of the demo is over.');
      chat.slack.router(request, response, next);
    };
  const router = createStrictRouter();
  router.post('/api/:method', toSlackOf(teamOfToken));
  router.post(
    '/responses/:team/:number/:secret',
    toSlackOf(({ params }) => String(params.team)),
  );
  return router;
}

/** Tokens name the workspace that they are for. */
const teamOfToken = ({ headers }: Request): string | undefined =>
  /^Bearer xoxb-([^-]+)-/.exec(headers.authorization ?? '')?.[1];
