/** Products with traits of their own; `generic` is any other product. */
export const ltiProducts = ['moodle', 'canvas', 'blackboard', 'brightspace', 'sakai', 'generic'] as const;
export type LtiProduct = (typeof ltiProducts)[number];

/** `demo`: the demo course of this host. */
export type RegistrationOrigin = 'dynamic' | 'manual' | 'demo';

/** Configuration of a platform, from itself or an administrator. All addresses are absolute. */
export interface PlatformDetails {
  readonly issuer: string;
  readonly clientId: string;
  /** Chosen by administrators. */
  readonly name: string;
  readonly product: LtiProduct;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** `aud` of token requests; null for the token endpoint. */
  readonly tokenAudience: string | null;
  readonly jwksUri: string;
  readonly acceptsNewDeployments: boolean;
}

const MAX_IDENTIFIER_LENGTH = 255;
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

/** Accepts 1 to 255 printable characters as an issuer, a client ID or a deployment ID. */
export function isRegistrationIdentifier(text: string): boolean {
  return text.length <= MAX_IDENTIFIER_LENGTH && text.trim() !== '' && PRINTABLE.test(text);
}

const issuers: readonly (readonly [product: LtiProduct, pattern: RegExp])[] = [
  // The cloud, including beta and test environments.
  ['canvas', /^https:\/\/canvas(?:\.beta|\.test)?\.instructure\.com$/],
  ['blackboard', /^https:\/\/blackboard\.com$/],
  ['brightspace', /^https:\/\/[^/]+\.brightspace\.com$/],
];

export function findProductOfIssuer(issuer: string): LtiProduct | null {
  return issuers.find(([, pattern]) => pattern.test(issuer))?.[0] ?? null;
}

/** If unrelated institutions share a client ID, new deployments may be of any of them. */
export const sharesClientId = (product: LtiProduct): boolean => product === 'blackboard';
