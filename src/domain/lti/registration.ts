/** LMS products that we know; `generic` is any other one. */
export const ltiProducts = ['moodle', 'canvas', 'blackboard', 'brightspace', 'sakai', 'generic'] as const;
export type LtiProduct = (typeof ltiProducts)[number];

/** How a registration came about. `demo` is that of the course site this host serves itself. */
export type RegistrationOrigin = 'dynamic' | 'manual' | 'demo';

/** What a platform says about itself, or an administrator about it. All addresses are absolute. */
export interface PlatformDetails {
  readonly issuer: string;
  readonly clientId: string;
  /** The administrators' name for it. */
  readonly name: string;
  readonly product: LtiProduct;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** `aud` of token requests where it is not the token endpoint; null where it is. */
  readonly tokenAudience: string | null;
  readonly jwksUri: string;
  /** Whether a deployment that is seen for the first time is let in. */
  readonly acceptsNewDeployments: boolean;
}

const MAX_IDENTIFIER_LENGTH = 255;
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

/** Whether this can be an issuer, a client id or a deployment id: 1 to 255 printable characters, not all of them blanks. */
export function isRegistrationIdentifier(text: string): boolean {
  return text.length <= MAX_IDENTIFIER_LENGTH && text.trim() !== '' && PRINTABLE.test(text);
}

const issuers: readonly (readonly [product: LtiProduct, pattern: RegExp])[] = [
  // Of the cloud, with its beta and test environments.
  ['canvas', /^https:\/\/canvas(?:\.beta|\.test)?\.instructure\.com$/],
  ['blackboard', /^https:\/\/blackboard\.com$/],
  ['brightspace', /^https:\/\/[^/]+\.brightspace\.com$/],
];

/** The product that an issuer alone tells of; null where it tells nothing. */
export function findProductOfIssuer(issuer: string): LtiProduct | null {
  return issuers.find(([, pattern]) => pattern.test(issuer))?.[0] ?? null;
}

/** Whether institutions that have nothing to do with each other launch with the same issuer and client id, so that only the
 *  deployment tells them apart: letting new deployments in lets in all of them. */
export function sharesClientId(product: LtiProduct): boolean {
  return product === 'blackboard';
}
