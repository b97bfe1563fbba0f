import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { AppError } from '#errors';
import { setPageHeaders } from '#faces/page-headers';
import { createStrictRouter } from '#faces/strict-paths';
import { readLanguages } from '#faces/words/i18n';
import type { Demo, DemoDeps } from '#load-demo';
import { createChatLimits } from './chat/chat-limits.ts';
import { createChatRoutes } from './chat/chat-routes.ts';
import { createDemoSlack } from './chat/demo-slack.ts';
import { createCourseActions, createCoursePages, createLaunches } from './course/course-routes.ts';
import { createDemoSite } from './course/demo-site.ts';
import { createPlatformEndpoints } from './course/platform-endpoints.ts';
import { assets, viewsFolder } from './views.ts';

interface SecurityOptions {
  /** Address of the course site. */
  readonly browserUrl: string;
  /** Where the tool is. */
  readonly publicUrl: string;
}

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
  });
  const router = createStrictRouter();
  router.use('/assets', assets.serve);
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

/** The course shows the tool in frames and sends browsers there by forms. */
function demoHeaders({ publicUrl }: SecurityOptions): RequestHandler {
  const { origin } = new URL(publicUrl);
  return (_request, response, next) => {
    setPageHeaders(response, { frames: [origin], formsTo: [origin] });
    next();
  };
}

/** Leads to the name under which the course is another site than the tool. */
function leadToOtherName({ browserUrl, publicUrl }: SecurityOptions): RequestHandler {
  const { host, origin } = new URL(browserUrl);
  const hasOtherName = origin !== new URL(publicUrl).origin;
  return (request, response, next) => {
    const isElsewhere = hasOtherName && request.get('host') !== host;
    if (!isElsewhere || request.method !== 'GET') next();
    else response.redirect(origin + request.originalUrl);
  };
}

/** Forms are sent by the course's own pages only. Browsers say with every such request where it comes from. */
function onlyOwnForms({ browserUrl }: SecurityOptions): RequestHandler {
  const { origin } = new URL(browserUrl);
  return (request, _response, next) => {
    if (request.method !== 'POST' || request.get('origin') === origin) return next();
    throw new AppError(
      'FORM_EXPIRED',
      'The demo course takes forms of its own pages only. Open the course again, and repeat what you did there.',
    );
  };
}
