import { adminsRoutes } from './admins/admins.ts';
import { assistantsRoutes } from './assistants/assistants.ts';
import { auditRoutes } from './audit/audit.ts';
import { defaultsRoutes } from './defaults/defaults.ts';
import { feedbackRoutes } from './feedback/feedback.ts';
import { importsRoutes } from './imports/imports.ts';
import { insightRoutes } from './insight/insight.ts';
import { keysRoutes } from './keys/keys.ts';
import { brokenLinksRoutes } from './links/broken-links.ts';
import { catalogueRoutes } from './objects/catalogue.ts';
import { objectsRoutes } from './objects/objects.ts';
import { overviewRoutes } from './overview/overview.ts';
import { systemRoutes } from './overview/system.ts';
import { peopleRoutes } from './people/people.ts';
import { registrationsRoutes } from './registrations/registrations.ts';
import type { AdminRoute } from './route.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { tenantsRoutes } from './tenants/tenants.ts';
import { upstreamRoutes } from './upstream/upstream.ts';
import { workspacesRoutes } from './workspaces/workspaces.ts';

/** All routes. Within a feature, a fixed path comes before one with a parameter in its place. */
export const adminFaceRoutes: readonly AdminRoute[] = [
  ...signInRoutes,
  ...overviewRoutes,
  ...tenantsRoutes,
  ...upstreamRoutes,
  ...defaultsRoutes,
  ...keysRoutes,
  ...assistantsRoutes,
  ...registrationsRoutes,
  ...workspacesRoutes,
  ...feedbackRoutes,
  ...catalogueRoutes,
  ...objectsRoutes,
  ...brokenLinksRoutes,
  ...importsRoutes,
  ...insightRoutes,
  ...auditRoutes,
  ...peopleRoutes,
  ...adminsRoutes,
  ...systemRoutes,
];
