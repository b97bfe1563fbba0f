import type { Request } from 'express';
import { findNetworkOf } from '#domain/address-kinds';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { RateCounterRepository } from '#ports/store/store';
import { createBlockSpender, createRateLimiter, type RateLimit } from '#services/host/rate-limits';

/** Limits of one address, which may be that of a whole school. Errors: RATE_LIMITED, STORE_UNAVAILABLE. */
export interface ChatLimits {
  countChat(request: Pick<Request, 'ip'>): Promise<void>;
  /** Also counts typing where the app makes suggestions. */
  countAct(request: Pick<Request, 'ip'>): Promise<void>;
}

/** A class begins at the same time; four such would fill the demo. */
export const CHATS = { name: 'demo-chats', points: 30, windowSeconds: 600 } as const;
/** Twenty for each of thirty people. */
export const ACTS = { name: 'demo-chat-acts', points: 600, windowSeconds: 30 } as const;

export function createChatLimits(rateCounters: RateCounterRepository, clock: Clock): ChatLimits {
  const counterOf = (limit: RateLimit) => {
    const spend = createBlockSpender(createRateLimiter(rateCounters, clock, limit), clock);
    return async (request: Pick<Request, 'ip'>) => {
      const { isAllowed, endsInMs } = await spend(addressOf(request));
      if (!isAllowed) throw createChatLimitError(Math.max(1, Math.ceil(endsInMs / 1_000)));
    };
  };
  return { countChat: counterOf(CHATS), countAct: counterOf(ACTS) };
}

export const addressOf = ({ ip }: Pick<Request, 'ip'>): string => findNetworkOf(ip ?? 'unknown');

export function createChatLimitError(retryAfterSeconds: number): AppError {
  const message = `Much is going on in the demo chat. Try again in ${retryAfterSeconds} s.`;
  return new AppError('RATE_LIMITED', message, { retryAfterSeconds });
}
