import type { Actor } from '../../domain/actor.ts';
import type { TenantScope } from '../../domain/admin.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  FeedbackFilter,
  FeedbackListRequest,
  FeedbackRecord,
  FeedbackRepository,
  Page,
} from '../../ports/store.ts';
import type { Audit } from '../audit.ts';

/** Feedback as it is kept; for administrators, who need no upstream for it. */
export interface FeedbackRecords {
  listFeedback(request: FeedbackListRequest): Promise<Page<FeedbackRecord>>;
  listFeedbackProviders(scope: TenantScope): Promise<readonly string[]>;
  /** Newest first, however many. */
  readFeedback(filter: FeedbackFilter): AsyncIterable<FeedbackRecord>;
  /** Everything that is parked waits again and is due now. @returns how many there were */
  retryAllParked(actor: Actor, scope: TenantScope): Promise<number>;
  /** Removes everything that was given under an e-mail address, in any case. The trail has the number only.
   *  @returns how many there were */
  eraseFeedback(actor: Actor, scope: TenantScope, email: string): Promise<number>;
}

export interface FeedbackRecordsDeps {
  readonly feedback: FeedbackRepository;
  readonly audit: Audit;
  readonly clock: Clock;
}

const BATCH = 500;

export function createFeedbackRecords({ feedback, audit, clock }: FeedbackRecordsDeps): FeedbackRecords {
  async function* readFeedback(filter: FeedbackFilter): AsyncIterable<FeedbackRecord> {
    let batch = await feedback.readFeedback(filter, null, BATCH);
    while (batch.length > 0) {
      yield* batch;
      batch = await feedback.readFeedback(filter, batch.at(-1)!, BATCH);
    }
  }

  async function recordCount(actor: Actor, scope: TenantScope, { action, count }: Counted): Promise<void> {
    const tenantId = scope?.length === 1 ? scope[0]! : null;
    await audit.record(actor, { action, tenantId, target: 'feedback', details: { count: `${count}` } });
  }

  return {
    listFeedback: (request) => feedback.listFeedback(request),
    listFeedbackProviders: (scope) => feedback.listFeedbackProviders(scope),
    readFeedback,
    async retryAllParked(actor, scope) {
      const parked = { ...everything, scope, state: 'parked' } as const;
      let count = 0;
      for await (const { id } of readFeedback(parked))
        if ((await feedback.claimFeedback(id, clock.now())) !== null) count++;
      if (count > 0) await recordCount(actor, scope, { action: 'feedback.retried', count });
      return count;
    },
    async eraseFeedback(actor, scope, email) {
      const count = await feedback.eraseFeedbackOf(scope, email.trim());
      await recordCount(actor, scope, { action: 'feedback.erased', count });
      return count;
    },
  };
}

interface Counted {
  readonly action: 'feedback.retried' | 'feedback.erased';
  readonly count: number;
}

const everything = { provider: null, received: { from: null, until: null }, search: '' } as const;
