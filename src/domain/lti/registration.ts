/** Supported LMS products; `generic` is any other one. */
export const ltiProducts = ['moodle', 'canvas', 'blackboard', 'brightspace', 'sakai', 'generic'] as const;
export type LtiProduct = (typeof ltiProducts)[number];

/** Origin of a registration. `demo` is that of the demo course of this host. */
export type RegistrationOrigin = 'dynamic' | 'manual' | 'demo';

/** Configuration of a platform, from itself or an administrator. All addresses are absolute. */
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
  /** Whether unknown deployments are accepted. */
  readonly acceptsNewDeployments: boolean;
}

const MAX_IDENTIFIER_LENGTH = 255;
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

/** Whether a text can be an issuer, a client id or a deployment id: 1 to 255 printable
 *  characters. */
export function isRegistrationIdentifier(text: string): boolean {
  return text.length <= MAX_IDENTIFIER_LENGTH && text.trim() !== '' && PRINTABLE.test(text);
}

const issuers: readonly (readonly [product: LtiProduct, pattern: RegExp])[] = [
  // Of the cloud, with its beta and test environments.
  ['canvas', /^https:\/\/canvas(?:\.beta|\.test)?\.instructure\.com$/],
  ['blackboard', /^https:\/\/blackboard\.com$/],
  ['brightspace', /^https:\/\/[^/]+\.brightspace\.com$/],
];

/** The product that an issuer identifies; null where it identifies none. */
export function findProductOfIssuer(issuer: string): LtiProduct | null {
  return issuers.find(([, pattern]) => pattern.test(issuer))?.[0] ?? null;
}

/** Whether unrelated institutions share an issuer and client id, so that only the deployment
 *  distinguishes them: accepting new deployments accepts all of them. */
export function sharesClientId(product: LtiProduct): boolean {
  return product === 'blackboard';
}
