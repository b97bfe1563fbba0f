import { join } from 'node:path';
import express, { Router } from 'express';
import { readScripts } from '../src/faces/scripts.ts';
import { readLanguages } from '../src/faces/words/i18n.ts';
import type { Demo, DemoDeps } from '../src/load-demo.ts';
import { projectRoot } from '../src/project-root.ts';
import { createChatLimits } from './chat/chat-limits.ts';
import { createChatRoutes } from './chat/chat-routes.ts';
import { createDemoSlack } from './chat/demo-slack.ts';
import { createCourseActions } from './course/course-actions.ts';
import { createCoursePages } from './course/course-pages.ts';
import { createDemoSite } from './course/demo-site.ts';
import { createLaunches } from './course/launches.ts';
import { createPlatformEndpoints } from './course/platform-endpoints.ts';
import { demoHeaders, leadToOtherName, onlyOwnForms } from './page-security.ts';
import { viewsFolder } from './views.ts';

const scriptsFolder = join(projectRoot, 'dist', 'demo', 'browser');

const files = (folder: string) => express.static(folder, { index: false, redirect: false, maxAge: '1h' });

/** A course site and a chat to try the tool and the Slack app without a learning management system and without Slack. Their
 *  protocols are real; only the course and the conversations are made up. */
export function createDemo(deps: DemoDeps): Demo {
  const languages = readLanguages(join(viewsFolder, 'locales'));
  const site = createDemoSite(deps);
  const addresses = { browserUrl: site.browserUrl, publicUrl: deps.publicUrl };
  const { ownOrigin, browserUrl } = site;
  const slack = createDemoSlack({ ...deps, ownOrigin, browserUrl, tenantId: site.tenantId });
  const chat = createChatRoutes({
    chats: slack.chats,
    limits: createChatLimits(deps.rateCounters, deps.clock),
    languages,
    hostUrl: site.hostUrl,
    isSecure: browserUrl.startsWith('https:'),
    importsOf: readScripts(scriptsFolder),
  });
  const router = Router();
  router.use('/assets', files(join(viewsFolder, 'assets')), files(scriptsFolder));
  router.use(demoHeaders(addresses));
  router.use('/lti', createPlatformEndpoints(site, languages));
  router.use('/slack', slack.api);
  router.use(leadToOtherName(addresses), onlyOwnForms(addresses));
  router.use('/slack', chat);
  router.use(createCoursePages(site, languages));
  router.use(createLaunches(site, languages));
  router.use(createCourseActions(site));
  return {
    router,
    slack: slack.connection,
    hasSlack: async (tenantId) => tenantId === (await site.tenantId()),
  };
}
