import type { LtiProduct } from './registration.ts';

/** `instructor` runs a course or the platform, `learner` learns, `other` is anyone else. */
export type LaunchRole = 'instructor' | 'learner' | 'other';

interface LaunchUser {
  /** `sub`; unique within the issuer. */
  readonly id: string;
  /** Null if the platform does not share it. */
  readonly name: string | null;
  readonly email: string | null;
}

export interface LaunchedLink {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
}

export type ContentItemType = 'ltiResourceLink' | 'link' | 'html';

/** The settings of a deep-linking request, with the defaults of Deep Linking 2.0. */
export interface DeepLinkingSettings {
  readonly returnUrl: string;
  /** All types that the platform accepts, also those that this tool cannot return. */
  readonly acceptTypes: readonly string[];
  readonly acceptMultiple: boolean;
  /** All targets that the platform accepts: `iframe`, `window`, `frame`, `embed`. */
  readonly targets: readonly string[];
  /** The default of the product if the platform does not say. */
  readonly acceptLineItem: boolean;
  readonly autoCreate: boolean;
  readonly title: string | null;
  readonly text: string | null;
  /** Returned unchanged; null if there was none. */
  readonly data: unknown;
}

export const SCORE_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/score';
export const LINE_ITEM_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem';

/** The scope for reading whether the gradebook has a score. */
export const RESULT_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly';

export interface LaunchGrading {
  readonly scopes: readonly string[];
  /** Address of the line item of this link; null if it is not graded. */
  readonly lineItem: string | null;
  /** Address of all line items of the course; null if the platform does not share it. */
  readonly lineItems: string | null;
}

/** Returns whether the tool may create a line item. */
export function canMakeLineItem(grading: LaunchGrading | null): boolean {
  const hasScopes = [SCORE_SCOPE, LINE_ITEM_SCOPE].every((scope) => grading?.scopes.includes(scope));
  return hasScopes && grading?.lineItems != null;
}

/** Returns whether the link has a line item, or the tool may create one. */
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
  /** Origin of the platform's authorization endpoint, for `frame-ancestors` and `postMessage`. */
  readonly platformOrigin: string;
  readonly user: LaunchUser;
  readonly role: LaunchRole;
  /** Whether the roles include editing the course: graders may not. */
  readonly mayChange: boolean;
  /** Whether the person administers the platform. */
  readonly isAdministrator: boolean;
  /** Locale as sent, such as `fr-CA`; null if absent. */
  readonly locale: string | null;
  readonly context: { readonly id: string; readonly label: string | null; readonly title: string | null } | null;
  /** Custom parameters, but no variables without a value, such as `$Context.id.history`. */
  readonly custom: Readonly<Record<string, string>>;
  readonly presentation: { readonly target: string | null; readonly returnUrl: string | null };
  /** Null for a deep-linking launch. */
  readonly resourceLink: LaunchedLink | null;
  /** Null for a resource link launch. */
  readonly deepLinking: DeepLinkingSettings | null;
  readonly grading: LaunchGrading | null;
  /** Address of Names and Role Provisioning Services; null if not allowed. */
  readonly membershipsUrl: string | null;
  /** Address of the Course Groups Service; null if not offered. */
  readonly groupsUrl: string | null;
  readonly launchedAt: Date;
  readonly expiresAt: Date;
}
