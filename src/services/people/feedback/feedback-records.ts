import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Actor, TenantScope } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type {
  FeedbackFilter,
  FeedbackListRequest,
  FeedbackRecord,
  FeedbackRepository,
  TenantCount,
  TenantRecord,
  TenantRepository,
} from '#ports/store/store';
import { readEveryItem, readEveryItemAfter } from '#services/host/every-item';
import { repeatWork } from '#services/host/repeated-work';
import type { Audit } from '#services/tenants/audit';

export type FeedbackRecords = ReturnType<typeof createFeedbackRecords>;

/** Records read or removed at a time, so that the store serves others in between. */
const BATCH = 500;

export function createFeedbackRecords(deps: {
  readonly feedback: FeedbackRepository;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly wake?: (() => void) | undefined;
}) {
  const { feedback, audit, clock, wake = () => {} } = deps;

  const readFeedback = (filter: FeedbackFilter): AsyncIterable<FeedbackRecord> =>
    readEveryItemAfter((after) => feedback.readFeedback(filter, after, BATCH));

  /** Managers see only the trails of their tenants, so each trail gets its count. */
  async function recordCounts(actor: Actor, action: 'feedback.retried', counts: readonly Counted[]): Promise<number> {
    for (const { tenantId, count } of counts)
      await audit.record(actor, { action, tenantId, target: 'feedback', details: { count: `${count}` } });
    return counts.reduce((sum, { count }) => sum + count, 0);
  }

  return {
    listFeedback: (request: FeedbackListRequest) => feedback.listFeedback(request),
    listFeedbackProviders: (scope: TenantScope) => feedback.listFeedbackProviders(scope),
    readFeedback,
    /** Makes all parked feedback due now; audited by tenant. @returns how many there were */
    async retryAllParked(actor: Actor, scope: TenantScope): Promise<number> {
      const counts = await feedback.requeueParked(scope, clock.now());
      if (counts.length > 0) wake();
      return recordCounts(actor, 'feedback.retried', counts);
    },
  };
}

type Counted = Pick<TenantCount, 'count'> & { readonly tenantId: string | null };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Removes outdated feedback once an hour, on every host: removing twice does no harm. */
export function createFeedbackRetention(deps: {
  readonly feedback: Pick<FeedbackRepository, 'removeFeedbackBefore'>;
  readonly tenants: Pick<TenantRepository, 'listTenants'>;
  readonly clock: Clock;
  onProblem(error: unknown): void;
}) {
  const { feedback, tenants, clock, onProblem } = deps;
  let isClosed = false;

  async function removeOldOf({ id, feedback: { retentionDays } }: TenantRecord): Promise<void> {
    if (retentionDays === null) return;
    const before = new Date(clock.now().getTime() - retentionDays * DAY_MS);
    while (!isClosed && (await feedback.removeFeedbackBefore(id, before, BATCH))) await nextTurn();
  }

  async function removeOld(): Promise<void> {
    const all = { scope: null, search: '', sort: 'createdAt', descending: false } as const;
    for await (const tenant of readEveryItem((part) => tenants.listTenants({ ...all, ...part }))) {
      if (isClosed) return;
      await removeOldOf(tenant);
    }
  }

  const work = repeatWork({ everyMs: HOUR_MS, runsAtOnce: true, run: removeOld, onProblem });
  return {
    removeOld,
    start: work.start,
    async close(): Promise<void> {
      isClosed = true;
      await work.stop();
    },
  };
}
