import type { Languages } from '../words/i18n.ts';
import { adminRoutes } from './admins/admin.ts';
import { adminInviteRoutes, adminsRoutes } from './admins/admins.ts';
import { auditRoutes } from './audit/audit.ts';
import { brokenLinksRoutes, catalogueRoutes } from './catalogue.ts';
import { tenantDefaultsRoutes } from './defaults/defaults.ts';
import type { AdminFaceDeps } from './deps.ts';
import { feedbackRoutes } from './feedback/feedback.ts';
import { feedbackEraseRoutes } from './feedback/feedback-erase.ts';
import { tenantFeedbackRoutes } from './feedback/feedback-settings.ts';
import { importNewRoutes } from './imports/import-new.ts';
import { importRoutes, importsRoutes } from './imports/imports.ts';
import { keysRoutes, tenantKeysRoutes } from './keys/keys.ts';
import { overviewRoutes } from './overview/overview.ts';
import { registrationDeploymentsRoutes, registrationRoutes } from './registrations/registration.ts';
import { registrationEditRoutes, registrationStatusRoutes } from './registrations/registration-edit.ts';
import { registrationNewRoutes } from './registrations/registration-new.ts';
import { registrationsRoutes } from './registrations/registrations.ts';
import type { AdminRoute } from './route.ts';
import { accountRoutes } from './sign-in/account.ts';
import { linkRoutes } from './sign-in/link.ts';
import { oidcRoutes } from './sign-in/oidc.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { systemRoutes } from './system.ts';
import { tenantBrandingRoutes } from './tenants/tenant-branding.ts';
import { tenantStatusRoutes } from './tenants/tenant-status.ts';
import { tenantRoutes, tenantsRoutes } from './tenants/tenants.ts';
import { tenantUpstreamRoutes } from './upstream/upstream.ts';
import { slackAppRoutes } from './workspaces/slack-app.ts';
import { workspaceRoutes } from './workspaces/workspace.ts';
import { workspaceNewRoutes, workspacesRoutes } from './workspaces/workspaces.ts';

/** Every route of the admin page. A fixed path comes before one with a parameter in the same place. */
export function createRoutes(deps: AdminFaceDeps, languages: Languages): readonly AdminRoute[] {
  return [
    ...signInRoutes(deps, languages),
    ...linkRoutes(deps, languages),
    ...oidcRoutes(deps, languages),
    ...accountRoutes(deps, languages),
    ...adminsRoutes(deps),
    ...adminInviteRoutes(deps, languages),
    ...adminRoutes(deps, languages),
    ...auditRoutes(deps, languages),
    ...systemRoutes(deps),
    ...overviewRoutes(deps),
    ...feedbackRoutes(deps),
    ...feedbackEraseRoutes(deps),
    ...catalogueRoutes(deps),
    ...importsRoutes(deps),
    ...importNewRoutes(deps, languages),
    ...importRoutes(deps),
    ...brokenLinksRoutes(deps),
    ...tenantsRoutes(deps, languages),
    ...tenantRoutes(deps),
    ...tenantUpstreamRoutes(deps, languages),
    ...tenantDefaultsRoutes(deps, languages),
    ...tenantBrandingRoutes(deps, languages),
    ...tenantFeedbackRoutes(deps, languages),
    ...tenantStatusRoutes(deps),
    ...keysRoutes(deps),
    ...tenantKeysRoutes(deps),
    ...registrationsRoutes(deps),
    ...registrationNewRoutes(deps, languages),
    ...registrationRoutes(deps),
    ...registrationEditRoutes(deps, languages),
    ...registrationStatusRoutes(deps),
    ...registrationDeploymentsRoutes(deps, languages),
    ...workspacesRoutes(deps),
    ...workspaceNewRoutes(deps),
    ...workspaceRoutes(deps),
    ...slackAppRoutes(deps, languages),
  ];
}
