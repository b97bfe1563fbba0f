import type { App, Authorize, BlockAction, ExpressReceiver, Receiver } from '@slack/bolt';
import { createStrictRouter } from '#faces/strict-paths';
import type { SlackConnection } from '../deps.ts';
import { isTokenGood, removeRevoked, removeUninstalled } from '../install/removal.ts';
import { HOME } from '../listener.ts';
import { createBoltLogger, loadBolt, makeBoltClientOptions } from '../slack-api/bolt.ts';
import { createSlackApi, createSlackError } from '../slack-api/slack-api.ts';
import { isResponseAddress } from '../slack-api/slack-calls.ts';
import { answerCommand, answerForm, answerInPlace, answerInWindow, answerLinks, answerOptions } from './answers.ts';
import { type AnswerDeps, createAnswerDeps, type ListenerDeps } from './call-listener.ts';
import { rememberResult } from './run-listener.ts';
import type { BoltContext, GetInstallation, ListenerCall, SlackRequest } from './slack-request.ts';
import {
  acknowledge,
  LINKS,
  readSlackAction,
  readSlackMessage,
  readSlackRequest,
  readSlackView,
} from './slack-request.ts';

export interface BoltAppDeps extends ListenerDeps {
  track(work: Promise<unknown>): void;
  readonly closing: AbortSignal;
}

/** Requests still unacknowledged after this are acknowledged without an answer. */
const UNHANDLED_MS = 2_500;

export async function createHttpApp(connection: SlackConnection, deps: BoltAppDeps): Promise<ExpressReceiver> {
  const bolt = await loadBolt();
  const receiver = new bolt.ExpressReceiver({
    signingSecret: connection.signingSecret,
    // `events-route.ts` has verified it, more strictly.
    signatureVerification: false,
    router: createStrictRouter(),
    endpoints: '/events',
    logger: createBoltLogger(deps.onProblem),
    // `events-route.ts` has noted when the request arrived.
    customPropertiesExtractor: (request) => ({ receivedAt: (request as Pick<BoltContext, 'receivedAt'>).receivedAt }),
    unhandledRequestTimeoutMillis: UNHANDLED_MS,
    unhandledRequestHandler: ({ response }) => {
      if (!response.headersSent) response.writeHead(200).end();
    },
  });
  await createBoltApp(connection, receiver, deps);
  return receiver;
}

/** Creates an app that keeps no memory of conversations and calls Slack by `createSlackApi`. */
export async function createBoltApp(connection: SlackConnection, receiver: Receiver, deps: BoltAppDeps): Promise<App> {
  const bolt = await loadBolt();
  const app = new bolt.App({
    receiver,
    authorize: createAuthorize(connection),
    logger: createBoltLogger(deps.onProblem),
    convoStore: false,
    clientOptions: makeBoltClientOptions(connection.apiUrl, deps.onProblem),
  });
  const api = createSlackApi(connection.apiUrl, deps.onProblem);
  const parts = { ...deps, connection, answer: createAnswerDeps(deps, api) };
  addInteractionHandlers(app, parts);
  addEventHandlers(app, parts);
  app.error(async (error) => deps.onProblem(error));
  return app;
}

/** Bolt waits for this before it calls a handler, so answers find the installation themselves. */
function createAuthorize({ findInstalled }: Pick<SlackConnection, 'findInstalled'>): Authorize<boolean> {
  return async ({ teamId, enterpriseId, isEnterpriseInstall }, body) => {
    // In Slack Connect, somebody of another workspace may act in a modal; Bolt handles only forms.
    const host: unknown = (body as Partial<BlockAction> | undefined)?.view?.app_installed_team_id;
    const isGuest = typeof host === 'string' && host !== '' && host !== teamId;
    const source = isGuest
      ? { teamId: host, enterpriseId: null, isEnterpriseInstall: false }
      : { teamId: teamId ?? null, enterpriseId: enterpriseId ?? null, isEnterpriseInstall };
    const getInstallation: GetInstallation = rememberResult(async () => {
      const installed = await findInstalled(source);
      if (installed === null) throw createSlackError('SLACK_NOT_INSTALLED');
      return installed;
    });
    return { getInstallation };
  };
}

