/** Delivers a score to the gradebook of a platform:
 *  1. Find the registration. An inactive one, or a disabled tenant, lets the score wait.
 *  2. Find or create the line item, where the link had none.
 *  3. Send the score. A second copy, sent after a host stopped in between, is refused as outdated.
 *  4. Where the platform has a score of the same second or later, send it with a later second.
 *  5. Store the outcome. Passing failures are tried again, at growing intervals.
 *  https://www.imsglobal.org/spec/lti-ags/v2p0#score-publish-service */

import { waitUnlessAborted } from '#domain/async/deadline';
import { getProductTraits } from '#domain/lti/products';
import type { LtiProduct } from '#domain/lti/registration';
import { AppError, hasErrorCode } from '#errors';
import type { Clock } from '#ports/clock';
import type { LtiPlatforms } from '#ports/lti-platforms';
import type {
  LtiRegistrationRecord,
  LtiRegistrationRepository,
  ScoreOutcome,
  ScoreRecord,
  ScoreRepository,
  Store,
} from '#ports/store/store';
import type { OutboxDelivery } from '#services/host/outbox';
import { type Backoff, decideOutboxRetry, defaultBackoff, type FailedDelivery } from '#services/host/outbox-retries';
import { getActiveTenant } from '#services/tenants/tenant-records';
import { findScoreSecond } from './scores.ts';

export interface ScoreDeliveryDeps extends Pick<Store, 'tenants'> {
  readonly scores: Pick<ScoreRepository, 'settleScore'>;
  readonly registrations: Pick<LtiRegistrationRepository, 'findRegistration'>;
  readonly platforms: Pick<LtiPlatforms, 'submitScore' | 'provideLineItem'>;
  readonly clock: Clock;
  readonly backoff?: Backoff | undefined;
}

/** Longer than a token and two scores take. */
const LEASE_MS = 60_000;

export function createScoreDelivery(deps: ScoreDeliveryDeps): OutboxDelivery<ScoreRecord> {
  const { scores, clock, backoff = defaultBackoff } = deps;
  return {
    leaseUntil: () => new Date(clock.now().getTime() + LEASE_MS),
    async deliver(score, { signal }) {
      // Calls to platforms cannot be cancelled; late results are not stored. Never rejects.
      const aborted: Attempt = { earnedAt: score.earnedAt, error: ABORTED, product: 'generic' };
      const attempt = await waitUnlessAborted(deliverScore(deps, score), signal).catch(() => aborted);
      const outcome = decideScoreOutcome(attempt, score, { clock, backoff });
      await scores.settleScore(score.id, score.attempts, outcome);
      return classifyScoreFailure(attempt) === 'postponed' ? outcome.dueAt : null;
    },
  };
}

interface Attempt {
  /** The time of the score that was sent last. */
  readonly earnedAt: Date;
  /** Null when the platform accepted the score. */
  readonly error: unknown;
  /** Product of the platform; `generic` if the platform was not called. */
  readonly product: LtiProduct;
}

/** Stands for an error: the host stopped before the platform answered. */
const ABORTED = Symbol('aborted');

async function deliverScore(deps: ScoreDeliveryDeps, score: ScoreRecord): Promise<Attempt> {
  try {
    const registration = await getRegistrationForScore(deps, score);
    const first = await submitScoreToPlatform(deps, registration, score);
    if (!hasErrorCode(first.error, 'PLATFORM_SCORE_OUTDATED')) return first;
    const earnedAt = findScoreSecond(deps.clock.now(), score.earnedAt);
    return submitScoreToPlatform(deps, registration, { ...score, earnedAt });
  } catch (error) {
    return { earnedAt: score.earnedAt, error, product: 'generic' };
  }
}

/** Errors: REGISTRATION_UNKNOWN, LTI_REGISTRATION_INACTIVE, TENANT_UNKNOWN, TENANT_DISABLED. */
async function getRegistrationForScore({ registrations, tenants }: ScoreDeliveryDeps, score: ScoreRecord) {
  await getActiveTenant(tenants, score.tenantId);
  const registration = await registrations.findRegistration(score.registrationId);
  if (registration?.status === 'active') return registration;
  if (registration === null)
    throw new AppError(
      'REGISTRATION_UNKNOWN',
      'The platform was removed on this host, so the score is not sent. Connect it again; learners must then complete the object once more.',
    );
  throw new AppError(
    'LTI_REGISTRATION_INACTIVE',
    `${registration.name} is deactivated on this host, so the score waits. It is sent soon after somebody has activated the platform.`,
  );
}

async function submitScoreToPlatform(
  { platforms }: ScoreDeliveryDeps,
  registration: LtiRegistrationRecord,
  { newLineItem, lineItem: existing, userId, points, earnedAt }: ScoreRecord,
): Promise<Attempt> {
  const { product } = registration;
  try {
    const lineItem =
      newLineItem === null
        ? existing
        : await platforms.provideLineItem(registration, { ...newLineItem, points, launched: existing || null });
    await platforms.submitScore(registration, { lineItem, userId, points, earnedAt });
    return { earnedAt, error: null, product };
  } catch (error) {
    return { earnedAt, error, product };
  }
}

function decideScoreOutcome(
  attempt: Attempt,
  { failures, lastError }: ScoreRecord,
  timing: { readonly clock: Clock; readonly backoff: Backoff },
): ScoreOutcome {
  const { error, earnedAt } = attempt;
  const unchanged = { earnedAt, failures, dueAt: timing.clock.now() };
  if (error === null) return { ...unchanged, state: 'delivered', lastError: null };
  if (error === ABORTED) return { ...unchanged, state: 'waiting', lastError };
  return { earnedAt, ...decideOutboxRetry(error, { kind: classifyScoreFailure(attempt), failures }, timing) };
}

function classifyScoreFailure({ error, product }: Pick<Attempt, 'error' | 'product'>): FailedDelivery['kind'] {
  if (!(error instanceof AppError)) return 'passing';
  const { code, data, retryAfterSeconds } = error;
  const finalRefusals: readonly unknown[] = getProductTraits(product).finalRefusals;
  switch (code) {
    case 'TENANT_UNKNOWN':
    case 'REGISTRATION_UNKNOWN':
      return 'for-good';
    // An administrator holds the score back, for an unknown time.
    case 'TENANT_DISABLED':
    case 'LTI_REGISTRATION_INACTIVE':
      return 'postponed';
    case 'PLATFORM_REFUSED':
      return data.part !== 'token' && finalRefusals.includes(data.status) ? 'for-good' : 'passing';
    case 'PLATFORM_THROTTLED':
      return retryAfterSeconds === undefined ? 'passing' : 'postponed';
    default:
      return 'passing';
  }
}
