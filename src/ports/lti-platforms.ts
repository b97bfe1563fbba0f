import type { PlatformDetails } from '#domain/lti/registration';
import type { CallOptions } from './learning-service.ts';
import type { LtiRegistrationRecord } from './store/lti-registrations.ts';
import type { NewLineItem, ScoreRecord } from './store/scores.ts';

/** A score that is sent to a platform: all `points`; `earnedAt` is exact to the second. */
export type PlatformScore = Pick<ScoreRecord, 'lineItem' | 'userId' | 'points' | 'earnedAt'>;

export interface WantedLineItem extends NewLineItem, Pick<PlatformScore, 'points'> {
  /** Line item of the launch; null if it named none. */
  readonly launched: string | null;
}

export interface PlatformMember {
  readonly userId: string;
  /** Null if the platform does not share it. */
  readonly name: string | null;
  readonly isLearner: boolean;
  readonly isActive: boolean;
  /** Groups of the person in the course; empty if not requested. */
  readonly groupIds: readonly string[];
}

export type CourseGroup = { readonly id: string; readonly name: string };

export interface NoticeSubscription {
  readonly url: string;
  /** Address of this host that receives the notices. */
  readonly handler: string;
  /** @example ['LtiContextCopyNotice'] */
  readonly types: readonly string[];
}

/** The configuration that a platform publishes for dynamic registration. */
export interface PlatformConfiguration
  extends Omit<PlatformDetails, 'clientId' | 'name' | 'product' | 'acceptsNewDeployments'> {
  readonly registrationEndpoint: string;
  readonly scopes: readonly string[];
  /** `product_family_code`; null if the platform does not state it. */
  readonly family: string | null;
  readonly version: string | null;
  /** Name of the account that registers the tool. */
  readonly account: string | null;
  /** Messages that the platform sends, each with its placements; null if none are listed. */
  readonly messages: readonly { readonly type: string; readonly placements: readonly string[] | null }[];
}

export interface RegistrationEndpoint {
  readonly url: string;
  /** Registration token of the platform; null if it sent none. */
  readonly token: string | null;
}

export interface RegisteredTool {
  readonly clientId: string;
  /** Null if the tool is not installed yet. */
  readonly deploymentId: string | null;
}

export interface PlatformCheck {
  readonly part: 'keys' | 'token';
  /** `refused` by the platform, `wrong` for an unexpected answer, `unreachable` for none. */
  readonly outcome: 'ok' | 'refused' | 'wrong' | 'unreachable';
  readonly url: string;
  /** The answer or failure, at most 300 characters, safe to show; null for `ok`. */
  readonly detail: string | null;
}

/** Verifies what LTI platforms sign, and calls their services with a token of the registration.
 *  Errors of services: PLATFORM_UNREACHABLE and PLATFORM_THROTTLED are temporary; PLATFORM_REFUSED
 *  is final, with the HTTP status in `data.status` (null for an address that is never called) and
 *  `data.part` `token` if no token was given; PLATFORM_SCORE_OUTDATED after a newer score. */
export interface LtiPlatforms {
  /** Returns the claims of a JWT for this tool, an id_token or a notice, once the signature,
   *  parties and times are verified. Errors: LTI_TOKEN_MALFORMED, LTI_ALG_REFUSED, LTI_KEY_UNKNOWN,
   *  LTI_SIGNATURE_INVALID, LTI_ISSUER_WRONG, LTI_AUDIENCE_WRONG, LTI_AZP_WRONG, LTI_TOKEN_EXPIRED,
   *  LTI_TOKEN_OLD, LTI_TOKEN_EARLY, LTI_CLAIMS_INVALID for missing times, LTI_KEYS_UNAVAILABLE. */
  verifyToken(registration: LtiRegistrationRecord, token: string): Promise<Readonly<Record<string, unknown>>>;
  /** Checks the claims that LTI 1.3 requires of every launch. Errors: LTI_CLAIMS_INVALID. */
  checkLaunchClaims(claims: object): Promise<void>;
  /** Returns the address of the line item of a placement, an existing or a new one; the same for
   *  simultaneous calls. The launch's line item is used unless it belongs to another placement, and
   *  where the platform refuses to list line items. */
  provideLineItem(registration: LtiRegistrationRecord, lineItem: WantedLineItem): Promise<string>;
  submitScore(registration: LtiRegistrationRecord, score: PlatformScore): Promise<void>;
  /** Tells whether the gradebook has no result of the person; false if the answer does not say. */
  isResultGone(
    registration: LtiRegistrationRecord,
    result: Pick<PlatformScore, 'lineItem' | 'userId'>,
  ): Promise<boolean>;
  /** Lists at most 5,000 members, at most a minute old. Errors: PLATFORM_UNREACHABLE after 30 s.
   *  @param options.withGroups also requests their groups, where the platform offers them */
  listMembers(
    registration: LtiRegistrationRecord,
    membershipsUrl: string,
    options?: CallOptions & { readonly withGroups?: boolean },
  ): Promise<readonly PlatformMember[]>;
  /** Lists at most 500 groups, read within the last minute. Errors: those of `listMembers`. */
  listGroups(
    registration: LtiRegistrationRecord,
    groupsUrl: string,
    options?: CallOptions,
  ): Promise<readonly CourseGroup[]>;
  /** Subscribes this host to notices, unless it did so within the last day. */
  subscribeToNotices(registration: LtiRegistrationRecord, subscription: NoticeSubscription): Promise<void>;
  /** Fetches the configuration of a platform. Errors: REGISTRATION_FAILED with `data.reason`.
   *  @param token registration token of the platform; null if it sent none */
  fetchConfiguration(url: string, token: string | null): Promise<PlatformConfiguration>;
  /** Registers this tool. Errors: REGISTRATION_FAILED, with the reason in `data.reason`.
   *  @param tool a client registration with its tool configuration */
  registerTool(endpoint: RegistrationEndpoint, tool: object): Promise<RegisteredTool>;
  /** Fetches the platform's keys, then a new token. Never rejects because of the platform. */
  check(registration: LtiRegistrationRecord): Promise<readonly PlatformCheck[]>;
}
