import type { Actor, TenantScope } from '#domain/admin';
import type { Clock } from '#ports/clock';
import type { FeedbackFilter, FeedbackListRequest, FeedbackRecord, FeedbackRepository } from '#ports/store/store';
import { readEveryItemAfter } from '#services/host/every-item';
import type { Audit } from '#services/tenants/audit';

export type FeedbackRecords = ReturnType<typeof createFeedbackRecords>;

/** Records read at a time, so that the store serves others in between. */
const BATCH = 500;

export function createFeedbackRecords(deps: {
  readonly feedback: FeedbackRepository;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly wake?: (() => void) | undefined;
}) {
  const { feedback, audit, clock, wake = () => {} } = deps;
  return {
    listFeedback: (request: FeedbackListRequest) => feedback.listFeedback(request),
    listFeedbackProviders: (scope: TenantScope) => feedback.listFeedbackProviders(scope),
    readFeedback: (filter: FeedbackFilter): AsyncIterable<FeedbackRecord> =>
      readEveryItemAfter((after) => feedback.readFeedback(filter, after, BATCH)),
    /** Makes all parked feedback due now. @returns how many there were */
    async retryAllParked(actor: Actor, scope: TenantScope): Promise<number> {
      const counts = await feedback.requeueParked(scope, clock.now());
      if (counts.length > 0) wake();
      // Managers see only the audit trails of their tenants, so each trail gets its count.
      for (const { tenantId, count } of counts) {
        const event = { action: 'feedback.retried', tenantId, target: 'feedback' } as const;
        await audit.record(actor, { ...event, details: { count: `${count}` } });
      }
      return counts.reduce((sum, { count }) => sum + count, 0);
    },
  };
}
