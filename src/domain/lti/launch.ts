import type { LtiProduct } from './registration.ts';

/** What people may do here: `instructor` is anyone who runs a course or the platform, `learner` anyone who learns, `other` anyone
 *  else. */
export type LaunchRole = 'instructor' | 'learner' | 'other';

export interface LaunchUser {
  /** `sub`; unique within the issuer. */
  readonly id: string;
  /** Null where the platform keeps it to itself. */
  readonly name: string | null;
  readonly email: string | null;
}

/** The course. */
export interface LaunchContext {
  readonly id: string;
  readonly label: string | null;
  readonly title: string | null;
}

export interface LaunchedLink {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
}

/** Content item types of Deep Linking 2.0 that we can give. */
export type ContentItemType = 'ltiResourceLink' | 'link' | 'html';

/** What the platform wants to get back, with the defaults of Deep Linking 2.0 filled in. */
export interface DeepLinkingSettings {
  readonly returnUrl: string;
  /** As they were sent, also types that we cannot give. */
  readonly acceptTypes: readonly string[];
  readonly acceptMultiple: boolean;
  /** `iframe`, `window`, `frame`, `embed`; as they were sent. */
  readonly targets: readonly string[];
  /** As its product does where the platform does not say. */
  readonly acceptLineItem: boolean;
  readonly autoCreate: boolean;
  readonly title: string | null;
  readonly text: string | null;
  /** To be sent back as it is; null where there was none. */
  readonly data: string | null;
}

/** Scopes of Assignment and Grade Services that let a tool send scores, and make line items. */
export const SCORE_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/score';
export const LINE_ITEM_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem';

/** Assignment and Grade Services of a launch. */
export interface LaunchGrading {
  readonly scopes: readonly string[];
  /** Of this link; null where it is not graded. */
  readonly lineItem: string | null;
  readonly lineItems: string | null;
}

/** Whether a tool may make a line item in this course. */
export function canMakeLineItem(grading: LaunchGrading | null): boolean {
  const hasScopes = [SCORE_SCOPE, LINE_ITEM_SCOPE].every((scope) => grading?.scopes.includes(scope));
  return hasScopes && grading?.lineItems != null;
}

/** Whether the platform takes scores for the link of a launch: it has a line item, or can get one. */
export function takesScores({ grading }: Pick<Launch, 'grading'>): boolean {
  const isGraded = grading?.lineItem != null && grading.scopes.includes(SCORE_SCOPE);
  return isGraded || canMakeLineItem(grading);
}

/** A verified launch: what a platform told us, once. */
export interface Launch {
  readonly id: string;
  readonly tenantId: string;
  readonly registrationId: string;
  readonly product: LtiProduct;
  readonly issuer: string;
  readonly clientId: string;
  readonly deploymentId: string;
  /** Origin of the platform's authorization endpoint: it may frame us, and is written to. */
  readonly platformOrigin: string;
  readonly user: LaunchUser;
  readonly role: LaunchRole;
  /** Whether an instructor may change what stands in the course, as far as the roles say: graders may not. */
  readonly mayChange: boolean;
  /** Whether the user runs the platform: told where to change a setting. */
  readonly isAdministrator: boolean;
  /** As the platform wrote it (`fr-CA`); null where it did not. */
  readonly locale: string | null;
  readonly context: LaunchContext | null;
  /** Without values that the platform did not fill in (`$Context.id.history`). */
  readonly custom: Readonly<Record<string, string>>;
  readonly presentation: { readonly target: string | null; readonly returnUrl: string | null };
  /** Null for a deep-linking launch. */
  readonly resourceLink: LaunchedLink | null;
  /** Null for a resource link launch. */
  readonly deepLinking: DeepLinkingSettings | null;
  readonly grading: LaunchGrading | null;
  /** Address of Names and Role Provisioning Services; null where it is not allowed. */
  readonly membershipsUrl: string | null;
  readonly launchedAt: Date;
  readonly expiresAt: Date;
}
