import type { App, Authorize, ExpressReceiver, Receiver } from '@slack/bolt';
import { createStrictRouter } from '#faces/strict-paths';
import type { InstalledSlack } from '#services/people/slack/recent-installs';
import type { SlackConnection } from '../connection.ts';
import type { SlackFaceDeps } from '../deps.ts';
import type { Listener } from '../listener.ts';
import { type Bolt, createBoltLogger, loadBolt, makeBoltClientOptions } from '../slack-api/bolt.ts';
import { createSlackApi } from '../slack-api/slack-api.ts';
import { createSlackNotInstalledError } from '../slack-api/slack-failures.ts';
import { createHandling } from './handling.ts';
import type { Admit, BoltContext } from './incoming.ts';
import type { PersonWords } from './person-words.ts';
import { registerHandlers } from './register.ts';
import type { Turns } from './turns.ts';

export interface BoltAppDeps {
  readonly deps: SlackFaceDeps;
  readonly listeners: readonly Listener[];
  readonly personWords: PersonWords;
  readonly turns: Turns;
  track(work: Promise<unknown>): void;
  /** Aborted when the host stops. */
  readonly closing: AbortSignal;
}

/** Requests still unacknowledged after this are acknowledged without an answer. */
const UNHANDLED_MS = 2_500;

/** An app of Slack that is sent its requests over HTTP. */
export async function createHttpApp(
  connection: SlackConnection,
  given: BoltAppDeps,
): Promise<ExpressReceiver> {
  const bolt = await loadBolt();
  const receiver = new bolt.ExpressReceiver({
    signingSecret: connection.signingSecret,
    // `events-route.ts` has verified it, more strictly.
    signatureVerification: false,
    router: createStrictRouter(),
    endpoints: '/events',
    logger: createBoltLogger(given.deps.onProblem),
    // When it came, which `events-route.ts` has marked.
    customPropertiesExtractor: (request) => ({
      receivedAt: (request as Pick<BoltContext, 'receivedAt'>).receivedAt,
    }),
    unhandledRequestTimeoutMillis: UNHANDLED_MS,
    unhandledRequestHandler: ({ response }) => {
      if (!response.headersSent) response.writeHead(200).end();
    },
  });
  createBoltApp(bolt, { connection, receiver, given });
  return receiver;
}

export interface BoltAppParts {
  readonly connection: SlackConnection;
  readonly receiver: Receiver;
  readonly given: BoltAppDeps;
}

/** Without its own memory of conversations, and without a client of its own that anyone uses. */
export function createBoltApp(bolt: Bolt, { connection, receiver, given }: BoltAppParts): App {
  const { onProblem } = given.deps;
  const { apiUrl } = connection;
  const app = new bolt.App({
    receiver,
    authorize: createAuthorize(connection),
    logger: createBoltLogger(onProblem),
    convoStore: false,
    clientOptions: makeBoltClientOptions(apiUrl, onProblem),
  });
  const handling = createHandling({ ...given, api: createSlackApi(apiUrl, onProblem) });
  registerHandlers(app, { ...given, connection, handling });
  return app;
}

/** Bolt authorises before it calls anyone, and nothing is acknowledged until then; so this only says how to find out, and each
 *  answer does so within its own time. */
function createAuthorize({ findInstalled }: Pick<SlackConnection, 'findInstalled'>): Authorize<boolean> {
  return async ({ teamId, enterpriseId, isEnterpriseInstall }) => {
    let admitted: Promise<InstalledSlack> | null = null;
    const source = { teamId: teamId ?? null, enterpriseId: enterpriseId ?? null, isEnterpriseInstall };
    const find = async () => {
      const installed = await findInstalled(source);
      if (installed === null) throw createSlackNotInstalledError();
      return installed;
    };
    const admit: Admit = () => {
      admitted ??= find();
      return admitted;
    };
    return { admit };
  };
}
