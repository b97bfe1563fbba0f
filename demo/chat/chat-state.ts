import type { Locale, Translate } from '#faces/words/i18n';
import type { StoredMessage } from '../slack/conversations.ts';
import { readState } from '../slack/state-values.ts';
import type { StoredView } from '../slack/views.ts';
import type { Chat } from './chat.ts';
import type { ChatWorld } from './chat-world.ts';

/** Texts that the scripts say. */
const scriptWords = [
  'app',
  'appBadge',
  'onlyYou',
  'choose',
  'chosen',
  'remove',
  'options',
  'noOptions',
  'optionCount',
  'more',
  'messageMenu',
  'findLearning',
  'reply',
  'replyTo',
  'required',
  'optional',
  'unknownBlock',
  'payload',
  'checked',
  'back',
  'close',
  'waiting',
  'tooLate',
  'failed',
  'away',
  'busy',
  'noCookies',
  'changed',
  'home',
  'homeTopic',
  'homeEmpty',
  'topic_learning',
  'topic_general',
  'topic_ada-ben',
  'placeholder',
  'locale_en',
  'locale_fr',
  'locale_de',
  'locale_es',
  'composerHint',
  'learnUsage',
  'learnWhat',
  'learnHint',
  'skillsUsage',
  'skillsWhat',
  'skillsHint',
] as const;

interface Words {
  readonly locale: Locale;
  readonly t: Translate;
}

interface Seen {
  readonly userId: string;
  readonly channelId: string;
}

/** What a person sees of a conversation, for the scripts of the page. */
export function makeChatState(chat: Chat, { userId, channelId }: Seen) {
  const { conversations, views } = chat.slack;
  const home = views.home({ userId, teamId: chat.world.teamId });
  return {
    version: chat.version(),
    messages: conversations.list(channelId, userId).map((message) => messageState(message, userId)),
    views: views.stack(userId).map(viewState),
    home: home === null ? null : viewState(home),
    problems: chat.listProblems(),
  };
}

function messageState(message: StoredMessage, userId: string) {
  const { ts, threadTs, from, text, blocks, visibleTo } = message;
  return {
    ts,
    threadTs,
    from,
    text,
    blocks,
    userId: message.userId,
    isPrivate: visibleTo !== null,
    sentAt: Math.floor(Number(ts)) * 1000,
    values: readState(message, userId),
  };
}

function viewState(view: StoredView) {
  const { id, hash, blocks, payload, errors } = view;
  return {
    id,
    hash,
    blocks,
    errors,
    title: payload.title?.text ?? '',
    submit: payload.submit?.text ?? null,
    close: payload.close?.text ?? null,
    values: readState(view, view.actor.userId),
  };
}

/** Who and what is there from the beginning. */
export const chatPlaces = ({ members, channels }: ChatWorld) => ({
  people: members.map(({ id, realName, locale }) => ({ id, name: realName, locale: locale.slice(0, 2) })),
  channels: channels.map(({ id, name, kind, hasApp }) => ({ id, name, kind, hasApp })),
});

/** What the chat page shows before its scripts have run, and what they begin with. */
export function makeChatPageModel(world: ChatWorld, { locale, t }: Words, hostUrl: string) {
  const words = Object.fromEntries(scriptWords.map((name) => [name, t(`demoChat.script.${name}`)]));
  return { hostUrl, locale, t, begin: JSON.stringify({ locale, words, ...chatPlaces(world) }) };
}
