import { toSlackPeoplePrefix } from '#domain/slack';
import type { Translate } from '#faces/words/i18n';
import type { People } from '#services/people/people';
import { type Chat, type ChatDeps, createChat } from './chat.ts';
import { CHATS, createChatLimitError } from './chat-limits.ts';
import { TEAM_PREFIX } from './chat-world.ts';

/** The chats of all visitors: each browser has its own, and sees nothing of the others. One is kept from the first act in it on:
 *  programs that read pages begin none. */
export interface Chats {
  /** Null where nothing was done in it yet, or it was forgotten meanwhile. Looking does not count as use: pages do so all the
   *  time. */
  find(session: string): Chat | null;
  findByTeam(teamId: string): Chat | null;
  /** A chat before anything is done in it; not kept. */
  preview(session: string, t: Translate): Chat;
  /** A chat to act in: the existing one, or a new one, which replaces the oldest of an address that has many, or one that was not
   *  used for a while. Errors: RATE_LIMITED where none can be replaced; what the store throws. */
  open(session: string, visitor: Visitor): Promise<Chat>;
  /** With what the app keeps of its people. */
  remove(session: string): Promise<void>;
}

export interface Visitor {
  readonly t: Translate;
  /** May be that of a whole school. */
  readonly address: string;
}

export interface ChatsDeps extends Omit<ChatDeps, 'seededAt'> {
  readonly people: Pick<People, 'forgetAll'>;
  /** Of the demo course, whose people and those of the chats can link themselves. */
  tenantId(): Promise<string>;
  onProblem(error: unknown): void;
}

export const MAX_CHATS = 100;
/** A class. Beyond that, an address must leave room for others. */
export const MAX_CHATS_OF_ADDRESS = CHATS.points;
export const MAX_IDLE_MS = 4 * 3_600_000;
/** A newcomer does not take the chat of somebody who is about to go on. */
export const IN_USE_MS = 10 * 60_000;
const FULL_SECONDS = 60;
/** What the names of people of every chat begin with, and of nobody else. */
const ALL_PEOPLE = `slack:${TEAM_PREFIX}`;

interface Kept {
  readonly chat: Chat;
  readonly address: string;
  readonly usedAt: number;
}

export function createChats(given: ChatsDeps): Chats {
  const { people, clock, tenantId, onProblem } = given;
  const deps = { ...given, seededAt: clock.now() };
  // The one that was used last is last.
  const kept = new Map<string, Kept>();
  let cleaning: Promise<void> | undefined;

  const forgetAll = async (prefix: string) => people.forgetAll(await tenantId(), prefix);
  const forget = ({ chat }: Kept) => forgetAll(toSlackPeoplePrefix(chat.world.teamId)).catch(onProblem);

  /** What people of an earlier process saved belongs to nobody now. */
  function cleanOnce(): Promise<void> {
    cleaning ??= forgetAll(ALL_PEOPLE).catch((error: unknown) => {
      cleaning = undefined;
      throw error;
    });
    return cleaning;
  }

  /** Puts it last, as used now. */
  function use(session: string, { chat, address }: Omit<Kept, 'usedAt'>): Chat {
    kept.delete(session);
    kept.set(session, { chat, address, usedAt: clock.now().getTime() });
    return chat;
  }

  /** Removes unused ones, and one that must make room for another of the address. */
  function takeOld(address: string): readonly Kept[] {
    const now = clock.now().getTime();
    const own = [...kept.values()].filter((one) => one.address === address);
    const givesWay = own.length < MAX_CHATS_OF_ADDRESS ? undefined : own[0];
    const tooMany = givesWay === undefined ? kept.size + 1 - MAX_CHATS : 0;
    const old = [...kept].filter(
      ([, one], index) => one === givesWay || one.usedAt < now - (index < tooMany ? IN_USE_MS : MAX_IDLE_MS),
    );
    for (const [session] of old) kept.delete(session);
    return old.map(([, one]) => one);
  }

  return {
    find: (session) => kept.get(session)?.chat ?? null,
    findByTeam: (teamId) => [...kept.values()].find(({ chat }) => chat.world.teamId === teamId)?.chat ?? null,
    preview: (session, t) => createChat(deps, { session, t, firstVersion: 0 }),
    async open(session, { t, address }) {
      await cleanOnce();
      const there = kept.get(session);
      if (there !== undefined) return use(session, there);
      const old = takeOld(address);
      if (kept.size >= MAX_CHATS) throw createChatLimitError(FULL_SECONDS);
      // Later than all that was shown of an earlier one of the same browser.
      const chat = createChat(deps, { session, t, firstVersion: clock.now().getTime() });
      use(session, { chat, address });
      await Promise.all(old.map(forget));
      return chat;
    },
    async remove(session) {
      const found = kept.get(session);
      kept.delete(session);
      if (found !== undefined) await forget(found);
    },
  };
}
