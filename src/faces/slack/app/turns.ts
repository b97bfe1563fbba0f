import { LRUCache } from 'lru-cache';
import { limitConcurrency, type RunLimited } from '#domain/async/limit-concurrency';
import { limitEntries } from '#domain/limit-entries';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { RateCounterRepository } from '#ports/store/store';
import { createBlockSpender, createRateLimiter, type Spend } from '#services/host/rate-limits';
import type { SlackContext } from '../listener.ts';
import { type Incoming, measureIncomingMs } from './incoming.ts';

type Asker = Pick<SlackContext, 'owner' | 'installation'>;

/** Decides whose turn it is, and when waiting ends: a busy workspace cannot starve another one, nor a person the others in their
 *  workspace. */
export interface Turns extends Deadline {
  /** Uses up one of what may be asked, or looked up while typing. Errors: SLACK_BUSY after 60 requests of a person or 1,200 of
   *  a workspace in a minute, and after four times as much typing. */
  spend(asker: Asker, what?: Spent): Promise<void>;
  /** Errors: SLACK_BUSY where too many of the workspace are waiting; those of `within`. */
  take<T>(asker: Asker, incoming: Pick<Incoming, 'receivedAt'>, job: () => Promise<T>): Promise<T>;
}

export type Spent = 'request' | 'typing';

export interface TurnsDeps {
  readonly rateCounters: RateCounterRepository;
  readonly clock: Clock;
}

const MINUTE_SECONDS = 60;
const PERSON = 60;
const WORKSPACE = 1_200;
/** Typing asks with each letter. */
const TYPING = 4;
/** So that 200 searches of 4 s that come at once are answered before they are late. */
const RUNNING = 50;
const WAITING = 300;
const MAX_WORKSPACES = 5_000;

export function createTurns({ rateCounters, clock }: TurnsDeps): Turns {
  const queues = new LRUCache<string, RunLimited>(limitEntries(MAX_WORKSPACES));
  const deadline = createDeadline();
  const spenderOf = (name: string, points: number): Spend => {
    const limit = { name, points, windowSeconds: MINUTE_SECONDS };
    return createBlockSpender(createRateLimiter(rateCounters, clock, limit), clock);
  };
  const spenders: Readonly<Record<Spent, { readonly person: Spend; readonly workspace: Spend }>> = {
    request: {
      person: spenderOf('slack-person', PERSON),
      workspace: spenderOf('slack-workspace', WORKSPACE),
    },
    typing: {
      person: spenderOf('slack-person-typing', PERSON * TYPING),
      workspace: spenderOf('slack-workspace-typing', WORKSPACE * TYPING),
    },
  };

  function queueOf(id: string): RunLimited {
    const queue =
      queues.get(id) ??
      limitConcurrency({ running: RUNNING, waiting: WAITING, tooMany: () => slackBusy(MINUTE_SECONDS) });
    queues.set(id, queue);
    return queue;
  }

  return {
    ...deadline,
    async spend({ owner, installation }, what = 'request') {
      const { person, workspace } = spenders[what];
      // The person first: what is refused there must not use up what the others have.
      await spendPoint(person, owner.person);
      await spendPoint(workspace, installation.id);
    },
    take: ({ installation }, incoming, job) =>
      // Both the wait for the turn and the job end in time, so that a late job passes its turn on.
      deadline.within(incoming, () => queueOf(installation.id)(() => deadline.within(incoming, job))),
  };
}

async function spendPoint(spend: Spend, key: string): Promise<void> {
  const { isAllowed, endsInMs } = await spend(key);
  if (!isAllowed) throw slackBusy(Math.max(1, Math.ceil(endsInMs / 1_000)));
}

function slackBusy(retryAfterSeconds: number): AppError {
  const message = `Too many requests at once. Wait ${retryAfterSeconds} s, and try again.`;
  return new AppError('SLACK_BUSY', message, { retryAfterSeconds });
}

/** How long people wait for an answer before they are told that none comes. */
const ANSWER_MS = 25_000;

/** When waiting for a request ends. */
interface Deadline {
  /** Begins the work if there is time for it. Late work goes on, and its outcome is ignored.
   *  Errors: SLACK_LATE 25 s after the request came, SLACK_RESTARTING, those of the work. */
  within<T>(incoming: Pick<Incoming, 'receivedAt'>, work: () => Promise<T>): Promise<T>;
  /** The host stops: people who wait are told now, and can ask again. */
  stop(): void;
}

export function createDeadline(): Deadline {
  const waiting = new Set<(error: AppError) => void>();
  let isStopped = false;
  return {
    async within<T>(incoming: Pick<Incoming, 'receivedAt'>, work: () => Promise<T>) {
      const leftMs = ANSWER_MS - measureIncomingMs(incoming);
      if (isStopped) throw restarting();
      if (leftMs <= 0) throw createSlackLateError();
      let giveUp: (error: AppError) => void = () => {};
      const givenUp = new Promise<never>((_, reject) => {
        giveUp = reject;
      });
      const timer = setTimeout(() => giveUp(createSlackLateError()), leftMs);
      waiting.add(giveUp);
      try {
        return await Promise.race([work(), givenUp]);
      } finally {
        clearTimeout(timer);
        waiting.delete(giveUp);
      }
    },
    stop() {
      isStopped = true;
      for (const giveUp of waiting) giveUp(restarting());
    },
  };
}

export function createSlackLateError(): AppError {
  return new AppError('SLACK_LATE', 'Nothing came of this request in time. Try again.');
}

function restarting(): AppError {
  return new AppError('SLACK_RESTARTING', 'The host is restarting. Try again in a moment.');
}
