import { type Request, Router } from 'express';
import { removeLink } from '../platform/model.ts';
import type { DemoSite } from './demo-site.ts';
import { queryOf } from './reader.ts';

/** What changes the course. Where nothing is left to be done, nothing is. */
export function createCourseActions(site: DemoSite): Router {
  const router = Router();
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