interface HandlerParts extends BoltAppDeps {
  readonly connection: SlackConnection;
  readonly answer: AnswerDeps;
}

/** One handler for all requests of a kind, so that those without a listener are acknowledged. */
function addInteractionHandlers(app: App, parts: HandlerParts): void {
  const { answer, track } = parts;
  app.command(/./, async ({ command, body, context, ack }) => {
    const call = { kind: 'command', name: command.command, text: command.text } as const;
    track(answerCommand(answer, readBoltRequest(parts, { body, context, call }), ack));
  });
  app.action({}, async ({ payload, body, context, ack }) => {
    await acknowledge(ack);
    const action = readSlackAction(payload);
    const view = readSlackView(body);
    const call = { kind: 'action', name: action.actionId, action, view } as const;
    const answerClick = view?.type === 'home' ? answerInWindow : answerInPlace;
    track(answerClick(answer, readBoltRequest(parts, { body, context, call })));
  });
  app.shortcut({}, async ({ shortcut, body, context, ack }) => {
    await acknowledge(ack);
    const call = { kind: 'shortcut', name: shortcut.callback_id, source: readSlackMessage(body) } as const;
    track(answerInWindow(answer, readBoltRequest(parts, { body, context, call })));
  });
  app.view({ type: 'view_submission' }, async ({ body, context, ack }) => {
    const view = readSlackView(body);
    if (view === null) return void (await acknowledge(ack));
    const call = { kind: 'view', name: view.callbackId, view } as const;
    track(answerForm(answer, readBoltRequest(parts, { body, context, call }), ack));
  });
  app.view({ type: 'view_closed' }, async ({ ack }) => {
    await acknowledge(ack);
  });
  app.options({}, async ({ payload, body, context, ack }) => {
    const { action_id: name = '', value: typed = '' } = payload as { action_id?: string; value?: string };
    const call = { kind: 'options', name, typed } as const;
    track(answerOptions(answer, readBoltRequest(parts, { body, context, call }), ack));
  });
}

function addEventHandlers(app: App, parts: HandlerParts): void {
  const { connection, answer, closing, clock, onProblem, track } = parts;
  app.event(HOME, async ({ event, body, context }) => {
    const call = { kind: 'home', name: HOME } as const;
    if (event.tab === 'home') track(answerInPlace(answer, readBoltRequest(parts, { body, context, call })));
  });
  app.event(LINKS, async ({ event, body, context }) => {
    const call = { kind: 'links', name: LINKS } as const;
    track(answerLinks(answer, readBoltRequest(parts, { body, context, call }), event));
  });
  const isInstalled = (botToken: string) => isTokenGood(answer.api.as(botToken));
  const eraseConnection = (id: string, removedAt: Date) => connection.erase(id, removedAt, isInstalled);
  const eraseDeps = { erase: eraseConnection, closing, clock, onProblem };
  app.event('app_uninstalled', async ({ body }) => track(removeUninstalled(eraseDeps, body)));
  app.event('tokens_revoked', async ({ body }) => track(removeRevoked(eraseDeps, body)));
}

/** Reads a request, without its response URL if that is not an address of the same Slack. */
function readBoltRequest(
  { connection, onProblem }: HandlerParts,
  { body, context, call }: { readonly body: object; readonly context: object; readonly call: ListenerCall },
): SlackRequest {
  const request = readSlackRequest(body, context as BoltContext, call);
  const { responseUrl } = request;
  if (responseUrl === null || isResponseAddress(responseUrl, connection.apiUrl)) return request;
  onProblem(new Error('A request of Slack asks for an answer to an address that is not of Slack.'));
  return { ...request, responseUrl: null };
}
