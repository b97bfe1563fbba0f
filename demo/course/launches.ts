import { type Request, type Response, Router } from 'express';
import type { Languages } from '../../src/faces/words/i18n.ts';
import type { LoginInitiation } from '../platform/login.ts';
import { demoCourse, getSection, instructor, sectionWords } from './demo-course.ts';
import type { DemoSite } from './demo-site.ts';
import { readReader } from './reader.ts';
import { sendGone } from './send-gone.ts';

/** Addresses of frames and windows: they begin a launch, and lead to the tool. */
export function createLaunches(site: DemoSite, languages: Languages): Router {
  const router = Router();

  router.get('/launch/choose/:section', async (request: Request<{ section: string }>, response) => {
    const { locale, t } = readReader(request, languages);
    const section = getSection(request.params.section);
    const tool = await site.tool();
    const login = site.platform.launch({
      kind: 'deep-linking',
      clientId: tool.clientId,
      personId: instructor.id,
      courseId: demoCourse.id,
      targetLinkUri: tool.targetLinkUri,
      locale,
      linkId: null,
      placement: section,
      about: sectionWords(section, t),
    });
    leadTo(login, response);
  });

  router.get('/launch/item/:id', (request: Request<{ id: string }>, response) => {
    const reader = readReader(request, languages);
    const link = site.state.links.get(request.params.id);
    if (link === undefined) return sendGone(response, reader);
    const login = site.platform.launch({
      kind: 'resource-link',
      clientId: link.clientId,
      personId: reader.person.id,
      courseId: demoCourse.id,
      targetLinkUri: link.url,
      locale: reader.locale,
      linkId: link.id,
    });
    leadTo(login, response);
  });

  return router;
}

function leadTo({ url, fields }: LoginInitiation, response: Response): void {
  response.redirect(`${url}?${new URLSearchParams(fields)}`);
}
