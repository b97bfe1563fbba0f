import type { Launch } from '#domain/lti/launch';
import { AppError, hasErrorCode } from '#errors';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { LtiFaceDeps } from '../deps.ts';

type Registrations = LtiFaceDeps['registrations'];

/** Gets the registration for a login. Its tenant is checked at the launch.
 *  @param clientId null if the platform did not send it; its issuer must then have one registration
 *  Errors: LTI_PLATFORM_UNKNOWN, LTI_CLIENT_AMBIGUOUS, LTI_REGISTRATION_INACTIVE. */
export async function getRegistrationForLogin(
  registrations: Registrations,
  issuer: string,
  clientId: string | null,
): Promise<LtiRegistrationRecord> {
  const registration =
    clientId === null
      ? await findOnlyRegistration(registrations, issuer)
      : await registrations.findRegistrationOfClient(issuer, clientId);
  if (registration === null) throw createPlatformUnknownError({ issuer, ...(clientId !== null && { clientId }) });
  requireActiveRegistration(registration);
  return registration;
}

/** Finds the only active registration, else an inactive one. Errors: LTI_CLIENT_AMBIGUOUS. */
async function findOnlyRegistration(registrations: Registrations, issuer: string) {
  const ofIssuer = await registrations.listRegistrationsOfIssuer(issuer);
  const active = ofIssuer.filter(({ status }) => status === 'active');
  if (active.length > 1)
    throw new AppError(
      'LTI_CLIENT_AMBIGUOUS',
      'Several registrations are of this platform, and it does not say which one is meant (client_id).',
      { data: { facts: { issuer } } },
    );
  return active[0] ?? ofIssuer[0] ?? null;
}

/** Errors: LTI_PLATFORM_UNKNOWN, LTI_REGISTRATION_INACTIVE, LTI_TENANT_DISABLED. */
export async function getRegistrationForLaunch(
  { registrations, tenants }: Pick<LtiFaceDeps, 'registrations' | 'tenants'>,
  id: string,
): Promise<LtiRegistrationRecord> {
  const registration = await getRegistration(registrations, id);
  requireActiveRegistration(registration);
  if ((await tenants.findTenant(registration.tenantId))?.status !== 'active')
    throw new AppError('LTI_TENANT_DISABLED', 'The institution of this platform is disabled on this host.', {
      data: { innerFacts: toFacts(registration) },
    });
  return registration;
}

/** Errors: LTI_PLATFORM_UNKNOWN. */
export async function getRegistration(registrations: Registrations, id: string): Promise<LtiRegistrationRecord> {
  return registrations.getRegistration(id).catch((error: unknown) => {
    throw hasErrorCode(error, 'REGISTRATION_UNKNOWN') ? createPlatformUnknownError({}) : error;
  });
}

function requireActiveRegistration(registration: LtiRegistrationRecord): void {
  if (registration.status !== 'active')
    throw new AppError('LTI_REGISTRATION_INACTIVE', 'The registration of this platform is turned off.', {
      data: { innerFacts: toFacts(registration) },
    });
}

/** Returns facts for administrators only, as anybody can have sent an unverified request. */
const toFacts = ({ name, issuer, clientId }: LtiRegistrationRecord) => ({ registration: name, issuer, clientId });

export function createPlatformUnknownError(facts: Readonly<Record<string, string>>): AppError {
  const message = 'No platform is registered here with this issuer and client id.';
  return new AppError('LTI_PLATFORM_UNKNOWN', message, { data: { facts } });
}

export function createDeploymentUnknownError(launch: Launch, isFull = false): AppError {
  const { role, isAdministrator, deploymentId, issuer, clientId } = launch;
  const message = 'The tool is installed at this place of the platform, but this installation is not known here.';
  const facts = { issuer, clientId, deploymentId, ...(isFull && { full: '1,000' }) };
  return new AppError('LTI_DEPLOYMENT_UNKNOWN', message, { data: { role, isAdministrator, facts } });
}
