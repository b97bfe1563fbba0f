import type { App, Authorize, BlockAction, ExpressReceiver, Receiver, types } from '@slack/bolt';
import { slackLinkScopes } from '#domain/slack';
import { createStrictRouter } from '#faces/strict-paths';
import type { KnownBlock } from '../blocks/block-kit.ts';
import { objectSection } from '../blocks/messages.ts';
import type { SlackConnection, SlackFaceDeps } from '../deps.ts';
import { isTokenGood, removeRevoked, removeUninstalled } from '../install/removal.ts';
import { HOME, type Listener } from '../listener.ts';
import { createBoltLogger, loadBolt, makeBoltClientOptions } from '../slack-api/bolt.ts';
import { createSlackApi, createSlackError } from '../slack-api/slack-api.ts';
import { callWithPictures, isSlackResponseAddress } from '../slack-api/slack-calls.ts';
import { answerCommand, answerForm, answerFormInPlace, answerFormInWindow, answerOptions } from './answer-form.ts';
import { type AnswerDeps, createAnswerDeps } from './call-listener.ts';
import { isBusyFailure } from './failures.ts';
import type { PersonWords } from './person-words.ts';
import type { RequestLimits } from './request-limits.ts';
import { admitToListener, findListenerContext, rememberResult } from './run-listener.ts';
import type { BoltContext, FindInstallation, ListenerCall, SlackRequest } from './slack-request.ts';
import {
  acknowledgeSlackRequest,
  LINKS,
  readSlackAction,
  readSlackMessage,
  readSlackRequest,
  readSlackView,
} from './slack-request.ts';

export interface BoltAppDeps {
  readonly deps: SlackFaceDeps;
  readonly listeners: readonly Listener[];
  readonly personWords: PersonWords;
  readonly limits: RequestLimits;
  track(work: Promise<unknown>): void;
  readonly closing: AbortSignal;
}

/** Requests still unacknowledged after this are acknowledged without an answer. */
const UNHANDLED_MS = 2_500;

export async function createHttpApp(connection: SlackConnection, appDeps: BoltAppDeps): Promise<ExpressReceiver> {
  const bolt = await loadBolt();
  const receiver = new bolt.ExpressReceiver({
    signingSecret: connection.signingSecret,
    // `events-route.ts` has verified it, more strictly.
    signatureVerification: false,
    router: createStrictRouter(),
    endpoints: '/events',
    logger: createBoltLogger(appDeps.deps.onProblem),
    // `events-route.ts` has noted when the request arrived.
    customPropertiesExtractor: (request) => ({ receivedAt: (request as Pick<BoltContext, 'receivedAt'>).receivedAt }),
    unhandledRequestTimeoutMillis: UNHANDLED_MS,
    unhandledRequestHandler: ({ response }) => {
      if (!response.headersSent) response.writeHead(200).end();
    },
  });
  await createBoltApp(connection, receiver, appDeps);
  return receiver;
}

/** An app without Bolt's memory of conversations, and whose calls `createSlackApi` makes. */
export async function createBoltApp(
  connection: SlackConnection,
  receiver: Receiver,
  appDeps: BoltAppDeps,
): Promise<App> {
  const { deps } = appDeps;
  const bolt = await loadBolt();
  const app = new bolt.App({
    receiver,
    authorize: createBoltAuthorize(connection),
    logger: createBoltLogger(deps.onProblem),
    convoStore: false,
    clientOptions: makeBoltClientOptions(connection.apiUrl, deps.onProblem),
  });
  const api = createSlackApi(connection.apiUrl, deps.onProblem);
  const parts = { ...appDeps, connection, answer: createAnswerDeps(deps, { ...appDeps, api }) };
  handleBoltInteractions(app, parts);
  handleBoltEvents(app, parts);
  app.error(async (error) => deps.onProblem(error));
  return app;
}

/** Bolt waits for this before it calls a handler, so each answer finds the installation itself. */
function createBoltAuthorize({ findInstalled }: Pick<SlackConnection, 'findInstalled'>): Authorize<boolean> {
  return async ({ teamId, enterpriseId, isEnterpriseInstall }, body) => {
    // In Slack Connect, somebody of another workspace may act in a modal; Bolt handles only forms.
    const host: unknown = (body as Partial<BlockAction> | undefined)?.view?.app_installed_team_id;
    const isGuest = typeof host === 'string' && host !== '' && host !== teamId;
    const source = isGuest
      ? { teamId: host, enterpriseId: null, isEnterpriseInstall: false }
      : { teamId: teamId ?? null, enterpriseId: enterpriseId ?? null, isEnterpriseInstall };
    const findInstallation: FindInstallation = rememberResult(async () => {
      const installed = await findInstalled(source);
      if (installed === null) throw createSlackError('SLACK_NOT_INSTALLED');
      return installed;
    });
    return { findInstallation };
  };
}

interface HandlerParts extends BoltAppDeps {
  readonly connection: SlackConnection;
  readonly answer: AnswerDeps;
}

