import type { StoredMessage } from '../slack/conversations.ts';
import { readState } from '../slack/state-values.ts';
import type { StoredView } from '../slack/views.ts';
import type { Chat } from './chat.ts';
import type { ChatWorld } from './chat-world.ts';

interface Seen {
  readonly userId: string;
  readonly channelId: string;
}

/** What a person sees of a conversation, for the scripts of the page. */
export function chatState(chat: Chat, { userId, channelId }: Seen) {
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
    ...{ ts, threadTs, from, text, blocks },
    userId: message.userId,
    isPrivate: visibleTo !== null,
    sentAt: Math.floor(Number(ts)) * 1000,
    values: readState(message, userId),
  };
}

function viewState(view: StoredView) {
  const { id, hash, blocks, payload, errors } = view;
  return {
    ...{ id, hash, blocks, errors },
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
