import type { Languages } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type AdminRoute, page } from '../route.ts';
import { tenantListRoutes } from '../tenants/tenant-lists.ts';
import { registrationRoutes } from './registration.ts';
import { registrationEditRoutes } from './registration-edit.ts';
import { newRegistrationRoutes } from './registration-new.ts';

/** The platforms of every tenant one sees, new ones, and the pages of each. */
export function registrationsRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  return [
    ...tenantListRoutes(deps.tenants, {
      part: 'registrations',
      sorts: ['createdAt', 'name'],
      descending: true,
      find: (wanted) => deps.ltiRegistrations.listRegistrations(wanted),
      show: (registrations, list) => page('registrations', { ...list, registrations }),
    }),
    ...newRegistrationRoutes(deps, languages),
    ...registrationRoutes(deps, languages),
    ...registrationEditRoutes(deps, languages),
  ];
}
