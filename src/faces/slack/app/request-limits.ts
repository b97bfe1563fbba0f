import { LRUCache } from 'lru-cache';
import { runWithDeadline } from '#domain/async/deadline';
import { limitConcurrency, type RunLimited } from '#domain/async/limit-concurrency';
import { limitEntries } from '#domain/limit-entries';
import { AppError } from '#errors';
import { createBlockSpender, createRateLimiter, type Spend } from '#services/host/rate-limits';
import type { SlackFaceDeps } from '../deps.ts';
import type { SlackContext } from '../listener.ts';
import { measureRequestMs, type SlackRequest } from './slack-request.ts';

type Asker = Pick<SlackContext, 'owner' | 'installation'>;
type ReceivedRequest = Pick<SlackRequest, 'receivedAt'>;

export type RequestLimits = ReturnType<typeof createRequestLimits>;

const MINUTE_SECONDS = 60;
const MAX_BY_PERSON = 60;
const MAX_BY_WORKSPACE = 1_200;
/** Typing asks with each letter. */
const TYPING_FACTOR = 4;
/** Enough for 200 searches of 4 s that a workspace begins at once. */
const RUNNING = 50;
const WAITING = 300;
const MAX_WORKSPACES = 5_000;

/** Keeps a busy workspace from starving others, and a person from starving their workspace. */
export function createRequestLimits(deps: Pick<SlackFaceDeps, 'rateCounters' | 'clock'>) {
  const { rateCounters, clock } = deps;
  const queues = new LRUCache<string, RunLimited>(limitEntries(MAX_WORKSPACES));
  const deadline = createRequestDeadline();
  const spenderOf = (name: string, points: number): Spend => {
    const limit = { name, points, windowSeconds: MINUTE_SECONDS };
    return createBlockSpender(createRateLimiter(rateCounters, clock, limit), clock);
  };
  const spendersOf = (suffix: string, factor: number) => ({
    person: spenderOf(`slack-person${suffix}`, MAX_BY_PERSON * factor),
    workspace: spenderOf(`slack-workspace${suffix}`, MAX_BY_WORKSPACE * factor),
  });
  const spenders = { request: spendersOf('', 1), typing: spendersOf('-typing', TYPING_FACTOR) };

  function queueOf(id: string): RunLimited {
    const tooManyRequests = () => createBusyError(MINUTE_SECONDS);
    const queue = queues.get(id) ?? limitConcurrency({ running: RUNNING, waiting: WAITING, tooMany: tooManyRequests });
    queues.set(id, queue);
    return queue;
  }

  return {
    ...deadline,
    /** Errors: SLACK_BUSY after 60 requests of a person or 1,200 of a workspace in a minute, or
     *  four times as many look-ups while typing. */
    async count({ owner, installation }: Asker, kind: keyof typeof spenders = 'request'): Promise<void> {
      const { person, workspace } = spenders[kind];
      // The person first: a refused request must not use up what colleagues may ask.
      await spendPoint(person, owner.person);
      await spendPoint(workspace, installation.id);
    },
    /** Runs 50 requests of a workspace at once. Errors: SLACK_BUSY if 300 wait, any of `within`. */
    runInTurn: <T>({ installation }: Asker, request: ReceivedRequest, work: () => Promise<T>): Promise<T> =>
      // Both the wait for the turn and the work end in time, so that late work passes its turn on.
      deadline.within(request, () => queueOf(installation.id)(() => deadline.within(request, work))),
  };
}

async function spendPoint(spend: Spend, key: string): Promise<void> {
  const { isAllowed, endsInMs } = await spend(key);
  if (!isAllowed) throw createBusyError(Math.max(1, Math.ceil(endsInMs / 1_000)));
}

function createBusyError(retryAfterSeconds: number): AppError {
  const message = `Too many requests at once. Wait ${retryAfterSeconds} s, and try again.`;
  return new AppError('SLACK_BUSY', message, { retryAfterSeconds });
}

/** How long people wait for an answer before they read that none comes. */
const ANSWER_MS = 25_000;

/** Limits the time of requests, which also ends when the host stops. */
export function createRequestDeadline() {
  const stopping = new AbortController();
  const { signal } = stopping;
  return {
    /** Runs work until 25 s after the request arrived. Errors: SLACK_LATE, SLACK_RESTARTING. */
    async within<T>(request: ReceivedRequest, work: () => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      const timeoutMs = ANSWER_MS - measureRequestMs(request);
      if (timeoutMs <= 0) throw createLateError();
      return runWithDeadline({ timeoutMs, signal, createLateError }, work);
    },
    /** Ends all waiting with SLACK_RESTARTING. */
    stop: (): void =>
      stopping.abort(new AppError('SLACK_RESTARTING', 'The host is restarting. Try again in a moment.')),
  };
}

export function createLateError(): AppError {
  return new AppError('SLACK_LATE', 'Nothing came of this request in time. Try again.');
}
