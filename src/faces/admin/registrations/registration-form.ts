import { z } from 'zod';
import type { LtiProduct, PlatformDetails } from '#domain/lti/registration';
import { findProductOfIssuer, ltiProducts, sharesClientId } from '#domain/lti/registration';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { boxField, type FormState, fillForm, versionField } from '../forms/forms.ts';

const textField = z.string().default('');

const details = {
  name: textField,
  product: z.enum(ltiProducts, 'chooseOne'),
  issuer: textField,
  clientId: textField,
  authorizationEndpoint: textField,
  tokenEndpoint: textField,
  tokenAudience: textField.transform((text) => text.trim() || null),
  jwksUri: textField,
  acceptsNewDeployments: boxField,
};

/** The service validates the texts; where client IDs are shared, a deployment is needed. */
export const newRegistrationForm = z
  .object({ ...details, deploymentId: textField })
  .refine(
    ({ product, issuer, deploymentId }) =>
      deploymentId.trim() !== '' || ![product, findProductOfIssuer(issuer.trim()) ?? product].some(sharesClientId),
    { path: ['deploymentId'], message: 'deploymentNeeded' },
  )
  .transform(({ deploymentId, ...platform }) => ({
    platform: platform satisfies PlatformDetails,
    deploymentIds: deploymentId.trim() === '' ? [] : [deploymentId.trim()],
  }));

export const changedRegistrationForm = z
  .object({ ...details, version: versionField })
  .transform(({ version, ...platform }) => ({ version, platform: platform satisfies PlatformDetails }));

export function fillRegistrationProduct(product: LtiProduct, site: string): FormState {
  const accepts = sharesClientId(product) ? {} : { acceptsNewDeployments: 'on' };
  return fillForm({ product, ...accepts, ...findEndpoints(product, site) });
}

export function fillRegistrationForm(record: LtiRegistrationRecord): FormState {
  const { name, product, issuer, clientId, authorizationEndpoint, tokenEndpoint, jwksUri } = record;
  return fillForm({
    name,
    product,
    issuer,
    clientId,
    authorizationEndpoint,
    tokenEndpoint,
    jwksUri,
    version: String(record.version),
    tokenAudience: record.tokenAudience ?? '',
    ...(record.acceptsNewDeployments && { acceptsNewDeployments: 'on' }),
  });
}

/** Moves a deployment's problem to its field. A missing one unticks the box for new ones. */
export function showRegistrationProblem({ values, problems, ...form }: FormState): FormState {
  const { 'deploymentIds[0]': deploymentId, ...fieldProblems } = problems;
  if (deploymentId !== undefined) return { ...form, values, problems: { ...fieldProblems, deploymentId } };
  const isMissing = problems.deploymentId !== undefined;
  return { ...form, problems, values: isMissing ? { ...values, acceptsNewDeployments: '' } : values };
}

type Endpoints = Partial<Pick<PlatformDetails, 'issuer' | 'authorizationEndpoint' | 'tokenEndpoint' | 'jwksUri'>> & {
  readonly tokenAudience?: string;
};

/** The addresses of a product. @param site without a slash at the end; empty if unknown */
const endpoints: Readonly<Record<LtiProduct, (site: string) => Endpoints>> = {
  moodle: (site) => ({
    issuer: site,
    authorizationEndpoint: `${site}/mod/lti/auth.php`,
    tokenEndpoint: `${site}/mod/lti/token.php`,
    jwksUri: `${site}/mod/lti/certs.php`,
  }),
  canvas: findCanvasEndpoints,
  blackboard: () => ({
    issuer: 'https://blackboard.com',
    authorizationEndpoint: 'https://developer.blackboard.com/api/v1/gateway/oidcauth',
    tokenEndpoint: 'https://developer.blackboard.com/api/v1/gateway/oauth2/jwttoken',
  }),
  brightspace: (site) => ({
    issuer: site,
    authorizationEndpoint: `${site}/d2l/lti/authenticate`,
    tokenEndpoint: 'https://auth.brightspace.com/core/connect/token',
    tokenAudience: 'https://api.brightspace.com/auth/token',
    jwksUri: `${site}/d2l/.well-known/jwks`,
  }),
  sakai: (site) => ({
    issuer: site,
    authorizationEndpoint: `${site}/imsoidc/lti13/oidc_auth`,
    jwksUri: `${site}/imsblis/lti13/keyset`,
  }),
  generic: (site) => ({ issuer: site }),
};

/** Products whose addresses are the same everywhere. */
const siteless: readonly LtiProduct[] = ['canvas', 'blackboard'];

/** Finds the addresses of a product. @param typed address of the platform, as people write it
 *  @example findEndpoints('moodle', 'a.example/').issuer // 'https://a.example' */
function findEndpoints(product: LtiProduct, typed: string): Endpoints {
  const site = readRegistrationSite(typed);
  return site === '' && !siteless.includes(product) ? {} : endpoints[product](site);
}

/** Returns the details for Canvas: all schools share the addresses of a cloud environment. */
function findCanvasEndpoints(site: string): Endpoints {
  const [, environment = ''] = /\.(beta|test)\.instructure\.com$/.exec(site) ?? [];
  const part = environment === '' ? '' : `.${environment}`;
  const issuer = `https://canvas${part}.instructure.com`;
  const signIn = `https://sso${part}.canvaslms.com`;
  return {
    issuer,
    authorizationEndpoint: `${signIn}/api/lti/authorize_redirect`,
    tokenEndpoint: `${issuer}/login/oauth2/token`,
    jwksUri: `${signIn}/api/lti/security/jwks`,
  };
}

function readRegistrationSite(typed: string): string {
  const text = typed.trim();
  const url = text === '' || /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}