/** One handler for all requests of a kind, so that those without a listener are acknowledged. */
function handleBoltInteractions(app: App, parts: HandlerParts): void {
  const { answer, track } = parts;
  app.command(/./, async ({ command, body, context, ack }) => {
    const call = { kind: 'command', name: command.command, text: command.text } as const;
    track(answerCommand(answer, readBoltRequest(parts, { body, context, call }), ack));
  });
  app.action({}, async ({ payload, body, context, ack }) => {
    await acknowledgeSlackRequest(ack);
    const action = readSlackAction(payload);
    const view = readSlackView(body);
    const call = { kind: 'action', name: action.actionId, action, view } as const;
    const answerClick = view?.type === 'home' ? answerFormInWindow : answerFormInPlace;
    track(answerClick(answer, readBoltRequest(parts, { body, context, call })));
  });
  app.shortcut({}, async ({ shortcut, body, context, ack }) => {
    await acknowledgeSlackRequest(ack);
    const call = { kind: 'shortcut', name: shortcut.callback_id, source: readSlackMessage(body) } as const;
    track(answerFormInWindow(answer, readBoltRequest(parts, { body, context, call })));
  });
  app.view({ type: 'view_submission' }, async ({ body, context, ack }) => {
    const view = readSlackView(body);
    if (view === null) return void (await acknowledgeSlackRequest(ack));
    const call = { kind: 'view', name: view.callbackId, view } as const;
    track(answerForm(answer, readBoltRequest(parts, { body, context, call }), ack));
  });
  app.view({ type: 'view_closed' }, async ({ ack }) => {
    await acknowledgeSlackRequest(ack);
  });
  app.options({}, async ({ payload, body, context, ack }) => {
    const { action_id: name = '', value: typed = '' } = payload as { action_id?: string; value?: string };
    const call = { kind: 'options', name, typed } as const;
    track(answerOptions(answer, readBoltRequest(parts, { body, context, call }), ack));
  });
}

function handleBoltEvents(app: App, parts: HandlerParts): void {
  const { connection, answer, deps, closing, track } = parts;
  app.event(HOME, async ({ event, body, context }) => {
    const call = { kind: 'home', name: HOME } as const;
    if (event.tab === 'home') track(answerFormInPlace(answer, readBoltRequest(parts, { body, context, call })));
  });
  app.event(LINKS, async ({ event, body, context }) => {
    const call = { kind: 'links', name: LINKS } as const;
    track(answerBoltLinks(answer, readBoltRequest(parts, { body, context, call }), event));
  });
  const isInstalled = (botToken: string) => isTokenGood(answer.api.as(botToken));
  const eraseConnection = (id: string, removedAt: Date) => connection.erase(id, removedAt, isInstalled);
  const eraseDeps = { erase: eraseConnection, closing, clock: deps.clock, onProblem: deps.onProblem };
  app.event('app_uninstalled', async ({ body }) => track(removeUninstalled(eraseDeps, body)));
  app.event('tokens_revoked', async ({ body }) => track(removeRevoked(eraseDeps, body)));
}

/** Answers go to the Slack that the request is from, or nowhere. */
function readBoltRequest(
  { connection, deps }: HandlerParts,
  { body, context, call }: { readonly body: object; readonly context: object; readonly call: ListenerCall },
): SlackRequest {
  const request = readSlackRequest(body, context as BoltContext, call);
  const { responseUrl } = request;
  if (responseUrl === null || isSlackResponseAddress(responseUrl, connection.apiUrl)) return request;
  deps.onProblem(new Error('A request of Slack asks for an answer to an address that is not of Slack.'));
  return { ...request, responseUrl: null };
}

/** Of one message. */
const MAX_LINKS = 5;
const MAX_DESCRIPTION = 300;

/** Unfurls links to pages of objects that people of the tenant can find. Nobody has asked for it,
 *  so a failure is in the log only. Source: Slack, "Unfurling links in messages". */
async function answerBoltLinks(deps: AnswerDeps, request: SlackRequest, event: types.LinkSharedEvent): Promise<void> {
  const { links, unfurl_id, source } = event;
  try {
    const urls = [...new Set(links.map(({ url }) => url))].slice(0, MAX_LINKS);
    if (unfurl_id === undefined || source === undefined) return;
    const context = await findListenerContext(deps, request);
    const { scopes } = context.installation;
    if (!slackLinkScopes.every((scope) => scopes.includes(scope))) return;
    if (!(await admitToListener(deps, request, context))) return;
    await deps.limits.runInTurn(context, request, async () => {
      const sections = await drawSharedLinks(deps, context, urls);
      if (sections.size === 0) return;
      // Without pictures there are as many sections as before.
      await callWithPictures({ text: '', blocks: [...sections.values()] }, deps, ({ blocks }) => {
        const unfurls = [...sections.keys()].map((url, at) => [url, { blocks: blocks.slice(at, at + 1) }]);
        return context.slack.unfurl({ unfurl_id, source, unfurls: Object.fromEntries(unfurls) });
      });
    });
  } catch (error) {
    if (!isBusyFailure(error)) deps.onProblem(error);
  }
}

/** A block for each address of an object that is found. */
async function drawSharedLinks(
  { publicUrl, findPublishedObject }: AnswerDeps,
  { owner, words }: Awaited<ReturnType<typeof findListenerContext>>,
  urls: readonly string[],
): Promise<ReadonlyMap<string, KnownBlock>> {
  const prefix = `${publicUrl}/objects/`;
  const sections = new Map<string, KnownBlock>();
  for (const url of urls) {
    const id = url.startsWith(prefix) ? /^[\w-]+(?=$|[?#])/.exec(url.slice(prefix.length))?.[0] : undefined;
    const object = id === undefined ? null : await findPublishedObject(owner.tenantId, id);
    if (object !== null) sections.set(url, objectSection(object, { maxDescription: MAX_DESCRIPTION }, await words()));
  }
  return sections;
}
