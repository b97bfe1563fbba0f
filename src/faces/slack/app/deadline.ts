import { AppError } from '../../../errors.ts';
import { elapsedMs, type Incoming } from './incoming.ts';

/** How long people wait for an answer before they are told that none comes. */
const ANSWER_MS = 25_000;

/** When the waiting for what somebody asked ends. */
export interface Deadline {
  /** Begins the work if there is time for it. Late work goes on, and nobody is told how it ends.
   *  Errors: SLACK_LATE 25 s after the request came, SLACK_RESTARTING, those of the work. */
  within<T>(incoming: Pick<Incoming, 'receivedAt'>, work: () => Promise<T>): Promise<T>;
  /** The host stops: whoever waits learns of it now, and can ask again. */
  stop(): void;
}

export function createDeadline(): Deadline {
  const waiting = new Set<(error: AppError) => void>();
  let isStopped = false;
  return {
    async within<T>(incoming: Pick<Incoming, 'receivedAt'>, work: () => Promise<T>) {
      const leftMs = ANSWER_MS - elapsedMs(incoming);
      if (isStopped) throw restarting();
      if (leftMs <= 0) throw slackLate();
      let giveUp: (error: AppError) => void = () => {};
      const givenUp = new Promise<never>((_, reject) => {
        giveUp = reject;
      });
      const timer = setTimeout(() => giveUp(slackLate()), leftMs);
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

export function slackLate(): AppError {
  return new AppError('SLACK_LATE', 'Nothing came of this request in time. Try again.');
}

function restarting(): AppError {
  return new AppError('SLACK_RESTARTING', 'The host is restarting. Try again in a moment.');
}
