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

/** Stores what a platform registered. An existing client is changed, and so is the replaced
 *  registration, whose old client can no longer launch. Errors: REGISTRATION_TAKEN where another
 *  tenant has the client; those of `LtiRegistrations`.
 *  @returns with `isSameTool` where the tool of the platform need not be switched on again */
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
    // A suggestion that nobody changed is not meant for a connection that has a name.
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

/** Registrations that a platform may have made: those of its issuer, unless that is shared. */
export async function findEarlierRegistrations(
  registrations: LtiRegistrations,
  { issuer, tenantId, traits }: { issuer: string; tenantId: string; traits: ProductTraits },
): Promise<LtiRegistrationRecord[]> {
  if (traits.sharesIssuer) return [];
  const all = await registrations.listRegistrationsOfIssuer(issuer);
  return all.filter((each) => each.tenantId === tenantId && each.origin !== 'demo');
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
  // An administrator may have decided about new deployments.
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
    // Where the platform names no deployment, the first launch does.
    acceptsNewDeployments: tool.deploymentId === null && !sharesClientId(traits.product),
  };
}

/** The account's name, else the site's address, numbered if taken: `school.example/moodle (2)`. */
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

/** Leaves room for a number. */
const MAX_SITE_LENGTH = MAX_NAME_LENGTH - 6;
