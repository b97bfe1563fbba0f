import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '#errors';
import type { Translate } from '#faces/words/i18n';
import type { Place } from '../slack/acts/sending.ts';
import type { StoredMessage } from '../slack/conversations.ts';
import type { Ack } from '../slack/deliveries.ts';
import type { StoredView } from '../slack/views.ts';
import type { Actor } from '../slack/world.ts';
import { type Chat, trimChat } from './chat.ts';
import type { ActBody, ActChoice, ActPlace, ChatAct, SuggestBody } from './read-act.ts';

/** What came of an act. */
export interface Outcome {
  /** Whether the app showed something at once; else it may do so later. */
  readonly isAnswered: boolean;
  /** Whether the app was told. */
  readonly isTold: boolean;
  /** Slack's word for why the app did not take it; null where it did, or was not asked. */
  readonly error: Ack['error'];
}

/** As `manifest.yml` has them. */
const SEARCH_SHORTCUT = 'search_learning';
const MESSAGE_SHORTCUT = 'find_learning';
const SOON_MS = 400;
const LOOK_EVERY_MS = 20;

/** Does what the person did in the page, as Slack's client would. Errors: PARAMETERS_INVALID for what that would not allow. */
export async function runAct(chat: Chat, { act, ...who }: ActBody, t: Translate): Promise<Outcome> {
  const actor = toActor(chat, who);
  if (act.kind === 'submit') await fillIn(chat, getView(chat, actor, act.viewId), act.filled);
  if (act.kind === 'choose' && act.place.kind === 'view')
    await fillIn(chat, getView(chat, actor, act.place.id), act.filled);
  const sent = send(chat, actor, { act, t });
  // A change by the person's own click is not an answer.
  const before = chat.version();
  const ack = await sent;
  const isAnswered = ack === null || (await isChangedSoon(chat, before));
  trimChat(chat);
  return { isAnswered, isTold: ack !== null, error: ack?.error ?? null };
}

/** Most answers come just after the acknowledgement. */
async function isChangedSoon(chat: Chat, before: number): Promise<boolean> {
  const begun = performance.now();
  while (chat.version() === before && performance.now() - begun < SOON_MS) await wait(LOOK_EVERY_MS);
  return chat.version() !== before;
}

/** What an external menu offers for what is typed. */
export async function suggest(chat: Chat, { typed, place, blockId, actionId, ...who }: SuggestBody) {
  const actor = toActor(chat, who);
  const options = await chat.slack.acts.suggest(actor, toPlace(chat, actor, place), {
    blockId,
    actionId,
    typed,
  });
  return options.map(({ text, value }) => ({ text: text.text, value }));
}

/** Null where the app is not told. */
async function send(
  chat: Chat,
  actor: Actor,
  { act, t }: { readonly act: ChatAct; readonly t: Translate },
): Promise<Ack | null> {
  const { acts } = chat.slack;
  switch (act.kind) {
    case 'say':
      return say(chat, actor, { ...act, t });
    case 'search':
      return acts.shortcut(actor, SEARCH_SHORTCUT);
    case 'findLearning':
      return acts.messageShortcut(actor, getMessage(chat, actor, act.ts), MESSAGE_SHORTCUT);
    case 'choose':
      return acts.act(actor, toPlace(chat, actor, act.place), act.choice);
    case 'fill':
      return acts.fill(getView(chat, actor, act.viewId), act.choice);
    case 'submit':
      return acts.submit(getView(chat, actor, act.viewId));
    case 'close':
      return acts.close(getView(chat, actor, act.viewId));
    case 'home':
      return acts.openHome(actor);
  }
}

interface Said {
  readonly text: string;
  readonly threadTs: string | null;
  readonly t: Translate;
}

async function say({ slack }: Chat, actor: Actor, { text, threadTs, t }: Said): Promise<Ack | null> {
  const { channelId, userId } = actor;
  const command = /^\/\S+/.exec(text)?.[0];
  const isKnown = command === '/learn' || command === '/skills';
  if (isKnown && threadTs === null) return slack.acts.command(actor, text);
  if (command === undefined) {
    slack.conversations.add({ channelId, threadTs, from: 'person', userId, text: escapeText(text) });
    return null;
  }
  const refusal = t(isKnown ? 'demoChat.notInThreads' : 'demoChat.unknownCommand', {
    command: escapeText(command),
  });
  slack.conversations.add({ channelId, threadTs, from: 'slackbot', visibleTo: userId, text: refusal });
  return null;
}

/** As Slack hands on what people write. */
const escapeText = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** What is sent along with a click, as the client knows it all the time. */
async function fillIn({ slack: { acts } }: Chat, view: StoredView, filled: readonly ActChoice[]) {
  for (const choice of filled) {
    const block = view.blocks.find(({ block_id }) => block_id === choice.blockId);
    if (block !== undefined && block.dispatch_action !== true) await acts.fill(view, choice);
  }
}

function toActor({ world }: Chat, { userId, channelId }: Omit<ActBody, 'act'>): Actor {
  const isThere = world.channels.some(({ id, memberIds }) => id === channelId && memberIds.includes(userId));
  if (!isThere) throw isGone();
  return { teamId: world.teamId, userId, channelId };
}

function toPlace(chat: Chat, actor: Actor, place: ActPlace): Place {
  return place.kind === 'message'
    ? { kind: 'message', message: getMessage(chat, actor, place.ts) }
    : { kind: 'view', view: getView(chat, actor, place.id) };
}

function getMessage({ slack }: Chat, { channelId, userId }: Actor, ts: string): StoredMessage {
  const message = slack.conversations.find(channelId, ts);
  if (message === null || (message.visibleTo ?? userId) !== userId) throw isGone();
  return message;
}

function getView({ slack }: Chat, { userId }: Actor, id: string): StoredView {
  const view = slack.views.find(id);
  if (view?.actor.userId !== userId) throw isGone();
  return view;
}

const isGone = () => new AppError('PARAMETERS_INVALID', 'This is not in the chat any more.');
