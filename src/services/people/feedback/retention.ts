import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#ports/clock';
import type { FeedbackRepository, TenantRecord, TenantRepository } from '#ports/store/store';
import { readEveryItem } from '#services/host/every-item';

/** Removes feedback that is older than its tenant keeps it, once an hour. Every host does so;
 *  removing twice does no harm. */
export type FeedbackRetention = ReturnType<typeof createFeedbackRetention>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Records removed at a time, so that the store serves others in between. */
const BATCH = 500;

export function createFeedbackRetention(deps: {
  readonly feedback: Pick<FeedbackRepository, 'removeFeedbackBefore'>;
  readonly tenants: Pick<TenantRepository, 'listTenants'>;
  readonly clock: Clock;
  /** Receives the failure of a run; the next run removes the rest. */
  onProblem(error: unknown): void;
}) {
  const { feedback, tenants, clock, onProblem } = deps;
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  let isClosed = false;

  async function removeOldOf({ id, feedback: { retentionDays } }: TenantRecord): Promise<void> {
    if (retentionDays === null) return;
    const before = new Date(clock.now().getTime() - retentionDays * DAY_MS);
    let isMore = true;
    while (isMore && !isClosed) {
      isMore = await feedback.removeFeedbackBefore(id, before, BATCH);
      await nextTurn();
    }
  }

  /** One run. `close` stops it between two batches. */
  async function removeOld(): Promise<void> {
    const all = { scope: null, search: '', sort: 'createdAt', descending: false } as const;
    for await (const tenant of readEveryItem((part) => tenants.listTenants({ ...all, ...part }))) {
      if (isClosed) return;
      await removeOldOf(tenant);
    }
  }

  return {
    removeOld,
    start(): void {
      const next = () => {
        round = round.then(removeOld).catch(onProblem);
      };
      timer ??= setInterval(next, HOUR_MS).unref();
      next();
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      await round;
    },
  };
}
