import { randomBytes } from 'node:crypto';
import type { Clock } from '#ports/clock';
import { removeOldest } from '../platform/expiring.ts';
import type { Conversations } from './conversations.ts';
import { refuseCall } from './refusal.ts';
import type { Actor } from './world.ts';

/** Where an app may answer somebody who did something: five times in thirty minutes. */
export interface ResponseUrls {
  create(target: ResponseTarget): string;
  /** Shows a checked message there, or in place of the one that was acted in. */
  use(path: string, answer: Answer): void;
}

export interface ResponseTarget {
  readonly actor: Actor;
  /** The message that was acted in; null after commands and modals, where there is nothing to replace. */
  readonly messageTs: string | null;
}

/** A message with what response URLs take beside it. */
export interface Answer {
  readonly text?: string;
  readonly blocks?: readonly unknown[];
  readonly thread_ts?: string;
  readonly response_type?: 'ephemeral' | 'in_channel';
  readonly replace_original?: boolean;
  readonly delete_original?: boolean;
}

interface ResponseUrlDeps {
  readonly clock: Clock;
  /** Of this Slack, without a slash at the end. */
  readonly url: string;
  readonly conversations: Conversations;
  onProblem(problem: string): void;
}

const MAX_USES = 5;
const MAX_AGE_SECONDS = 1800;
const MAX_URLS = 2000;

export function createResponseUrls({ clock, url, conversations, onProblem }: ResponseUrlDeps): ResponseUrls {
  const kept = new Map<string, { target: ResponseTarget; expiresAt: number; uses: number }>();

  function count(path: string): ResponseTarget {
    const found = kept.get(path) ?? refuseCall('expired_url');
    if (found.expiresAt <= clock.now().getTime()) refuseCall('expired_url');
    if (found.uses >= MAX_USES) refuseCall('used_url');
    found.uses += 1;
    return found.target;
  }

  function findOriginal({ actor, messageTs }: ResponseTarget) {
    if (messageTs !== null) return conversations.find(actor.channelId, messageTs);
    onProblem('response_url: a command or a modal has no message that could be replaced; a new one is shown');
    return null;
  }

  return {
    create(target) {
      const path = `${target.actor.teamId}/${kept.size}/${randomBytes(12).toString('hex')}`;
      kept.set(path, { target, expiresAt: clock.now().getTime() + MAX_AGE_SECONDS * 1000, uses: 0 });
      if (kept.size > MAX_URLS) removeOldest(kept);
      return `${url}/responses/${path}`;
    },
    use(path, answer) {
      const target = count(path);
      const isChange = answer.replace_original === true || answer.delete_original === true;
      const original = isChange ? findOriginal(target) : null;
      if (original !== null && answer.delete_original === true) conversations.remove(original);
      else if (original !== null) conversations.replace(original, contentOf(answer));
      else if (answer.delete_original !== true) conversations.add(toMessage(target.actor, answer));
    },
  };
}

const contentOf = ({ text = '', blocks = [] }: Answer) => ({ text, blocks });

/** What the app says to somebody: to them alone unless it says otherwise. */
export const toMessage = ({ channelId, userId }: Actor, answer: Answer) =>
  ({
    ...contentOf(answer),
    channelId,
    threadTs: answer.thread_ts ?? null,
    from: 'app',
    visibleTo: answer.response_type === 'in_channel' ? null : userId,
  }) as const;
