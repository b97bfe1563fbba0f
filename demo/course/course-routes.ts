import type { Request, Response, Router } from 'express';
import { createStrictRouter } from '#faces/strict-paths';
import type { Languages } from '#faces/words/i18n';
import type { LoginInitiation } from '../platform/login.ts';
import { nameOf, removeLink } from '../platform/model.ts';
import { views } from '../views.ts';
import { makeCourseModel, makeGradebookModel } from './course-model.ts';
import { demoCourse, getSection, instructor, queryOf, type Reader, readReader, sectionWords } from './demo-course.ts';
import type { DemoSite } from './demo-site.ts';

/** The course, an item of it, and what the course page asks for while it is open. */
export function createCoursePages(site: DemoSite, languages: Languages): Router {
  const router = createStrictRouter();

  router.get('/', async (request, response) => {
    await site.tool();
    const reader = readReader(request, languages);
    const model = makeCourseModel(site, reader, queryOf(request));
    send(response, 'course', { reader, hostUrl: site.hostUrl, ...model });
  });

  router.get('/gradebook', (request, response) => {
    const reader = readReader(request, languages);
    send(response, 'partials/gradebook', { reader, gradebook: makeGradebookModel(site.state, reader) });
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

/** For an item that somebody removed, or that went with a reset. */
export function sendGone(response: Response, reader: Reader): void {
  const page = views.render('gone', { reader, courseUrl: reader.to('') });
  response.status(404).type('html').send(page);
}

/** Addresses of frames and windows: they begin a launch, and lead to the tool. */
export function createLaunches(site: DemoSite, languages: Languages): Router {
  const router = createStrictRouter();

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

/** Actions that change the course. Where nothing is left to do, nothing happens. */
export function createCourseActions(site: DemoSite): Router {
  const router = createStrictRouter();
  router.post('/items/:id/remove', (request: Request<{ id: string }>, response) => {
    removeLink(site.state, request.params.id);
    response.redirect(303, backTo(request, 'removed'));
  });
  router.post('/reset', async (request, response) => {
    await site.reset();
    response.redirect(303, backTo(request, 'reset'));
  });
  return router;
}

/** The course, for the same reader. */
function backTo(request: Pick<Request, 'originalUrl'>, notice: string): string {
  const query = queryOf(request);
  query.set('notice', notice);
  return `/demo?${query}`;
}
