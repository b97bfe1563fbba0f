import type { LtiProduct } from './registration.ts';

/** Role of a person: `instructor` runs a course or the platform, `learner` learns, `other` is
 *  anyone else. */
export type LaunchRole = 'instructor' | 'learner' | 'other';

interface LaunchUser {
  /** `sub`; unique within the issuer. */
  readonly id: string;
  /** Null if the platform does not share it. */
  readonly name: string | null;
  readonly email: string | null;
}

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

/** Content item types of Deep Linking 2.0 that this tool can return. */
export type ContentItemType = 'ltiResourceLink' | 'link' | 'html';

/** The settings of a deep-linking request, with the defaults of Deep Linking 2.0. */
export interface DeepLinkingSettings {
  readonly returnUrl: string;
  /** Unfiltered: includes types that this tool cannot return. */
  readonly acceptTypes: readonly string[];
  readonly acceptMultiple: boolean;
  /** `iframe`, `window`, `frame`, `embed`; as they were sent. */
  readonly targets: readonly string[];
  /** The default of the product where the platform does not say. */
  readonly acceptLineItem: boolean;
  readonly autoCreate: boolean;
  readonly title: string | null;
  readonly text: string | null;
  /** Returned unchanged; null where there was none. */
  readonly data: unknown;
}

/** Scopes of Assignment and Grade Services that let a tool send scores, and make line items. */
export const SCORE_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/score';
export const LINE_ITEM_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem';

/** The scope for reading whether the gradebook has a score. */
export const RESULT_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly';

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

/** Whether the platform accepts scores for the link of a launch: the link has a line item, or the
 *  tool may create one. */
export function takesScores({ grading }: Pick<Launch, 'grading'>): boolean {
  const isGraded = grading?.lineItem != null && grading.scopes.includes(SCORE_SCOPE);
  return isGraded || canMakeLineItem(grading);
}

/** A verified launch. */
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
  /** Whether the roles let an instructor change the content of the course: graders may not. */
  readonly mayChange: boolean;
  /** Whether the user administers the platform, and is shown where to change its settings. */
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
  /** Address of the groups of the course (Course Groups Service); null where it is not offered. */
  readonly groupsUrl: string | null;
  readonly launchedAt: Date;
  readonly expiresAt: Date;
}
