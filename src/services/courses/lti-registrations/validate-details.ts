import { isLoopback } from '#domain/loopback';
import {
  findProductOfIssuer,
  isRegistrationIdentifier,
  ltiProducts,
  type PlatformDetails,
} from '#domain/lti/registration';
import { cleanName, findNameProblem, MAX_NAME_LENGTH } from '#domain/text';
import { AppError, type Problem } from '#errors';

/** Why a field is refused, for faces that say it in another language. */
export type RegistrationReason =
  | 'name-empty'
  | 'name-too-long'
  | 'name-unprintable'
  | 'lti-address'
  | 'lti-address-secret'
  | 'lti-identifier'
  | 'lti-product'
  | 'lti-deployments-full';

export interface RegistrationProblem extends Problem {
  readonly reason: RegistrationReason;
}

type Checked = RegistrationReason | null;

const MAX_ADDRESS_LENGTH = 2_000;
/** Refuses what `URL` would mend silently. */
const ABSOLUTE = /^https?:\/\/[^\s\p{C}\\]+$/iu;

const addressNames = ['authorizationEndpoint', 'tokenEndpoint', 'jwksUri'] as const;

const words: Readonly<Record<RegistrationReason, string>> = {
  'name-empty': 'must have at least one letter or digit',
  'name-too-long': `must have at most ${MAX_NAME_LENGTH} characters`,
  'name-unprintable': 'must have no characters that cannot be seen',
  'lti-address': 'must be a complete web address that begins with https:// (or http:// on this very machine)',
  'lti-address-secret': 'must have no user name, password or # part',
  'lti-identifier': 'must have 1 to 255 printable characters',
  'lti-deployments-full': 'cannot be added: there are 1,000 already, which is as many as there can be',
  'lti-product': `must be one of ${ltiProducts.join(', ')}`,
};

/** The details as they are kept: trimmed, and with the product known from the issuer where none was chosen. Errors: FORM_INVALID
 *  with all that is wrong.
 *  @param deploymentIds known from the start */
export function validateDetails(
  given: PlatformDetails,
  deploymentIds: readonly string[] = [],
): PlatformDetails {
  const details = cleaned(given);
  refuse([
    ...findProblems(details),
    ...deploymentIds.flatMap((id, i) => problemOf(`deploymentIds[${i}]`, checkIdentifier(id))),
  ]);
  return details;
}

/** Errors: FORM_INVALID. */
export function validateDeploymentId(given: string): string {
  const id = given.trim();
  refuse(problemOf('deploymentId', checkIdentifier(id)));
  return id;
}

/** Errors: FORM_INVALID, in any case. */
export function refuseDeploymentId(reason: RegistrationReason): void {
  refuse(problemOf('deploymentId', reason));
}

export function isDeploymentId(id: string): boolean {
  return isRegistrationIdentifier(id);
}

function cleaned(given: PlatformDetails): PlatformDetails {
  const issuer = given.issuer.trim();
  return {
    issuer,
    clientId: given.clientId.trim(),
    name: cleanName(given.name),
    product: given.product === 'generic' ? (findProductOfIssuer(issuer) ?? 'generic') : given.product,
    authorizationEndpoint: given.authorizationEndpoint.trim(),
    tokenEndpoint: given.tokenEndpoint.trim(),
    tokenAudience: given.tokenAudience?.trim() || null,
    jwksUri: given.jwksUri.trim(),
    acceptsNewDeployments: given.acceptsNewDeployments,
  };
}

function findProblems(details: PlatformDetails): RegistrationProblem[] {
  const name = findNameProblem(details.name);
  const checks: readonly [path: string, found: Checked][] = [
    ['issuer', checkIdentifier(details.issuer) ?? checkAddress(details.issuer)],
    ['clientId', checkIdentifier(details.clientId)],
    ['name', name === null ? null : `name-${name}`],
    ['product', ltiProducts.includes(details.product) ? null : 'lti-product'],
    ...addressNames.map((path): [string, Checked] => [path, checkAddress(details[path])]),
    // Compared by the platform, never called: it need not be an address.
    ['tokenAudience', details.tokenAudience === null ? null : checkIdentifier(details.tokenAudience)],
  ];
  return checks.flatMap(([path, found]) => problemOf(path, found));
}

function checkIdentifier(text: string): Checked {
  return isRegistrationIdentifier(text) ? null : 'lti-identifier';
}

/** Tokens and keys travel over it: without TLS only where nobody is in between. */
function checkAddress(text: string): Checked {
  if (text.length > MAX_ADDRESS_LENGTH || !ABSOLUTE.test(text) || !URL.canParse(text)) return 'lti-address';
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !isLoopback(text)) return 'lti-address';
  return username || password || hash ? 'lti-address-secret' : null;
}

function problemOf(path: string, reason: Checked): RegistrationProblem[] {
  return reason === null ? [] : [{ path, reason, problem: words[reason] }];
}

function refuse(problems: readonly RegistrationProblem[]): void {
  if (problems.length === 0) return;
  const said = problems.map(({ path, problem }) => `${path} ${problem}`).join('; ');
  throw new AppError('FORM_INVALID', `The platform was not saved: ${said}. Correct this and send it again.`, {
    problems,
  });
}
