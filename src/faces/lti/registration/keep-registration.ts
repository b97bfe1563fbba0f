import type { ProductTraits } from '#domain/lti/products';
import { type PlatformDetails, sharesClientId } from '#domain/lti/registration';
import { cleanName, findNameProblem, MAX_NAME_LENGTH } from '#domain/text';
import { AppError } from '#errors';
import type { PlatformConfiguration, RegisteredTool } from '#ports/lti-platforms';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { LtiRegistrations } from '#services/courses/lti-registrations/lti-registrations';
import type { TenantLink } from '#services/tenants/tenant-links';

interface RegisteredPlatform {
  readonly link: TenantLink;
  readonly configuration: PlatformConfiguration;
  readonly traits: ProductTraits;
  readonly tool: RegisteredTool;
  readonly typedName: string | null;
  readonly replaces: string | null;
}

/** Stores the registration of a tool at a platform. It changes one of the same client, or
 *  the one an administrator replaces, whose old client can then no longer launch. In the result,
 *  `isSameTool` says that the tool need not be switched on again in the platform.
 *  Errors: REGISTRATION_TAKEN if another tenant has the client; those of `LtiRegistrations`. */
export async function keepRegistration(registrations: LtiRegistrations, platform: RegisteredPlatform) {
  const { link, configuration, tool, typedName } = platform;
  const { tenantId } = link;
  const existing = await registrations.findRegistrationOfClient(configuration.issuer, tool.clientId);
  if (existing !== null && existing.tenantId !== tenantId)
    throw new AppError(
      'REGISTRATION_TAKEN',
      `The client ${tool.clientId} of ${configuration.issuer} belongs to another tenant. Remove that registration first.`,
    );
  const suggestedName = await chooseRegistrationName(registrations, configuration, tenantId);
  const name = toRegistrationName(typedName) ?? suggestedName;
  const earlier = existing ?? (await findReplacedRegistration(registrations, platform));
  if (earlier !== null) {
    // An unchanged suggestion does not rename an existing registration.
    const details = toRegistrationDetails(platform, name === suggestedName ? earlier.name : name);
    const registration = await changeKeptRegistration(registrations, earlier, platform, details);
    return { registration, isNew: false, isSameTool: existing !== null };
  }
  const registration = await registrations.create(link.actor, {
    ...toRegistrationDetails(platform, name),
    tenantId,
    origin: 'dynamic',
    deploymentIds: tool.deploymentId === null ? [] : [tool.deploymentId],
  });
  return { registration, isNew: true, isSameTool: false };
}

/** Lists registrations that a platform may have made: by its issuer, unless platforms share it. */
export async function findEarlierRegistrations(
  registrations: LtiRegistrations,
  { issuer, tenantId, traits }: { issuer: string; tenantId: string; traits: ProductTraits },
): Promise<LtiRegistrationRecord[]> {
  if (traits.sharesIssuer) return [];
  const ofIssuer = await registrations.listRegistrationsOfIssuer(issuer);
  return ofIssuer.filter((registration) => registration.tenantId === tenantId && registration.origin !== 'demo');
}

async function findReplacedRegistration(
  registrations: LtiRegistrations,
  { link: { tenantId }, configuration: { issuer }, traits, replaces }: RegisteredPlatform,
): Promise<LtiRegistrationRecord | null> {
  if (replaces === null) return null;
  const earlier = await findEarlierRegistrations(registrations, { issuer, tenantId, traits });
  return earlier.find(({ id }) => id === replaces) ?? null;
}

async function changeKeptRegistration(
  registrations: LtiRegistrations,
  { id, version, status, acceptsNewDeployments }: LtiRegistrationRecord,
  { link, tool }: RegisteredPlatform,
  details: PlatformDetails,
): Promise<LtiRegistrationRecord> {
  // Keeps what an administrator may have decided about new deployments.
  const change = { ...details, acceptsNewDeployments };
  const registration = await registrations.change(link.actor, id, version, change);
  if (tool.deploymentId !== null) await registrations.addDeployment(link.actor, id, tool.deploymentId);
  if (status === 'active') return registration;
  await registrations.activate(link.actor, id);
  return registrations.getRegistration(id);
}

function toRegistrationDetails({ configuration, traits, tool }: RegisteredPlatform, name: string): PlatformDetails {
  return {
    issuer: configuration.issuer,
    clientId: tool.clientId,
    name,
    product: traits.product,
    authorizationEndpoint: configuration.authorizationEndpoint,
    tokenEndpoint: configuration.tokenEndpoint,
    tokenAudience: configuration.tokenAudience ?? traits.tokenAudience,
    jwksUri: configuration.jwksUri,
    // If the platform names no deployment, the first launch does.
    acceptsNewDeployments: tool.deploymentId === null && !sharesClientId(traits.product),
  };
}

/** Returns the account's name, else the site's address, numbered if taken: `school.example (2)`. */
export async function chooseRegistrationName(
  registrations: Pick<LtiRegistrations, 'listRegistrations'>,
  { account, issuer }: PlatformConfiguration,
  tenantId: string,
): Promise<string> {
  const { host, pathname } = new URL(issuer);
  const site = (host + pathname.replace(/\/+$/, '')).slice(0, MAX_SITE_LENGTH);
  const name = toRegistrationName(account) ?? site;
  const request = { page: 0, pageSize: 100, sort: 'name', descending: false } as const;
  const { items } = await registrations.listRegistrations({ ...request, scope: [tenantId], search: name });
  const taken = new Set(items.map((registration) => registration.name));
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name} (${number})`;
    if (!taken.has(numbered)) return numbered;
  }
}

function toRegistrationName(text: string | null): string | null {
  const name = cleanName(text ?? '');
  return findNameProblem(name) === null ? name : null;
}

/** Leaves room for ` (999)`. */
const MAX_SITE_LENGTH = MAX_NAME_LENGTH - 6;
