import { randomUUID } from 'node:crypto';
import type { Actor } from '../domain/actor.ts';
import { covers, type TenantScope } from '../domain/admin.ts';
import { AppError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Feedback, LearningService } from '../ports/learning-service.ts';
import type {
  FeedbackFilter,
  FeedbackListRequest,
  FeedbackRecord,
  FeedbackRepository,
  Page,
} from '../ports/store.ts';
import type { Audit } from './audit.ts';
import { createFeedbackDelivery } from './feedback/feedback-delivery.ts';
import type { TenantUpstreams } from './upstreams.ts';
import type { Usage } from './usage.ts';

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
  /** Our own engine. */
  readonly local: Pick<LearningService, 'feedback'>;
  /** Provider id of an object of our own engine, by its address; null when it has no such object. */
  readonly providerOf: (url: string) => string | null;
  readonly usage: Usage;
  readonly audit: Audit;
  readonly clock: Clock;
}

const BATCH = 500;

export function createFeedbackService(deps: FeedbackServiceDeps): FeedbackService {
  const { feedback, upstreams, local, usage, audit, clock } = deps;
  const delivery = createFeedbackDelivery(deps);

  /** Our own engine judges at once, and takes it by its being stored. */
  async function giveToLocal(tenantId: string, given: Feedback): Promise<void> {
    await local.feedback(given);
    const now = clock.now();
    const provider = deps.providerOf(given.url);
    const rest = { tenantId, provider, destination: null, state: 'delivered', dueAt: now } as const;
    await feedback.saveFeedback(toRecord(given, { ...rest, now }));
  }

  /** Stored before it is sent, as claimed by this host: whatever happens then it is not lost, and can be tried again. */
  async function giveToUpstream(tenantId: string, given: Feedback, destination: string): Promise<void> {
    const state = { now: clock.now(), state: 'waiting', dueAt: delivery.leaseUntil() } as const;
    // The wire does not say the provider.
    const record = toRecord(given, { tenantId, provider: null, destination, ...state });
    await feedback.saveFeedback(record);
    const refusal = await delivery.deliver(record);
    if (refusal !== null) throw refusal;
  }

  return {
    async giveFeedback(tenantId, given) {
      const destination = await upstreams.findFeedbackOrigin(tenantId);
      if (destination === null) await giveToLocal(tenantId, given);
      else await giveToUpstream(tenantId, given, destination);
      usage.count(tenantId, 'feedback');
    },
    listFeedback: (request) => feedback.listFeedback(request),
    listFeedbackProviders: (scope) => feedback.listFeedbackProviders(scope),
    async *readFeedback(filter) {
      let batch = await feedback.readFeedback(filter, null, BATCH);
      while (batch.length > 0) {
        yield* batch;
        batch = await feedback.readFeedback(filter, batch.at(-1)!, BATCH);
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

type RecordContext = Pick<FeedbackRecord, 'tenantId' | 'provider' | 'destination' | 'state' | 'dueAt'> & {
  readonly now: Date;
};

function toRecord(
  { url, comment, requestId, email, source }: Feedback,
  { now, ...rest }: RecordContext,
): FeedbackRecord {
  return {
    ...rest,
    id: randomUUID(),
    url,
    comment: comment ?? null,
    requestId,
    email,
    source,
    receivedAt: now,
    attempts: 1,
    lastError: null,
  };
}

function unknownFeedback(): AppError {
  return new AppError('FEEDBACK_UNKNOWN', 'There is no such feedback. It may have gone with its tenant.');
}
