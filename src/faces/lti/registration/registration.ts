import { cleanName, findNameProblem, MAX_NAME_LENGTH } from '#domain/text';
import { AppError, type ErrorCode } from '#errors';
import { toHttpStatus } from '#faces/http-status';
import type { Translate } from '#faces/words/i18n';
import type { TenantRecord } from '#ports/store/store';
import type { LtiRegistrations } from '#services/courses/lti-registrations/lti-registrations';
import type { TenantLink } from '#services/tenants/tenant-links';
import type { LtiFaceDeps } from '../deps.ts';
import { anyFramer } from '../frame.ts';
import type { ProductTraits } from '../products/product.ts';
import { getProductTraits, recogniseProduct } from '../products/products.ts';
import { type LtiContext, type LtiReply, type LtiRoute, makePage } from '../route.ts';
import { getToolAddresses, getToolIcon } from '../tool-addresses.ts';
import { describeRequestToConfirm, openConfirmationDraft, sealConfirmationDraft } from './confirmation.ts';
import { findEarlierRegistrations, keepRegistration } from './keep-registration.ts';
import { fetchConfiguration, type PlatformConfiguration } from './platform-configuration.ts';
import { registerTool } from './register-tool.ts';
import { DEEP_LINKING, describeTool, toolParameters, toolScopes } from './tool-registration.ts';

// LTI Dynamic Registration, https://www.imsglobal.org/spec/lti-dr/v1p0: 1. An administrator of a
// tenant makes a link on the admin page and pastes it into the platform. 2. The platform opens it
// in a frame, with the address of its configuration and a token of its own (GET). 3. We fetch the
// configuration and show in words what would be registered. 4. When the administrator confirms
// (POST), we register the tool at the platform, keep what it answers, and use the link up. 5. The
// page says what is left to do there, and tells the platform that it may close the frame.

/** Errors of services that may end a registration, as keys below `register.failures`. */
const reasons: Partial<Record<ErrorCode, string>> = {
  LINK_INVALID: 'link',
  REGISTRATION_TAKEN: 'taken',
  REGISTRATIONS_FULL: 'full',
  TENANT_UNKNOWN: 'tenant',
  TENANT_DISABLED: 'tenant',
};

const script = 'lti/register';
const style = 'lti-register';

export function createRegistrationRoutes(deps: LtiFaceDeps): LtiRoute[] {
  const { registrations, registrationLinks, outbound, keyring, tenants, publicUrl } = deps;

  /** Errors: TENANT_UNKNOWN, TENANT_DISABLED. */
  async function getTenant({ tenantId }: TenantLink): Promise<TenantRecord> {
    const tenant = await tenants.getTenant(tenantId);
    if (tenant.status === 'active') return tenant;
    throw new AppError('TENANT_DISABLED', `${tenant.name} is disabled. Ask an owner to enable it again.`);
  }

  async function show(context: LtiContext): Promise<LtiReply> {
    const { query } = context;
    const token = query.get('token') ?? '';
    const link = await registrationLinks.getLink(token);
    const tenant = await getTenant(link);
    const url = query.get('openid_configuration') ?? '';
    if (url === '') return makePage('register-opened', { tenant, style, expiresAt: link.expiresAt });
    const registrationToken = query.get('registration_token') || null;
    const configuration = await fetchConfiguration(outbound, url, registrationToken);
    const traits = recogniseProduct(configuration);
    const { issuer } = configuration;
    const earlier = await findEarlierRegistrations(registrations, { issuer, tenantId: tenant.id, traits });
    const model = {
      token,
      draft: sealConfirmationDraft(keyring, { configuration, registrationToken }, token),
      configuration,
      tenant,
      earlier,
      product: traits.name,
      name: await chooseConnectionName(registrations, configuration, tenant.id),
      ...describeRequestToConfirm(configuration),
    };
    return makePage('register', { ...model, script, style }, { frameAncestors: listFramers(issuer, traits) });
  }

  async function register({ form, t }: LtiContext): Promise<LtiReply> {
    const token = form.get('token') ?? '';
    const { configuration, registrationToken } = openConfirmationDraft(
      keyring,
      form.get('draft') ?? '',
      token,
    );
    const traits = recogniseProduct(configuration);
    const typed = readConnectionName(form.get('name'));
    const replaces = form.get('replaces') || null;
    const kept = await registrationLinks.use(token, async (link) => {
      const tenant = await getTenant(link);
      const words = {
        name: tenant.branding.title ?? 'Skilldock',
        description: t('register.tool.description'),
        label: t('register.tool.label'),
      };
      const tool = await registerTool(
        outbound,
        { url: configuration.registrationEndpoint, token: registrationToken },
        describeTool({ configuration, traits, publicUrl, words }),
      );
      const suggested = await chooseConnectionName(registrations, configuration, tenant.id);
      // A name that nobody changed is not meant for a connection that has one.
      const names = { suggested, typed: typed === suggested ? null : typed };
      return keepRegistration(registrations, { link, configuration, traits, tool, names, replaces });
    });
    const { name: product, registration } = traits;
    const next = { next: traits.product, product, forgetsUsage: registration.forgetsUsage };
    const model = { ...kept, ...next, script, style };
    const frameAncestors = listFramers(configuration.issuer, traits);
    return makePage('register-done', model, { frameAncestors });
  }

  return [
    { method: 'get', path: '/register', access: 'platform', handle: orFailurePage(show) },
    { method: 'post', path: '/register', access: 'platform', handle: orFailurePage(register) },
    {
      method: 'get',
      path: '/config/canvas.json',
      access: 'platform',
      // Never cached: it is in the language of the request.
      handle: ({ t }) => ({ kind: 'json', body: describeToolForCanvas(publicUrl, t) }),
    },
  ];
}

