import { type PlatformDetails, sharesClientId } from '#domain/lti/registration';
import { AppError } from '#errors';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { LtiRegistrations } from '#services/courses/lti-registrations/lti-registrations';
import type { TenantLink } from '#services/tenants/tenant-links';
import type { ProductTraits } from '../products/product.ts';
import type { PlatformConfiguration } from './platform-configuration.ts';
import type { RegisteredTool } from './register-tool.ts';

/** The outcome. */
export interface Kept {
  readonly registration: LtiRegistrationRecord;
  readonly isNew: boolean;
  /** Whether the platform has the tool that it had: it need not be switched on again. */
  readonly isSameTool: boolean;
}

export interface RegisteredPlatform {
  readonly link: TenantLink;
  readonly configuration: PlatformConfiguration;
  readonly traits: ProductTraits;
  readonly tool: RegisteredTool;
  /** Of a new connection, and of one that is changed: null leaves its name. */
  readonly names: { readonly suggested: string; readonly typed: string | null };
  /** Id of the registration that it replaces. Null for a new one, unless its client is known. */
  readonly replaces: string | null;
}

/** Registrations that a platform may have made before: those of its issuer, where that identifies
 *  one platform. */
export async function findEarlierRegistrations(
  registrations: LtiRegistrations,
  { issuer, tenantId, traits }: { issuer: string; tenantId: string; traits: ProductTraits },
): Promise<LtiRegistrationRecord[]> {
  if (traits.sharesIssuer) return [];
  const all = await registrations.listRegistrationsOfIssuer(issuer);
  return all.filter((each) => each.tenantId === tenantId && each.origin !== 'demo');
}

/** Keep what a platform has registered. A known client is changed, and so is the registration that
 *  it replaces, whose old client can no longer launch. Errors: REGISTRATION_TAKEN where another
 *  tenant has it, those of `LtiRegistrations`. */
export async function keepRegistration(
  registrations: LtiRegistrations,
  platform: RegisteredPlatform,
): Promise<Kept> {
  const { link, configuration, tool } = platform;
  const known = await registrations.findRegistrationOfClient(configuration.issuer, tool.clientId);
  if (known !== null && known.tenantId !== link.tenantId)
    throw new AppError(
      'REGISTRATION_TAKEN',
      `The client ${tool.clientId} of ${configuration.issuer} belongs to another tenant. Remove that registration first.`,
    );
  const earlier = known ?? (await findReplaced(registrations, platform));
  if (earlier !== null)
    return {
      registration: await changeEarlier(registrations, earlier, platform),
      isNew: false,
      isSameTool: known !== null,
    };
  const registration = await registrations.create(link.actor, {
    ...toDetails(platform, platform.names.suggested),
    tenantId: link.tenantId,
    origin: 'dynamic',
    deploymentIds: tool.deploymentId === null ? [] : [tool.deploymentId],
  });
  return { registration, isNew: true, isSameTool: false };
}

async function findReplaced(
  registrations: LtiRegistrations,
  { link, configuration, traits, replaces }: RegisteredPlatform,
): Promise<LtiRegistrationRecord | null> {
  if (replaces === null) return null;
  const { tenantId } = link;
  const earlier = await findEarlierRegistrations(registrations, {
    issuer: configuration.issuer,
    tenantId,
    traits,
  });
  return earlier.find(({ id }) => id === replaces) ?? null;
}

async function changeEarlier(
  registrations: LtiRegistrations,
  earlier: LtiRegistrationRecord,
  platform: RegisteredPlatform,
): Promise<LtiRegistrationRecord> {
  const { id, version, status } = earlier;
  const { link, tool } = platform;
  // What an administrator has decided since then stays.
  const details = {
    ...toDetails(platform, earlier.name),
    acceptsNewDeployments: earlier.acceptsNewDeployments,
  };
  const changed = await registrations.change(link.actor, id, version, details);
  if (tool.deploymentId !== null) await registrations.addDeployment(link.actor, id, tool.deploymentId);
  if (status === 'active') return changed;
  await registrations.activate(link.actor, id);
  return registrations.getRegistration(id);
}

function toDetails(
  { configuration, traits, tool, names }: RegisteredPlatform,
  usualName: string,
): PlatformDetails {
  return {
    issuer: configuration.issuer,
    clientId: tool.clientId,
    name: names.typed ?? usualName,
    product: traits.product,
    authorizationEndpoint: configuration.authorizationEndpoint,
    tokenEndpoint: configuration.tokenEndpoint,
    tokenAudience: configuration.tokenAudience ?? traits.tokenAudience,
    jwksUri: configuration.jwksUri,
    // A platform that names a deployment means that one; otherwise the first launch names it.
    acceptsNewDeployments: tool.deploymentId === null && !sharesClientId(traits.product),
  };
}
