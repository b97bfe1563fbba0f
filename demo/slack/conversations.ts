import type { Clock } from '#ports/clock';
import { removeOldest } from '../platform/expiring.ts';
import { createSurface, type Surface } from './surface.ts';

/** One in a conversation, or in a thread of it. */
export interface StoredMessage extends Surface {
  /** Its id in the conversation: `1700000000.000001`. */
  readonly ts: string;
  readonly channelId: string;
  /** Of the message that began its thread; null where it is in none. */
  readonly threadTs: string | null;
  readonly from: 'person' | 'app' | 'slackbot';
  /** Who wrote it; null where no person did. */
  readonly userId: string | null;
  /** The only one who sees it; null where everybody does. */
  readonly visibleTo: string | null;
  readonly text: string;
  /** Blocks that the app shows below it, by address. */
  readonly unfurls?: Unfurls;
}

export type Unfurls = Readonly<Record<string, { readonly blocks: readonly unknown[] }>>;

export interface NewMessage {
  readonly channelId: string;
  readonly threadTs?: string | null;
  readonly from: StoredMessage['from'];
  readonly userId?: string | null;
  readonly visibleTo?: string | null;
  readonly text: string;
  readonly blocks?: readonly unknown[];
  /** Now when absent. */
  readonly sentAt?: Date;
}

export interface Conversations {
  add(message: NewMessage): StoredMessage;
  find(channelId: string, ts: string): StoredMessage | null;
  /** Same place and reader, other content. */
  replace(message: StoredMessage, content: Pick<NewMessage, 'text' | 'blocks'>): void;
  unfurl(message: StoredMessage, unfurls: Unfurls): void;
  remove(message: StoredMessage): void;
  /** What a person sees of it, oldest first. */
  list(channelId: string, userId: string): readonly StoredMessage[];
  clear(): void;
}

/** The oldest are forgotten. */
const MAX_MESSAGES = 2000;

export function createConversations(clock: Clock, onChange: () => void): Conversations {
  const messages = new Map<string, StoredMessage>();
  const keyOf = (channelId: string, ts: string) => `${channelId} ${ts}`;
  const nextTs = createTimes();
  const keep = (message: StoredMessage) => {
    messages.set(keyOf(message.channelId, message.ts), message);
    if (messages.size > MAX_MESSAGES) removeOldest(messages);
    onChange();
  };
  return {
    add({ text, blocks = [], threadTs = null, userId = null, visibleTo = null, sentAt, ...message }) {
      const ts = nextTs(sentAt ?? clock.now());
      const added = { ...createSurface(blocks), ...message, threadTs, userId, visibleTo, text, ts };
      keep(added);
      return added;
    },
    find: (channelId, ts) => messages.get(keyOf(channelId, ts)) ?? null,
    replace: (message, { text, blocks = [] }) => keep({ ...message, ...createSurface(blocks), text }),
    unfurl: (message, unfurls) => keep({ ...message, unfurls }),
    remove(message) {
      messages.delete(keyOf(message.channelId, message.ts));
      onChange();
    },
    list: (channelId, userId) =>
      [...messages.values()].filter(
        (message) => message.channelId === channelId && (message.visibleTo === null || message.visibleTo === userId),
      ),
    clear: () => messages.clear(),
  };
}

/** Never two the same, also where the clock stands still. */
function createTimes(): (sentAt: Date) => string {
  let count = 0;
  return (sentAt) => {
    count += 1;
    return `${Math.floor(sentAt.getTime() / 1000)}.${String(count).padStart(6, '0')}`;
  };
}
