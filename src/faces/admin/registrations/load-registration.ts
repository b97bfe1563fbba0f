import { AppError } from '../../../errors.ts';
import type { LtiRegistrationRecord, TenantRecord } from '../../../ports/store/store.ts';
import type { AdminFaceDeps } from '../deps.ts';
import type { SignedInContext } from '../route.ts';

export interface Loaded {
  readonly tenant: TenantRecord;
  readonly registration: LtiRegistrationRecord;
}

export type LoadRegistration = (context: Pick<SignedInContext, 'params'>) => Promise<Loaded>;

/** Find what `:tenantId` and `:registrationId` of a path name. Errors: TENANT_UNKNOWN; REGISTRATION_UNKNOWN for a
 *  registration of another tenant, too. */
export function createLoadRegistration({
  tenants,
  ltiRegistrations,
}: Pick<AdminFaceDeps, 'tenants' | 'ltiRegistrations'>): LoadRegistration {
  return async ({ params }) => {
    const tenant = await tenants.getTenant(params.tenantId!);
    const registration = await ltiRegistrations.getRegistration(params.registrationId!);
    if (registration.tenantId === tenant.id) return { tenant, registration };
    throw new AppError(
      'REGISTRATION_UNKNOWN',
      `${tenant.name} has no registration with the id ${registration.id}. Look at the list for those that there are.`,
    );
  };
}

export const registrationPath = ({ tenantId, id }: LtiRegistrationRecord): string =>
  `/tenants/${tenantId}/registrations/${id}`;
