import type { App } from '@slack/bolt';
import type { SlackConnection } from '../connection.ts';
import type { SlackFaceDeps } from '../deps.ts';
import { eraseRevoked, eraseUninstalled } from '../install/erase.ts';
import { isTokenGood } from '../install/look-over.ts';
import { isResponseAddress } from '../slack-api/respond.ts';
import { createSlackApi } from '../slack-api/slack-api.ts';
import { answerCommand, answerHome, answerInConversation, answerInWindow, answerOptions } from './answer.ts';
import { answerView } from './answer-view.ts';
import type { Handling } from './handling.ts';
import {
  acknowledge,
  type BoltContext,
  type Incoming,
  readIncoming,
  readIncomingAction,
  readIncomingMessage,
  toIncomingView,
} from './incoming.ts';

export interface RegisterDeps {
  readonly deps: SlackFaceDeps;
  readonly connection: SlackConnection;
  readonly handling: Handling;
  /** Aborted when the host stops. */
  readonly closing: AbortSignal;
  /** Tracks work that goes on after the acknowledgement, so that it can be waited for. */
  track(work: Promise<unknown>): void;
}

/** Binds everything to Bolt. One handler takes all requests of a kind, even those without a listener, so that each is acknowledged. */
export function registerHandlers(app: App, given: RegisterDeps): void {
  registerInteractions(app, given);
  registerEvents(app, given);
  app.error(async (error) => given.deps.onProblem(error));
}

/** Answers go to the Slack that the request is from, or nowhere. */
function createRead({ connection, deps }: RegisterDeps): (body: object, context: object) => Incoming {
  return (body, context) => {
    const incoming = readIncoming(body, context as BoltContext);
    const { responseUrl } = incoming;
    if (responseUrl === null || isResponseAddress(responseUrl, connection.apiUrl)) return incoming;
    deps.onProblem(new Error('A request of Slack asks for an answer to an address that is not of Slack.'));
    return { ...incoming, responseUrl: null };
  };
}

function registerInteractions(app: App, given: RegisterDeps): void {
  const { handling, track, deps } = given;
  const read = createRead(given);
  app.command(/./, async ({ command, body, context, ack }) => {
    const attempt = { kind: 'command', name: command.command, text: command.text } as const;
    track(answerCommand({ handling, deps, ack }, read(body, context), attempt));
  });
  app.action({}, async ({ payload, body, context, ack }) => {
    await acknowledge(ack);
    const incoming = read(body, context);
    const action = readIncomingAction(payload);
    const view = incoming.view === null ? null : toIncomingView(incoming.view);
    const attempt = { kind: 'action', name: action.actionId, action, view } as const;
    const answer = view?.type === 'home' ? answerInWindow : answerInConversation;
    track(answer({ handling, deps }, incoming, attempt));
  });
  app.shortcut({}, async ({ shortcut, body, context, ack }) => {
    await acknowledge(ack);
    const source = readIncomingMessage(body);
    const attempt = { kind: 'shortcut', name: shortcut.callback_id, source } as const;
    track(answerInWindow({ handling, deps }, read(body, context), attempt));
  });
  app.view({ type: 'view_submission' }, async ({ body, context, ack }) => {
    track(answerView({ handling, ack }, read(body, context)));
  });
  app.view({ type: 'view_closed' }, async ({ ack }) => {
    await acknowledge(ack);
  });
  app.options({}, async ({ payload, body, context, ack }) => {
    const { action_id: name = '', value = '' } = payload as { action_id?: string; value?: string };
    track(answerOptions({ handling, deps, ack }, read(body, context), { name, typed: value }));
  });
}

function registerEvents(app: App, given: RegisterDeps): void {
  const { handling, track } = given;
  const read = createRead(given);
  app.event('app_home_opened', async ({ event, body, context }) => {
    if (event.tab === 'home') track(answerHome({ handling }, read(body, context)));
  });
  const { connection, closing, deps } = given;
  const api = createSlackApi(connection.apiUrl, deps.onProblem);
  const isInstalled = (botToken: string) => isTokenGood(api.as(botToken));
  const erase = (id: string, removedAt: Date) => connection.erase(id, removedAt, isInstalled);
  const eraseDeps = { erase, closing, clock: deps.clock, onProblem: deps.onProblem };
  app.event('app_uninstalled', async ({ body }) => track(eraseUninstalled(eraseDeps, body)));
  app.event('tokens_revoked', async ({ body }) => track(eraseRevoked(eraseDeps, body)));
}
