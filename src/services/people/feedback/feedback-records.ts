import type { Actor, TenantScope } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type {
  FeedbackFilter,
  FeedbackListRequest,
  FeedbackRecord,
  FeedbackRepository,
  TenantCount,
} from '#ports/store/store';
import { readEveryItemAfter } from '#services/host/every-item';
import type { Audit } from '#services/tenants/audit';

/** Stored feedback; for administrators. */
export type FeedbackRecords = ReturnType<typeof createFeedbackRecords>;

const BATCH = 500;

export function createFeedbackRecords(deps: {
  readonly feedback: FeedbackRepository;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Tells the outbox of this process, if there is one, that feedback is due. */
  readonly wake?: (() => void) | undefined;
}) {
  const { feedback, audit, clock, wake = () => {} } = deps;

  /** Newest first, however many. */
  const readFeedback = (filter: FeedbackFilter): AsyncIterable<FeedbackRecord> =>
    readEveryItemAfter((after) => feedback.readFeedback(filter, after, BATCH));

  /** Counts are recorded in the trail of each tenant, as its managers cannot see that of the
   *  host. */
  async function recordCounts(
    actor: Actor,
    action: 'feedback.retried' | 'feedback.erased',
    counts: readonly Counted[],
  ): Promise<number> {
    for (const { tenantId, count } of counts)
      await audit.record(actor, { action, tenantId, target: 'feedback', details: { count: `${count}` } });
    return counts.reduce((sum, { count }) => sum + count, 0);
  }

  return {
    listFeedback: (request: FeedbackListRequest) => feedback.listFeedback(request),
    listFeedbackProviders: (scope: TenantScope) => feedback.listFeedbackProviders(scope),
    readFeedback,
    /** Makes all parked feedback due now. Each tenant's audit trail gets its number.
     *  @returns how many there were */
    async retryAllParked(actor: Actor, scope: TenantScope): Promise<number> {
      const counts = await feedback.requeueParked(scope, clock.now());
      if (counts.length > 0) wake();
      return recordCounts(actor, 'feedback.retried', counts);
    },
    /** Counts the feedback of an e-mail address in any case. */
    countFeedbackOf: (scope: TenantScope, email: string) => feedback.countFeedbackOf(scope, email.trim()),
    /** Removes all feedback of an e-mail address in any case. Each tenant's audit trail gets only
     *  the number.
     *  @returns how many there were */
    async eraseFeedback(actor: Actor, scope: TenantScope, email: string): Promise<number> {
      const counts = await feedback.eraseFeedbackOf(scope, email.trim());
      // Erasing nothing is recorded as well.
      const nothing = (scope ?? [null]).map((tenantId) => ({ tenantId, count: 0 }));
      return recordCounts(actor, 'feedback.erased', counts.length > 0 ? counts : nothing);
    },
  };
}

type Counted = Pick<TenantCount, 'count'> & { readonly tenantId: string | null };
