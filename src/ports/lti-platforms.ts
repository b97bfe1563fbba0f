import type { CallOptions } from './learning-service.ts';
import type { LtiRegistrationRecord } from './store/lti-registrations.ts';
import type { NewLineItem } from './store/scores.ts';

export interface PlatformScore {
  /** Address of the line item, as the platform gave it; it may have a query. */
  readonly lineItem: string;
  readonly userId: string;
  /** Given and most. */
  readonly points: number;
  /** To the second. */
  readonly earnedAt: Date;
}

export interface PlatformMember {
  readonly userId: string;
  /** Null where the platform keeps it to itself. */
  readonly name: string | null;
  readonly isLearner: boolean;
  readonly isActive: boolean;
}

/** Where a platform takes who wants its notices, and what is wanted. */
export interface NoticeSubscription {
  readonly url: string;
  /** Address of ours that notices are sent to. */
  readonly handler: string;
  /** As `LtiContextCopyNotice`. */
  readonly types: readonly string[];
}

/** One part of a check, in the order in which they are made. */
export interface PlatformCheck {
  readonly part: 'keys' | 'token';
  /** `refused` by the platform, `wrong` for an unexpected answer, `unreachable` for none. */
  readonly outcome: 'ok' | 'refused' | 'wrong' | 'unreachable';
  readonly url: string;
  /** What the platform said or what failed, at most 300 characters, safe to show to an
   *  administrator; null when all is well. */
  readonly detail: string | null;
}

/** The services of platforms, called with a token of the registration.
 *  Errors: PLATFORM_UNREACHABLE and PLATFORM_THROTTLED where it may succeed later; PLATFORM_REFUSED
 *  where it will not, with the HTTP status in `data.status`, which is null where the address is not
 *  called at all, and `data.part` `token` where it refused us a token; PLATFORM_SCORE_OUTDATED
 *  where the platform has a score that is not older. */
export interface LtiPlatforms {
  /** Address of the line item of a link, an existing or a new one; the same for simultaneous
   *  calls. */
  provideLineItem(
    registration: LtiRegistrationRecord,
    lineItem: NewLineItem & Pick<PlatformScore, 'points'>,
  ): Promise<string>;
  submitScore(registration: LtiRegistrationRecord, score: PlatformScore): Promise<void>;
  /** At most 5,000, as they were within the last minute. What took longer than half a minute failed
   *  (PLATFORM_UNREACHABLE). */
  listMembers(
    registration: LtiRegistrationRecord,
    membershipsUrl: string,
    options?: CallOptions,
  ): Promise<readonly PlatformMember[]>;
  /** Subscribes to notices of these types, unless that was done within the last day. */
  subscribeToNotices(registration: LtiRegistrationRecord, wanted: NoticeSubscription): Promise<void>;
  /** Fetches the platform's keys and a token. Never rejects for what the platform does. */
  check(registration: LtiRegistrationRecord): Promise<readonly PlatformCheck[]>;
}
