import { type Actor, isInAdminScope, type TenantScope } from '#domain/admin';
import type { FeedbackRole } from '#domain/feedback';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Feedback, LearningService } from '#ports/learning-service';
import type { FeedbackRecord, FeedbackRepository, Store } from '#ports/store/store';
import { bindState } from '#services/host/bind-state';
import type { Outbox } from '#services/host/outbox';
import type { Usage } from '#services/host/usage';
import type { Audit } from '#services/tenants/audit';
import { getActiveTenant } from '#services/tenants/tenant-records';
import { findUpstreamOrigin } from '#services/tenants/upstream-keys';
import type { FeedbackDelivery } from './feedback-delivery.ts';
import type { FeedbackRecords } from './feedback-records.ts';
import {
  checkSameFeedback,
  hashFeedbackGiver,
  isFeedbackGiverHidden,
  makeFeedbackEmail,
  makeFeedbackId,
  validateGivenFeedback,
} from './given-feedback.ts';

interface FeedbackGiver {
  readonly role: FeedbackRole;
  /** Feedback that is given again with the same key is stored once. */
  readonly idempotencyKey?: string | undefined;
  /** How long it is held back, so that it can be withdrawn; 0 when absent. */
  readonly holdMs?: number | undefined;
}

export interface FeedbackServiceDeps extends Pick<Store, 'feedback' | 'tenants'> {
  readonly records: FeedbackRecords;
  readonly delivery: FeedbackDelivery;
  readonly outbox: Pick<Outbox, 'wake'>;
  readonly local: LearningService;
  /** Provider ID of an object of the built-in engine, by its address; null for other objects. */
  readonly providerOf: (url: string) => Promise<string | null>;
  readonly publicUrl: string;
  readonly usage: Usage;
  readonly audit: Audit;
  readonly clock: Clock;
}

export function createFeedbackService(deps: FeedbackServiceDeps) {
  return { ...deps.records, ...bindState(deps, { giveFeedback, withdrawFeedback, retryFeedback }) };
}

export type FeedbackService = ReturnType<typeof createFeedbackService>;

/** Stores feedback under the author's address or the tenant's shared one. An upstream gets it from
 *  the outbox, the built-in engine at once. Errors: PARAMETERS_INVALID (also for an idempotency key
 *  of other feedback), REQUEST_ID_INVALID, TENANT_UNKNOWN, TENANT_DISABLED. */
async function giveFeedback(
  deps: FeedbackServiceDeps,
  tenantId: string,
  unchecked: Feedback,
  { role, idempotencyKey, holdMs = 0 }: FeedbackGiver,
): Promise<void> {
  const { upstream, feedback: settings } = await getActiveTenant(deps.tenants, tenantId);
  const checked = validateGivenFeedback(unchecked);
  const shared = settings.sharedEmail ?? makeFeedbackEmail(deps.publicUrl);
  const anonymized = { ...checked, email: isFeedbackGiverHidden(settings, role) ? shared : checked.email };
  const state = await acceptFeedback(deps, anonymized, { destination: findUpstreamOrigin(upstream), tenantId, holdMs });
  const id = makeFeedbackId(tenantId, idempotencyKey);
  const giverHash = hashFeedbackGiver(checked.email, tenantId, idempotencyKey);
  const comment = anonymized.comment ?? null;
  const record = { ...anonymized, ...state, id, tenantId, comment, giverHash };
  if (!(await saveNewFeedback(deps.feedback, record))) return;
  deps.usage.count(tenantId, 'feedback');
  if (record.state === 'waiting') deps.outbox.wake();
}

/** Returns the state in which feedback is stored: waiting for its upstream, with an unknown
 *  provider, or delivered, as the built-in engine gets it at once. */
async function acceptFeedback(
  { clock, local, providerOf }: FeedbackServiceDeps,
  feedback: Feedback,
  { destination, tenantId, holdMs }: { destination: string | null; tenantId: string; holdMs: number },
) {
  const now = clock.now();
  const dueAt = new Date(now.getTime() + holdMs);
  const initial = { destination, receivedAt: now, failures: 0, dueAt, leasedUntil: null, lastError: null };
  if (destination !== null) return { ...initial, provider: null, state: 'waiting', attempts: 0 } as const;
  await local.ask('feedback', feedback, { tenantId });
  return { ...initial, provider: await providerOf(feedback.url), state: 'delivered', attempts: 1 } as const;
}

/** Removes feedback of the last `holdMs`. @returns false if there is none, or an upstream has it */
async function withdrawFeedback(
  { feedback, clock }: FeedbackServiceDeps,
  tenantId: string,
  idempotencyKey: string,
  holdMs: number,
): Promise<boolean> {
  const now = clock.now();
  const id = makeFeedbackId(tenantId, idempotencyKey);
  return feedback.withdrawFeedback(tenantId, id, { now, since: new Date(now.getTime() - holdMs) });
}

/** Delivers feedback now, unless another delivery has the lease. Errors: FEEDBACK_UNKNOWN. */
async function retryFeedback(
  { feedback, delivery, audit, clock }: FeedbackServiceDeps,
  actor: Actor,
  scope: TenantScope,
  id: string,
): Promise<FeedbackRecord> {
  const record = await feedback.findFeedback(id);
  if (record === null || !isInAdminScope(scope, record.tenantId))
    throw new AppError(
      'FEEDBACK_UNKNOWN',
      'There is no such feedback. It may have been removed, or have gone with its tenant.',
    );
  const claimed = await feedback.claimFeedback(id, clock.now(), delivery.leaseUntil());
  if (claimed === null) return (await feedback.findFeedback(id)) ?? record;
  await delivery.deliver(claimed);
  const settled = (await feedback.findFeedback(id)) ?? record;
  const event = { action: 'feedback.retried', tenantId: record.tenantId, target: record.url } as const;
  await audit.record(actor, { ...event, details: { id, state: settled.state } });
  return settled;
}

/** @returns false if the feedback is stored already. Errors: PARAMETERS_INVALID. */
async function saveNewFeedback(feedback: FeedbackRepository, record: FeedbackRecord): Promise<boolean> {
  while (!(await feedback.saveFeedback(record))) {
    const stored = await feedback.findFeedback(record.id);
    if (stored !== null) {
      checkSameFeedback(record, stored);
      return false;
    }
    // The former record was erased in between.
  }
  return true;
}
