/** LTI Dynamic Registration 1.0, https://www.imsglobal.org/spec/lti-dr/v1p0.
 *  1. An administrator of a tenant creates a link on the admin page and pastes it into the
 *     platform.
 *  2. The platform opens it in a frame, with the address of its configuration and a registration
 *     token (GET).
 *  3. The configuration is fetched, and a page describes in words what would be registered.
 *  4. When the administrator confirms (POST), the tool is registered at the platform, the answer is
 *     stored, and the link is used up.
 *  5. A page says what is left to do, and tells the platform that it may close the frame. */
import { decodeJwt } from 'jose';
import { type ProductTraits, recogniseProduct } from '#domain/lti/products';
import { AppError, type ErrorCode } from '#errors';
import { toHttpStatus } from '#faces/app-errors';
import type { PlatformConfiguration } from '#ports/lti-platforms';
import type { LtiRegistrationRecord, TenantRecord } from '#ports/store/store';
import type { Keyring } from '#services/host/keyring';
import type { TenantLink } from '#services/tenants/tenant-links';
import type { LtiFaceDeps } from '../deps.ts';
import { anyFramer } from '../frame.ts';
import { type LtiContext, type LtiReply, type LtiRoute, makeLtiPage } from '../route.ts';
import { chooseRegistrationName, findEarlierRegistrations, keepRegistration } from './keep-registration.ts';
import {
  DEEP_LINKING,
  describeToolForCanvas,
  describeToolRegistration,
  listToolScopes,
  sendsToolMessage,
  toolScopes,
} from './tool-registration.ts';

/** Keys of `register.failures` for errors of services that end a registration. */
const failureReasons: Partial<Record<ErrorCode, string>> = {
  LINK_INVALID: 'link',
  REGISTRATION_TAKEN: 'taken',
  REGISTRATIONS_FULL: 'full',
  TENANT_UNKNOWN: 'tenant',
  TENANT_DISABLED: 'tenant',
};

const script = 'lti/register';
const style = 'lti-register';

export const registrationRoutes: readonly LtiRoute[] = [
  { method: 'get', path: '/register', access: 'platform', handle: withRegistrationFailure(showRegistrationQuestion) },
  { method: 'post', path: '/register', access: 'platform', handle: withRegistrationFailure(answerRegistration) },
  {
    method: 'get',
    path: '/config/canvas.json',
    access: 'platform',
    // Without `maxAgeSeconds`, as the texts are in the language of the request.
    handle: ({ publicUrl }, { t }) => ({ kind: 'json', body: describeToolForCanvas(publicUrl, t) }),
  },
];

function withRegistrationFailure(handle: (deps: LtiFaceDeps, context: LtiContext) => Promise<LtiReply>) {
  return (deps: LtiFaceDeps, context: LtiContext) => handle(deps, context).catch(toRegistrationFailure);
}

async function showRegistrationQuestion(deps: LtiFaceDeps, { query }: LtiContext): Promise<LtiReply> {
  const { registrations, ltiRegistrationLinks, platforms, keyring } = deps;
  const token = query.get('token') ?? '';
  const link = await ltiRegistrationLinks.getLink(token);
  const tenant = await getRegistrationTenant(deps, link);
  const url = query.get('openid_configuration') ?? '';
  if (url === '') return makeLtiPage('register-opened', { tenant, style, expiresAt: link.expiresAt });
  const registrationToken = query.get('registration_token') || null;
  const configuration = await platforms.fetchConfiguration(url, registrationToken);
  const traits = recogniseProduct(configuration);
  const { issuer } = configuration;
  const earlier = await findEarlierRegistrations(registrations, { issuer, tenantId: tenant.id, traits });
  const isUpdate = earlier.length > 0 && isRegistrationUpdate(registrationToken);
  const suggestedName = await chooseRegistrationName(registrations, configuration, tenant.id);
  const model = {
    token,
    // Sealed for its link, so that the confirmed configuration is used without a second fetch.
    draft: keyring.seal(JSON.stringify({ configuration, registrationToken } satisfies Draft), toSealContext(token)),
    configuration,
    tenant,
    earlier,
    isUpdate,
    product: traits.name,
    name: isUpdate ? findUpdatedName(earlier) : suggestedName,
    ...describePermissions(configuration),
    script,
    style,
  };
  return makeLtiPage('register', model, { frameAncestors: listRegistrationFramers(issuer, traits) });
}

