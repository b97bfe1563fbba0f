import { Router } from 'express';
import { readLanguages } from '../words/i18n.ts';
import { createCourseActions } from './course-actions.ts';
import { createCoursePages } from './course-pages.ts';
import { createDemoSite } from './demo-site.ts';
import type { DemoFaceDeps } from './deps.ts';
import { createLaunches } from './launches.ts';
import { demoHeaders, leadToOtherName, onlyOwnForms } from './page-security.ts';
import { createPlatformEndpoints } from './platform-endpoints.ts';

/** A course site to try the tool without a learning management system, to be mounted at `/demo`. Its protocol is a real LTI 1.3
 *  platform's; only the course is made up. */
export function createDemoFace(deps: DemoFaceDeps): Router {
  const languages = readLanguages();
  const site = createDemoSite(deps);
  const addresses = { browserUrl: site.browserUrl, publicUrl: deps.publicUrl };
  const router = Router();
  router.use(demoHeaders(addresses));
  router.use('/lti', createPlatformEndpoints(site, languages));
  router.use(leadToOtherName(addresses), onlyOwnForms(addresses));
  router.use(createCoursePages(site, languages));
  router.use(createLaunches(site, languages));
  router.use(createCourseActions(site));
  return router;
}
