import { LRUCache } from 'lru-cache';
import type { Answered } from '../../domain/answer-source.ts';
import type { AnswerCacheDeps, Question } from '../answer-cache.ts';
import { readAnswer, writeAnswer } from './answer-text.ts';
import { createSharedAnswers } from './shared-answers.ts';

/** Answers that this process keeps, marked as cached, and those that it shares with other hosts. */
export interface KeptAnswers {
  /** Null where this process keeps none that is at most this old. */
  find(key: string, maxAgeMs: number): Answered<unknown> | null;
  /** Keeps here what another host was answered, if that is newer. Never fails. */
  takeOver(question: Question): Promise<void>;
  /** @returns the answer, frozen */
  keep(question: Question, value: unknown): Answered<unknown>;
}

/** Of what belongs to every answer that is kept. */
const ENTRY_BYTES = 500;

export function createKeptAnswers({ clock, maxBytes, shared, onProblem }: AnswerCacheDeps): KeptAnswers {
  const memory = new LRUCache<string, Answered<unknown>>({ maxSize: maxBytes });
  const others = shared === undefined ? null : createSharedAnswers({ shared, clock, onProblem });

  function remember(key: string, text: string, answered: Answered<unknown>): Answered<unknown> {
    memory.set(key, freezeThrough(answered), { size: sizeOf(key, text) });
    return answered;
  }

  return {
    find(key, maxAgeMs) {
      const kept = memory.get(key);
      return kept !== undefined && clock.now().getTime() - answeredAtMs(kept) <= maxAgeMs ? kept : null;
    },

    async takeOver({ key, upstream, isPrivate = false }) {
      const found = isPrivate ? null : await others?.findAnswer(key);
      if (!found || found.answeredAt.getTime() <= answeredAtMs(memory.peek(key))) return;
      try {
        const value = readAnswer(found.text);
        remember(key, found.text, toAnswered(value, upstream, found.answeredAt));
      } catch (error) {
        onProblem(error);
      }
    },

    keep({ key, upstream, times, isPrivate = false }, value) {
      const answeredAt = clock.now();
      const text = writeAnswer(value);
      const expiresAt = new Date(answeredAt.getTime() + times.staleMs);
      if (!isPrivate && value !== null) others?.keepAnswer(key, { text, answeredAt, expiresAt });
      return remember(key, text, toAnswered(value, upstream, answeredAt));
    },
  };
}

function toAnswered(value: unknown, upstream: string, answeredAt: Date): Answered<unknown> {
  return { value, source: { upstream, freshness: 'cached', answeredAt } };
}

function answeredAtMs(kept: Answered<unknown> | undefined): number {
  return kept?.source.answeredAt.getTime() ?? Number.NEGATIVE_INFINITY;
}

/** Bytes in memory, about: what is read of a text takes one and a half times its length, and twice where letters need two
 *  bytes. */
function sizeOf(key: string, text: string): number {
  return ENTRY_BYTES + key.length + 2 * text.length;
}

/** Everyone who asks is given the same answer. A Map is left to its read-only type. */
function freezeThrough<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) freezeThrough(each);
  return Object.freeze(value);
}