/** Turns errors into a page that says what to do, which also shows in the frame of a platform. */
function orFailurePage(handle: (context: LtiContext) => Promise<LtiReply>) {
  return async (context: LtiContext): Promise<LtiReply> => {
    try {
      return await handle(context);
    } catch (error) {
      return toFailurePage(error);
    }
  };
}

/** The pages of a platform are where its issuer is, but for products whose schools have domains of
 *  their own. */
function listFramers(issuer: string, { sharesIssuer }: ProductTraits): readonly string[] {
  return sharesIssuer ? anyFramer : [new URL(issuer).origin];
}

/** What went wrong, why, and what to do. Rethrows other errors. */
function toFailurePage(error: unknown): LtiReply {
  if (!(error instanceof AppError)) throw error;
  const reason = error.code === 'REGISTRATION_FAILED' ? String(error.data.reason) : reasons[error.code];
  if (reason === undefined) throw error;
  const { host = '', status = '', detail = '' } = error.data;
  const model = { reason, host, httpStatus: status, detail, script, style };
  return makePage('register-failed', model, { status: toHttpStatus(error) });
}

/** What administrators typed; null where it cannot be a name. */
function readConnectionName(typed: string | null): string | null {
  const name = cleanName(typed ?? '');
  return findNameProblem(name) === null ? name : null;
}

/** What a connection is called until somebody names it: the site's title, else its address with its
 *  path, as several sites may be below one host. Numbered where the tenant has a connection of that
 *  name.
 *  @example 'learn.school.example/moodle (2)' */
async function chooseConnectionName(
  registrations: Pick<LtiRegistrations, 'listRegistrations'>,
  { account, issuer }: PlatformConfiguration,
  tenantId: string,
): Promise<string> {
  const name = readConnectionName(account) ?? describeSite(issuer);
  const request = { page: 0, pageSize: 100, sort: 'name', descending: false } as const;
  const { items } = await registrations.listRegistrations({ ...request, scope: [tenantId], search: name });
  const taken = new Set(items.map((registration) => registration.name));
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name} (${number})`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** Room for a number. */
const MAX_SITE_LENGTH = MAX_NAME_LENGTH - 6;

function describeSite(issuer: string): string {
  const { host, pathname } = new URL(issuer);
  return (host + pathname.replace(/\/+$/, '')).slice(0, MAX_SITE_LENGTH);
}

/** Of the picker's frame, in pixels. */
const SELECTION = { selection_width: 900, selection_height: 700 } as const;

/** The tool for the Developer Keys of Canvas, by its address or pasted.
 *  Source: https://canvas.instructure.com/doc/api/file.lti_dev_key_config.html */
function describeToolForCanvas(publicUrl: string, t: Translate) {
  const { login, launch, keys, domain } = getToolAddresses(publicUrl);
  const traits = getProductTraits('canvas');
  const icon = getToolIcon(publicUrl, traits);
  const text = t('register.tool.label');
  const placements = traits.registration.placements.deepLinking.map((placement) => ({
    placement,
    enabled: true,
    message_type: DEEP_LINKING,
    target_link_uri: launch,
    text,
    icon_url: icon,
    ...SELECTION,
  }));
  return {
    title: 'Skilldock',
    description: t('register.tool.description'),
    oidc_initiation_url: login,
    target_link_uri: launch,
    redirect_uris: [launch],
    public_jwk_url: keys,
    scopes: Object.values(toolScopes).flat(),
    custom_fields: toolParameters,
    extensions: [
      {
        platform: 'canvas.instructure.com',
        domain,
        tool_id: 'skilldock',
        privacy_level: 'name_only',
        settings: { text, icon_url: icon, ...SELECTION, placements },
      },
    ],
  };
}