/** Names the updated registration; null for several, as the page cannot tell which one it is. */
const findUpdatedName = (earlier: readonly LtiRegistrationRecord[]): string | null =>
  earlier.length === 1 ? (earlier[0]?.name ?? null) : null;

/** Tells whether the platform updates an existing tool, as Moodle's token says. It is not verified,
 *  as it only decides what the page offers.
 *  https://github.com/moodle/moodle/blob/main/mod/lti/startltiadvregistration.php */
function isRegistrationUpdate(registrationToken: string | null): boolean {
  try {
    return decodeJwt(registrationToken ?? '').scope === 'reg-update';
  } catch {
    return false;
  }
}

async function answerRegistration(deps: LtiFaceDeps, { form, t }: LtiContext): Promise<LtiReply> {
  const { registrations, ltiRegistrationLinks, platforms, keyring, publicUrl } = deps;
  const token = form.get('token') ?? '';
  const { configuration, registrationToken } = openRegistrationDraft(keyring, form.get('draft') ?? '', token);
  const traits = recogniseProduct(configuration);
  const outcome = await ltiRegistrationLinks.use(token, async (link) => {
    const tenant = await getRegistrationTenant(deps, link);
    const words = {
      name: tenant.branding.title ?? 'Skilldock',
      description: t('register.tool.description'),
      label: t('register.tool.label'),
    };
    const tool = await platforms.registerTool(
      { url: configuration.registrationEndpoint, token: registrationToken },
      describeToolRegistration({ configuration, traits, publicUrl, words }),
    );
    const typedName = form.get('name');
    const replaces = form.get('replaces') || null;
    return keepRegistration(registrations, { link, configuration, traits, tool, typedName, replaces });
  });
  const { product: next, name: product, registration } = traits;
  const model = { ...outcome, next, product, forgetsUsage: registration.forgetsUsage, script, style };
  const frameAncestors = listRegistrationFramers(configuration.issuer, traits);
  return makeLtiPage('register-done', model, { frameAncestors });
}

async function getRegistrationTenant({ tenants }: LtiFaceDeps, { tenantId }: TenantLink): Promise<TenantRecord> {
  const tenant = await tenants.getTenant(tenantId);
  if (tenant.status === 'active') return tenant;
  throw new AppError('TENANT_DISABLED', `${tenant.name} is disabled. Ask an owner to enable it again.`);
}

/** Makes a page of an error that ends a registration. Rethrows other errors. */
function toRegistrationFailure(error: unknown): LtiReply {
  if (!(error instanceof AppError)) throw error;
  const reason = error.code === 'REGISTRATION_FAILED' ? String(error.data.reason) : failureReasons[error.code];
  if (reason === undefined) throw error;
  const { host = '', status = '', detail = '' } = error.data;
  const model = { reason, host, httpStatus: status, detail, script, style };
  return makeLtiPage('register-failed', model, { status: toHttpStatus(error) });
}

/** Lists the origins of a platform's pages: its issuer, or, for a shared issuer, any site. */
const listRegistrationFramers = (issuer: string, { sharesIssuer }: ProductTraits): readonly string[] =>
  sharesIssuer ? anyFramer : [new URL(issuer).origin];

/** Describes what people can do and which data are shared: keys of `register.*`. */
function describePermissions(configuration: PlatformConfiguration) {
  const scopes = listToolScopes(configuration);
  const offered = {
    choose: sendsToolMessage(configuration, DEEP_LINKING),
    score: scopes.includes(toolScopes.scores[0]),
    members: scopes.includes(toolScopes.members[0]),
  };
  const names = ['choose', 'score', 'members'] as const;
  return {
    can: ['open', ...names.filter((name) => offered[name])],
    cannot: names.filter((name) => !offered[name]),
    data: ['person', 'role', 'course', ...(offered.members ? ['members'] : [])],
  };
}

interface Draft {
  readonly configuration: PlatformConfiguration;
  readonly registrationToken: string | null;
}

/** Errors: REGISTRATION_FAILED for a draft of another link. */
function openRegistrationDraft(keyring: Keyring, sealed: string, linkToken: string): Draft {
  try {
    return JSON.parse(keyring.open(sealed, toSealContext(linkToken)));
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    const message = 'The platform could not be registered (form). Begin again in the platform with the same link.';
    throw new AppError('REGISTRATION_FAILED', message, { cause, data: { reason: 'form' } });
  }
}

const toSealContext = (linkToken: string) => `registration of a platform through ${linkToken}`;
