import { type Request, type Response, Router } from 'express';
import type { Languages } from '../../src/faces/words/i18n.ts';
import { nameOf } from '../platform/model.ts';
import { views } from '../views.ts';
import { courseModel } from './course-model.ts';
import { getSection, instructor } from './demo-course.ts';
import type { DemoSite } from './demo-site.ts';
import { gradebookModel } from './gradebook-model.ts';
import { queryOf, readReader } from './reader.ts';
import { sendGone } from './send-gone.ts';

/** The course, an item of it, and what the course page asks for while it is open. */
export function createCoursePages(site: DemoSite, languages: Languages): Router {
  const router = Router();

  router.get('/', async (request, response) => {
    await site.tool();
    const reader = readReader(request, languages);
    const model = courseModel(site, reader, queryOf(request));
    send(response, 'course', { reader, hostUrl: site.hostUrl, ...model });
  });

  router.get('/gradebook', (request, response) => {
    const reader = readReader(request, languages);
    send(response, 'partials/gradebook', { reader, gradebook: gradebookModel(site.state, reader) });
  });

  /** For browsers without scripts; the others open the frame in the course. */
  router.get('/choose/:section', (request: Request<{ section: string }>, response) => {
    const section = getSection(request.params.section);
    send(response, 'choose', { reader: readReader(request, languages), section });
  });

  router.get('/items/:id', (request: Request<{ id: string }>, response) => {
    const reader = readReader(request, languages);
    const link = site.state.links.get(request.params.id);
    if (link === undefined) return sendGone(response, reader);
    const gradebookHref = `${reader.to('', { as: instructor.id })}#gradebook`;
    send(response, 'item', { reader, link, personName: nameOf(reader.person), gradebookHref });
  });

  return router;
}

function send(response: Response, view: string, model: object): void {
  response.type('html').send(views.render(view, model));
}
