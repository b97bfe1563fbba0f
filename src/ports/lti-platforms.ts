import type { CallOptions } from './learning-service.ts';
import type { LtiRegistrationRecord } from './store/lti-registrations.ts';
import type { NewLineItem } from './store/scores.ts';

export interface PlatformScore {
  /** Address of the line item, as the platform gave it; it may have a query. */
  readonly lineItem: string;
  readonly userId: string;
  /** Points given, which are also the maximum. */
  readonly points: number;
  /** To the second. */
  readonly earnedAt: Date;
}

export interface WantedLineItem extends NewLineItem, Pick<PlatformScore, 'points'> {
  /** Address that the launch named; null where it named none. */
  readonly launched: string | null;
}

export interface PlatformMember {
  readonly userId: string;
  /** Null where the platform does not share it. */
  readonly name: string | null;
  readonly isLearner: boolean;
  readonly isActive: boolean;
  /** Ids of the groups of the course that the person is in; empty where they were not asked for. */
  readonly groupIds: readonly string[];
}

export interface CourseGroup {
  readonly id: string;
  readonly name: string;
}

export interface NoticeSubscription {
  /** Address of the platform's notification service. */
  readonly url: string;
  /** Address of this host that receives the notices. */
  readonly handler: string;
  /** @example ['LtiContextCopyNotice'] */
  readonly types: readonly string[];
}

/** The configuration that a platform publishes for dynamic registration. */
export interface PlatformConfiguration {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly registrationEndpoint: string;
  /** `aud` of token requests; null for the token endpoint. */
  readonly tokenAudience: string | null;
  readonly scopes: readonly string[];
  /** `product_family_code`; null, as the next two, where the platform does not state it. */
  readonly family: string | null;
  readonly version: string | null;
  /** Name of the account that registers the tool. */
  readonly account: string | null;
  /** Messages that the platform sends, each with the placements that it has; null where it lists
   *  none. */
  readonly messages: readonly { readonly type: string; readonly placements: readonly string[] | null }[];
}

export interface RegistrationEndpoint {
  readonly url: string;
  /** Registration token of the platform; null where it sent none. */
  readonly token: string | null;
}

/** How a platform identifies the tool. */
export interface RegisteredTool {
  readonly clientId: string;
  /** Null where the tool is not yet installed anywhere. */
  readonly deploymentId: string | null;
}

export interface PlatformCheck {
  readonly part: 'keys' | 'token';
  /** `refused` by the platform, `wrong` for an unexpected answer, `unreachable` for none. */
  readonly outcome: 'ok' | 'refused' | 'wrong' | 'unreachable';
  readonly url: string;
  /** The platform's answer or what failed, at most 300 characters, safe to show to an
   *  administrator; null for `ok`. */
  readonly detail: string | null;
}

/** LTI platforms: what they sign, and their services, which are called with a token of the
 *  registration. Errors of services: PLATFORM_UNREACHABLE and PLATFORM_THROTTLED where it may
 *  succeed later; PLATFORM_REFUSED where it will not, with the HTTP status in `data.status`, which
 *  is null for an address that is never called, and `data.part` `token` where it refused us a
 *  token; PLATFORM_SCORE_OUTDATED where the platform has a score that is not older. */
export interface LtiPlatforms {
  /** The claims of a JWT that the platform signed for this tool: an id_token or a notice. Their
   *  signature, parties and times are verified, and nothing else.
   *  Errors: LTI_TOKEN_MALFORMED, LTI_ALG_REFUSED, LTI_KEY_UNKNOWN, LTI_SIGNATURE_INVALID,
   *  LTI_ISSUER_WRONG, LTI_AUDIENCE_WRONG, LTI_AZP_WRONG, LTI_TOKEN_EXPIRED, LTI_TOKEN_OLD,
   *  LTI_TOKEN_EARLY, LTI_CLAIMS_INVALID for missing times, LTI_KEYS_UNAVAILABLE. */
  verifyToken(registration: LtiRegistrationRecord, token: string): Promise<Readonly<Record<string, unknown>>>;
  /** Checks that the claims of a launch have what LTI 1.3 requires of every launch.
   *  Errors: LTI_CLAIMS_INVALID. */
  checkLaunchClaims(claims: object): Promise<void>;
  /** Address of the line item of a placement, an existing or a new one; the same for simultaneous
   *  calls. That of the launch counts where it is not for another placement, and where the platform
   *  refuses to list line items. */
  provideLineItem(registration: LtiRegistrationRecord, wanted: WantedLineItem): Promise<string>;
  submitScore(registration: LtiRegistrationRecord, score: PlatformScore): Promise<void>;
  /** Whether the gradebook has no result of the person any more; false where the answer does not
   *  say. */
  isResultGone(
    registration: LtiRegistrationRecord,
    result: Pick<PlatformScore, 'lineItem' | 'userId'>,
  ): Promise<boolean>;
  /** At most 5,000 members, at most a minute old. Errors: also PLATFORM_UNREACHABLE after half a
   *  minute.
   *  @param options.withGroups also asks for their groups, for platforms that offer these */
  listMembers(
    registration: LtiRegistrationRecord,
    membershipsUrl: string,
    options?: CallOptions & { readonly withGroups?: boolean },
  ): Promise<readonly PlatformMember[]>;
  /** The groups of a course, at most 500, at most a minute old. Errors: as `listMembers`. */
  listGroups(
    registration: LtiRegistrationRecord,
    groupsUrl: string,
    options?: CallOptions,
  ): Promise<readonly CourseGroup[]>;
  /** Subscribes to notices, unless that was done within the last day. */
  subscribeToNotices(registration: LtiRegistrationRecord, subscription: NoticeSubscription): Promise<void>;
  /** Errors: REGISTRATION_FAILED, with the reason in `data.reason`.
   *  @param token registration token of the platform; null where it sent none */
  fetchConfiguration(url: string, token: string | null): Promise<PlatformConfiguration>;
  /** Errors: REGISTRATION_FAILED, with the reason in `data.reason`.
   *  @param tool a client registration with its tool configuration */
  registerTool(endpoint: RegistrationEndpoint, tool: object): Promise<RegisteredTool>;
  /** Fetches the platform's keys and a new token, in this order. Never rejects for what the
   *  platform does. */
  check(registration: LtiRegistrationRecord): Promise<readonly PlatformCheck[]>;
}
