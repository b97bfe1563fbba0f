import type { Languages } from '../words/i18n.ts';
import type { AdminFaceDeps } from './deps.ts';
import { accountRoutes } from './pages/account.ts';
import { adminRoutes } from './pages/admin.ts';
import { adminInviteRoutes } from './pages/admin-invite.ts';
import { adminsRoutes } from './pages/admins.ts';
import { auditRoutes } from './pages/audit.ts';
import { brokenLinksRoutes } from './pages/broken-links.ts';
import { catalogueRoutes } from './pages/catalogue.ts';
import { feedbackRoutes } from './pages/feedback.ts';
import { feedbackEraseRoutes } from './pages/feedback-erase.ts';
import { importRoutes } from './pages/import.ts';
import { importNewRoutes } from './pages/import-new.ts';
import { importsRoutes } from './pages/imports.ts';
import { keysRoutes } from './pages/keys.ts';
import { linkRoutes } from './pages/link.ts';
import { oidcRoutes } from './pages/oidc.ts';
import { overviewRoutes } from './pages/overview.ts';
import { registrationRoutes } from './pages/registration.ts';
import { registrationDeploymentsRoutes } from './pages/registration-deployments.ts';
import { registrationEditRoutes } from './pages/registration-edit.ts';
import { registrationNewRoutes } from './pages/registration-new.ts';
import { registrationStatusRoutes } from './pages/registration-status.ts';
import { registrationsRoutes } from './pages/registrations.ts';
import { signInRoutes } from './pages/sign-in.ts';
import { slackAppRoutes } from './pages/slack-app.ts';
import { systemRoutes } from './pages/system.ts';
import { tenantRoutes } from './pages/tenant.ts';
import { tenantBrandingRoutes } from './pages/tenant-branding.ts';
import { tenantDefaultsRoutes } from './pages/tenant-defaults.ts';
import { tenantFeedbackRoutes } from './pages/tenant-feedback.ts';
import { tenantKeysRoutes } from './pages/tenant-keys.ts';
import { tenantStatusRoutes } from './pages/tenant-status.ts';
import { tenantUpstreamRoutes } from './pages/tenant-upstream.ts';
import { tenantsRoutes } from './pages/tenants.ts';
import { workspaceRoutes } from './pages/workspace.ts';
import { workspaceNewRoutes } from './pages/workspace-new.ts';
import { workspacesRoutes } from './pages/workspaces.ts';
import type { AdminRoute } from './route.ts';

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
