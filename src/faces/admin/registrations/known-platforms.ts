import type { LtiProduct, PlatformDetails } from '#domain/lti/registration';

type Known = Partial<
  Pick<PlatformDetails, 'issuer' | 'authorizationEndpoint' | 'tokenEndpoint' | 'jwksUri'>
> & {
  readonly tokenAudience?: string;
};

/** What is the same for every platform of a product, or follows from its address; administrators fill in the rest.
 *  @param site without a slash at the end; empty where it was not given */
const known: Readonly<Record<LtiProduct, (site: string) => Known>> = {
  moodle: (site) => ({
    issuer: site,
    authorizationEndpoint: `${site}/mod/lti/auth.php`,
    tokenEndpoint: `${site}/mod/lti/token.php`,
    jwksUri: `${site}/mod/lti/certs.php`,
  }),
  canvas: knownCanvas,
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

/** The fields of the form that we know already.
 *  @param typed address of the platform, as people write it
 *  @example findKnownDetails('moodle', 'moodle.school.example/').issuer // 'https://moodle.school.example' */
export function findKnownDetails(product: LtiProduct, typed: string): Known {
  const site = readSite(typed);
  return site === '' && !siteless.includes(product) ? {} : known[product](site);
}

/** The cloud's environments have addresses of their own, which all schools share. */
function knownCanvas(site: string): Known {
  const [, environment = ''] = /\.(beta|test)\.instructure\.com$/.exec(site) ?? [];
  const part = environment === '' ? '' : `.${environment}`;
  const [issuer, signIn] = [`https://canvas${part}.instructure.com`, `https://sso${part}.canvaslms.com`];
  return {
    issuer,
    authorizationEndpoint: `${signIn}/api/lti/authorize_redirect`,
    tokenEndpoint: `${issuer}/login/oauth2/token`,
    jwksUri: `${signIn}/api/lti/security/jwks`,
  };
}

function readSite(typed: string): string {
  const text = typed.trim();
  const url = text === '' || /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}
