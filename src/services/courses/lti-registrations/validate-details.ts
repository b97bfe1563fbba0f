import type { PlatformDetails } from '#domain/lti/registration';
import { findProductOfIssuer, isRegistrationIdentifier, ltiProducts } from '#domain/lti/registration';
import { cleanName, findNameProblem, MAX_NAME_LENGTH } from '#domain/text';
import { isLoopbackAddress } from '#domain/web-address';
import { AppError, type Problem } from '#errors';

/** Why a field is refused, for faces that translate the message. */
export type RegistrationReason =
  | 'name-empty'
  | 'name-too-long'
  | 'name-unprintable'
  | 'lti-address'
  | 'lti-address-secret'
  | 'lti-identifier'
  | 'lti-product'
  | 'lti-deployments-full';

export type RegistrationProblem = Problem & { readonly reason: RegistrationReason };
const MAX_ADDRESS_LENGTH = 2_000;
/** Rejects addresses that `URL` would correct silently. */
const ABSOLUTE = /^https?:\/\/[^\s\p{C}\\]+$/iu;
const addressNames = ['authorizationEndpoint', 'tokenEndpoint', 'jwksUri'] as const;

const problemTexts: Readonly<Record<RegistrationReason, string>> = {
  'name-empty': 'must have at least one letter or digit',
  'name-too-long': `must have at most ${MAX_NAME_LENGTH} characters`,
  'name-unprintable': 'must have no characters that cannot be seen',
  'lti-address': 'must be a complete web address that begins with https:// (or http:// on this very machine)',
  'lti-address-secret': 'must have no user name, password or # part',
  'lti-identifier': 'must have 1 to 255 printable characters',
  'lti-deployments-full': 'cannot be added: there are 1,000 already, which is as many as there can be',
  'lti-product': `must be one of ${ltiProducts.join(', ')}`,
};

/** Returns the details to store: trimmed, and with the product that the issuer implies if none was
 *  chosen. Errors: FORM_INVALID with every problem. */
export function validateDetails(typed: PlatformDetails, deploymentIds: readonly string[] = []): PlatformDetails {
  const details = cleanDetails(typed);
  const problems = [
    ...findDetailProblems(details),
    ...deploymentIds.flatMap((id, i) => toProblems(`deploymentIds[${i}]`, checkIdentifier(id))),
  ];
  if (problems.length > 0) throw createDetailsError(problems);
  return details;
}

/** Returns the trimmed ID. Errors: FORM_INVALID. */
export function validateDeploymentId(typed: string): string {
  const id = typed.trim();
  const reason = checkIdentifier(id);
  return reason === null ? id : refuseDeploymentId(reason);
}

/** Errors: FORM_INVALID, always. */
export function refuseDeploymentId(reason: RegistrationReason): never {
  throw createDetailsError(toProblems('deploymentId', reason));
}

function cleanDetails(typed: PlatformDetails): PlatformDetails {
  const issuer = typed.issuer.trim();
  return {
    issuer,
    clientId: typed.clientId.trim(),
    name: cleanName(typed.name),
    product: typed.product === 'generic' ? (findProductOfIssuer(issuer) ?? 'generic') : typed.product,
    authorizationEndpoint: typed.authorizationEndpoint.trim(),
    tokenEndpoint: typed.tokenEndpoint.trim(),
    tokenAudience: typed.tokenAudience?.trim() || null,
    jwksUri: typed.jwksUri.trim(),
    acceptsNewDeployments: typed.acceptsNewDeployments,
  };
}

function findDetailProblems(details: PlatformDetails): RegistrationProblem[] {
  const name = findNameProblem(details.name);
  const checks: readonly [path: string, reason: RegistrationReason | null][] = [
    ['issuer', checkIdentifier(details.issuer) ?? checkAddress(details.issuer)],
    ['clientId', checkIdentifier(details.clientId)],
    ['name', name === null ? null : `name-${name}`],
    ['product', ltiProducts.includes(details.product) ? null : 'lti-product'],
    ...addressNames.map((path): [string, RegistrationReason | null] => [path, checkAddress(details[path])]),
    // The platform compares it and never calls it: it need not be an address.
    ['tokenAudience', details.tokenAudience === null ? null : checkIdentifier(details.tokenAudience)],
  ];
  return checks.flatMap(([path, reason]) => toProblems(path, reason));
}

function checkIdentifier(text: string): RegistrationReason | null {
  return isRegistrationIdentifier(text) ? null : 'lti-identifier';
}

/** Accepts plain HTTP on this machine only, as tokens and keys are sent to the address. */
function checkAddress(text: string): RegistrationReason | null {
  if (text.length > MAX_ADDRESS_LENGTH || !ABSOLUTE.test(text) || !URL.canParse(text)) return 'lti-address';
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !isLoopbackAddress(text)) return 'lti-address';
  return username || password || hash ? 'lti-address-secret' : null;
}

function toProblems(path: string, reason: RegistrationReason | null): RegistrationProblem[] {
  return reason === null ? [] : [{ path, reason, problem: problemTexts[reason] }];
}

function createDetailsError(problems: readonly RegistrationProblem[]): AppError {
  const list = problems.map(({ path, problem }) => `${path} ${problem}`).join('; ');
  const message = `The platform was not saved: ${list}. Correct this and send it again.`;
  return new AppError('FORM_INVALID', message, { problems });
}
