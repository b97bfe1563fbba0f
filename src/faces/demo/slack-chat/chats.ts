import { slackPeople } from '../../../domain/slack.ts';
import type { People } from '../../../services/people.ts';
import type { Translate } from '../../words/i18n.ts';
import { type Chat, type ChatDeps, createChat } from './chat.ts';
import { tooMuch } from './chat-limits.ts';
import { TEAM_PREFIX } from './chat-world.ts';

/** The chats of all visitors: each browser has its own, and sees nothing of the others. One is kept from the first act in it on:
 *  programs that read pages begin none. */
export interface Chats {
  /** Null where nothing was done in it yet, or it was forgotten meanwhile. */
  find(session: string): Chat | null;
  findByTeam(teamId: string): Chat | null;
  /** As it is before anything is done in it; not kept. */
  preview(session: string, t: Translate): Chat;
  /** What is there, else a new one, in place of one that was not used for a while. Errors: RATE_LIMITED where there is no such
   *  one; what the store throws. */
  open(session: string, t: Translate): Promise<Chat>;
  /** With what the app keeps of its people. */
  remove(session: string): Promise<void>;
}

export interface ChatsDeps extends Omit<ChatDeps, 'seededAt'> {
  readonly people: Pick<People, 'forgetAll'>;
  /** Of the demo course, whose people and those of the chats can link themselves. */
  tenantId(): Promise<string>;
  onProblem(error: unknown): void;
}

export const MAX_CHATS = 100;
export const MAX_IDLE_MS = 4 * 3_600_000;
/** Nobody who comes takes the chat of somebody who is about to go on in it. */
export const IN_USE_MS = 10 * 60_000;
const FULL_SECONDS = 60;
/** What the names of people of every chat begin with, and of nobody else. */
const ALL_PEOPLE = `slack:${TEAM_PREFIX}`;

interface Kept {
  readonly chat: Chat;
  usedAt: number;
}

export function createChats(given: ChatsDeps): Chats {
  const { people, clock, tenantId, onProblem } = given;
  const deps = { ...given, seededAt: clock.now() };
  // The one that was used last is last.
  const kept = new Map<string, Kept>();
  let cleaning: Promise<void> | undefined;

  const forgetAll = async (prefix: string) => people.forgetAll(await tenantId(), prefix);
  const forget = ({ chat }: Kept) => forgetAll(slackPeople(chat.world.teamId)).catch(onProblem);

  /** What people of an earlier process saved is nobody's any more. */
  function cleanOnce(): Promise<void> {
    cleaning ??= forgetAll(ALL_PEOPLE).catch((error: unknown) => {
      cleaning = undefined;
      throw error;
    });
    return cleaning;
  }

  function find(session: string): Chat | null {
    const found = kept.get(session);
    if (found === undefined) return null;
    kept.delete(session);
    kept.set(session, found);
    found.usedAt = clock.now().getTime();
    return found.chat;
  }

  /** Removes those that nobody uses any more, and as many others as there must be room for. */
  function takeOld(): readonly Kept[] {
    const now = clock.now().getTime();
    const tooMany = kept.size + 1 - MAX_CHATS;
    const old = [...kept].filter(
      ([, { usedAt }], index) => usedAt < now - (index < tooMany ? IN_USE_MS : MAX_IDLE_MS),
    );
    for (const [session] of old) kept.delete(session);
    return old.map(([, one]) => one);
  }

  return {
    find,
    findByTeam: (teamId) => [...kept.values()].find(({ chat }) => chat.world.teamId === teamId)?.chat ?? null,
    preview: (session, t) => createChat(deps, { session, t, firstVersion: 0 }),
    async open(session, t) {
      await cleanOnce();
      const there = find(session);
      if (there !== null) return there;
      const old = takeOld();
      if (kept.size >= MAX_CHATS) throw tooMuch(FULL_SECONDS);
      const usedAt = clock.now().getTime();
      // Later than all that was shown of an earlier one of the same browser.
      const chat = createChat(deps, { session, t, firstVersion: usedAt });
      kept.set(session, { chat, usedAt });
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
