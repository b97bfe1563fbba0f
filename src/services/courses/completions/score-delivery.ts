/** Delivery of a score to the gradebook of a platform, in these steps:
 *  1. Find the registration. While it is inactive or its tenant disabled, the score waits; without one it is refused.
 *  2. Where the link had no line item, find or make one.
 *  3. Send the score to its line item. It may arrive twice, when a host stops in between: the second is refused as outdated.
 *  4. Where the platform has a score of the same second or a later one, send it once more with a later second.
 *  5. Note the outcome. What may succeed later is tried again, at growing intervals.
 *     https://www.imsglobal.org/spec/lti-ags/v2p0#score-publish-service */

import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { LtiPlatforms } from '#ports/lti-platforms';
import type {
  LtiRegistrationRecord,
  LtiRegistrationRepository,
  ScoreOutcome,
  ScoreRecord,
  ScoreRepository,
  TenantRepository,
} from '#ports/store/store';
import type { OutboxDelivery } from '#services/host/outbox';
import {
  type Backoff,
  decideNextAttempt,
  type FailedDelivery,
  usualBackoff,
} from '#services/host/outbox-retries';
import { getActiveTenant } from '#services/tenants/tenant-records';
import { findScoreSecond } from './scores.ts';

export interface ScoreDeliveryDeps {
  readonly scores: Pick<ScoreRepository, 'settleScore'>;
  readonly registrations: Pick<LtiRegistrationRepository, 'findRegistration'>;
  readonly tenants: TenantRepository;
  readonly platforms: Pick<LtiPlatforms, 'submitScore' | 'provideLineItem'>;
  readonly clock: Clock;
  readonly backoff?: Backoff | undefined;
  /** Longer than a token and two scores take; 60,000 when absent. */
  readonly leaseMs?: number | undefined;
}

const LEASE_MS = 60_000;

export function createScoreDelivery(deps: ScoreDeliveryDeps): OutboxDelivery<ScoreRecord> {
  const {
    scores,
    registrations,
    tenants,
    platforms,
    clock,
    backoff = usualBackoff,
    leaseMs = LEASE_MS,
  } = deps;

  /** Errors: REGISTRATION_UNKNOWN, LTI_REGISTRATION_INACTIVE, TENANT_UNKNOWN, TENANT_DISABLED. */
  async function getActiveRegistration(score: ScoreRecord): Promise<LtiRegistrationRecord> {
    await getActiveTenant(tenants, score.tenantId);
    const registration = await registrations.findRegistration(score.registrationId);
    if (registration === null) throw removed();
    if (registration.status === 'inactive') throw inactive(registration);
    return registration;
  }

  async function submit(registration: LtiRegistrationRecord, score: ScoreRecord): Promise<Attempt> {
    const { newLineItem, userId, points, earnedAt } = score;
    try {
      const lineItem =
        newLineItem === null
          ? score.lineItem
          : await platforms.provideLineItem(registration, { ...newLineItem, points });
      await platforms.submitScore(registration, { lineItem, userId, points, earnedAt });
      return { earnedAt, error: null };
    } catch (error) {
      return { earnedAt, error };
    }
  }

  async function send(score: ScoreRecord): Promise<Attempt> {
    try {
      const registration = await getActiveRegistration(score);
      const first = await submit(registration, score);
      if (!isOutdated(first.error)) return first;
      return submit(registration, { ...score, earnedAt: findScoreSecond(clock.now(), score.earnedAt) });
    } catch (error) {
      return { earnedAt: score.earnedAt, error };
    }
  }

  function outcomeOf({ error, earnedAt }: Attempt, { failures, lastError }: ScoreRecord): ScoreOutcome {
    const settled = { earnedAt, failures, dueAt: clock.now() };
    if (error === null) return { ...settled, state: 'delivered', lastError: null };
    if (error === GIVEN_UP) return { ...settled, state: 'waiting', lastError };
    const retryAfterSeconds = error instanceof AppError ? error.retryAfterSeconds : undefined;
    const failed = { sort: sortOf(error), failures, retryAfterSeconds };
    return { earnedAt, ...decideNextAttempt(failed, { clock, backoff }), lastError: reasonOf(error) };
  }

  return {
    leaseUntil: () => new Date(clock.now().getTime() + leaseMs),
    async deliver(score, { signal }) {
      const attempt = await unlessGivenUp(send(score), signal, { earnedAt: score.earnedAt, error: GIVEN_UP });
      const outcome = outcomeOf(attempt, score);
      await scores.settleScore(score.id, score.attempts, outcome);
      return sortOf(attempt.error) === 'postponed' ? outcome.dueAt : null;
    },
  };
}

interface Attempt {
  /** As it was sent the last time. */
  readonly earnedAt: Date;
  /** Null when the platform took it. */
  readonly error: unknown;
}

/** In place of an error: this host could not wait any longer. */
const GIVEN_UP = Symbol('given up');

/** Calls to platforms cannot be ended from here; what comes of one after it was given up is not noted. */
async function unlessGivenUp<T>(work: Promise<T>, signal: AbortSignal, instead: T): Promise<T> {
  let giveUp = () => {};
  const givenUp = new Promise<T>((resolve) => {
    giveUp = () => resolve(instead);
    signal.addEventListener('abort', giveUp);
  });
  return Promise.race([work, givenUp]).finally(() => signal.removeEventListener('abort', giveUp));
}

function isOutdated(error: unknown): boolean {
  return error instanceof AppError && error.code === 'PLATFORM_SCORE_OUTDATED';
}

/** Statuses that mean that the score itself is wrong, or that the column is gone. Anything else somebody may put right (a
 *  permission, an address, a course that is not published yet, a tool that waits for its activation): it is retried for as long
 *  as an unreachable platform is, and then parked. */
const refusesForGood: readonly unknown[] = [400, 409, 410, 412, 422];

function sortOf(error: unknown): FailedDelivery['sort'] {
  if (!(error instanceof AppError)) return 'passing';
  const { code, data, retryAfterSeconds } = error;
  switch (code) {
    case 'TENANT_UNKNOWN':
    case 'REGISTRATION_UNKNOWN':
      return 'for-good';
    // An administrator holds them back; we cannot know for how long.
    case 'TENANT_DISABLED':
    case 'LTI_REGISTRATION_INACTIVE':
      return 'postponed';
    case 'PLATFORM_REFUSED':
      return data.part !== 'token' && refusesForGood.includes(data.status) ? 'for-good' : 'passing';
    case 'PLATFORM_THROTTLED':
      return retryAfterSeconds === undefined ? 'passing' : 'postponed';
    default:
      return 'passing';
  }
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'An unexpected error of this host.';
}

function removed(): AppError {
  return new AppError(
    'REGISTRATION_UNKNOWN',
    'The platform was removed on this host, so the score is not sent. Connect it again; learners must then complete the object once more.',
  );
}

function inactive({ name }: LtiRegistrationRecord): AppError {
  return new AppError(
    'LTI_REGISTRATION_INACTIVE',
    `${name} is deactivated on this host, so the score waits. It is sent soon after somebody has activated the platform.`,
  );
}
