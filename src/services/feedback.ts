import { randomUUID } from 'node:crypto';
import type { Actor } from '../domain/actor.ts';
import { covers, type TenantScope } from '../domain/admin.ts';
import { AppError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Feedback } from '../ports/learning-service.ts';
import type { FeedbackListRequest, FeedbackRecord, FeedbackRepository, Page } from '../ports/store.ts';
import type { Audit } from './audit.ts';
import { createFeedbackDelivery } from './feedback-delivery.ts';
import type { TenantUpstreams } from './upstreams.ts';
import type { Usage } from './usage.ts';

export type FeedbackFilter = Omit<FeedbackListRequest, 'page' | 'pageSize' | 'sort' | 'descending'>;

export interface FeedbackService {
  /** Stores what someone says of a learning object and gives it to the service that found it. When that cannot take it
   *  now, it waits in the store and the call succeeds.
   *  Errors: REQUEST_ID_INVALID, TENANT_UNKNOWN, TENANT_DISABLED. */
  giveFeedback(tenantId: string, feedback: Feedback): Promise<void>;
  listFeedback(request: FeedbackListRequest): Promise<Page<FeedbackRecord>>;
  listFeedbackProviders(scope: TenantScope): Promise<readonly string[]>;
  /** Newest first, however many. */
  readFeedback(filter: FeedbackFilter): AsyncIterable<FeedbackRecord>;
  /** Tries a waiting delivery now; gives what became of it. Errors: FEEDBACK_UNKNOWN, also when it is not of this scope. */
  retryFeedback(actor: Actor, scope: TenantScope, id: string): Promise<FeedbackRecord>;
}

export interface FeedbackServiceDeps {
  readonly feedback: FeedbackRepository;
  readonly upstreams: TenantUpstreams;
  readonly usage: Usage;
  readonly audit: Audit;
  readonly clock: Clock;
}

const BATCH = 100;

export function createFeedbackService(deps: FeedbackServiceDeps): FeedbackService {
  const { feedback, upstreams, usage, audit, clock } = deps;
  const delivery = createFeedbackDelivery(deps);

  /** Our own engine judges at once, and takes it by its being stored. */
  async function giveToLocal(tenantId: string, given: Feedback): Promise<void> {
    await (await upstreams.learningOf(tenantId)).feedback(given);
    const now = clock.now();
    await feedback.saveFeedback(toRecord(given, { tenantId, now, state: 'delivered', dueAt: now }));
  }

  /** Stored before it is sent, as claimed by this host: whatever happens then, someone tries again. */
  async function giveToUpstream(tenantId: string, given: Feedback): Promise<void> {
    const state = { now: clock.now(), state: 'waiting', dueAt: delivery.leaseUntil() } as const;
    const record = toRecord(given, { tenantId, ...state });
    await feedback.saveFeedback(record);
    const refusal = await delivery.deliver(record);
    if (refusal !== null) throw refusal;
  }

  return {
    async giveFeedback(tenantId, given) {
      const give = (await upstreams.isLocal(tenantId)) ? giveToLocal : giveToUpstream;
      await give(tenantId, given);
      usage.count(tenantId, 'feedback');
    },
    listFeedback: (request) => feedback.listFeedback(request),
    listFeedbackProviders: (scope) => feedback.listFeedbackProviders(scope),
    async *readFeedback(filter) {
      // What comes in while it is read would move the pages.
      const until = filter.received.until ?? new Date(clock.now().getTime() + 1);
      const wanted = { ...filter, received: { ...filter.received, until } };
      const order = { sort: 'receivedAt', descending: true, pageSize: BATCH } as const;
      for (let page = 0; ; page++) {
        const { items, total } = await feedback.listFeedback({ ...wanted, ...order, page });
        yield* items;
        if ((page + 1) * BATCH >= total) return;
      }
    },
    async retryFeedback(actor, scope, id) {
      const record = await feedback.findFeedback(id);
      if (record === null || !covers(scope, record.tenantId)) throw unknownFeedback();
      const claimed = await feedback.claimFeedback(id, delivery.leaseUntil());
      if (claimed === null) return record;
      await delivery.deliver(claimed);
      const settled = (await feedback.findFeedback(id)) ?? record;
      const event = { action: 'feedback.retried', tenantId: record.tenantId, target: record.url } as const;
      await audit.record(actor, { ...event, details: { id, state: settled.state } });
      return settled;
    },
  };
}

function toRecord(
  { url, comment, requestId, email, source }: Feedback,
  { now, ...rest }: Pick<FeedbackRecord, 'tenantId' | 'state' | 'dueAt'> & { readonly now: Date },
): FeedbackRecord {
  return {
    ...rest,
    id: randomUUID(),
    url,
    comment: comment ?? null,
    requestId,
    email,
    source,
    // The wire does not say it.
    provider: null,
    receivedAt: now,
    attempts: 1,
    lastError: null,
  };
}

function unknownFeedback(): AppError {
  return new AppError('FEEDBACK_UNKNOWN', 'There is no such feedback. It may have gone with its tenant.');
}
