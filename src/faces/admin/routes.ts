import type { Languages } from '../words/i18n.ts';
import { adminsRoutes } from './admins/admins.ts';
import { assistantsRoutes } from './assistants/assistants.ts';
import { auditRoutes } from './audit/audit.ts';
import { catalogueRoutes } from './catalogue.ts';
import { defaultsRoutes } from './defaults/defaults.ts';
import type { AdminFaceDeps } from './deps.ts';
import { feedbackRoutes } from './feedback/feedback.ts';
import { importsRoutes } from './imports/imports.ts';
import { insightRoutes } from './insight/insight.ts';
import { keysRoutes } from './keys/keys.ts';
import { brokenLinksRoutes } from './links/broken-links.ts';
import { objectsRoutes } from './objects/objects.ts';
import { overviewRoutes } from './overview/overview.ts';
import { registrationsRoutes } from './registrations/registrations.ts';
import type { AdminRoute } from './route.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { systemRoutes } from './system.ts';
import { tenantsRoutes } from './tenants/tenants.ts';
import { upstreamRoutes } from './upstream/upstream.ts';
import { workspacesRoutes } from './workspaces/workspaces.ts';

/** Every route of the admin page, feature by feature. In each, a fixed path comes before one with a
 *  parameter in the same place. */
export function createRoutes(deps: AdminFaceDeps, languages: Languages): readonly AdminRoute[] {
  return [
    ...signInRoutes(deps, languages),
    ...overviewRoutes(deps),
    ...tenantsRoutes(deps, languages),
    ...upstreamRoutes(deps, languages),
    ...defaultsRoutes(deps, languages),
    ...keysRoutes(deps),
    ...assistantsRoutes(deps),
    ...registrationsRoutes(deps, languages),
    ...workspacesRoutes(deps, languages),
    ...feedbackRoutes(deps, languages),
    ...catalogueRoutes(deps),
    ...objectsRoutes(deps, languages),
    ...brokenLinksRoutes(deps),
    ...importsRoutes(deps, languages),
    ...insightRoutes(deps, languages),
    ...auditRoutes(deps, languages),
    ...adminsRoutes(deps, languages),
    ...systemRoutes(deps),
  ];
}
