import type { LtiProduct } from './registration.ts';

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
 *  deployment tells which one it is: who lets new deployments in lets in all of them. */
export function sharesClientId(product: LtiProduct): boolean {
  return product === 'blackboard';
}
