import express, { type Request, type Response, type Router } from 'express';
import { AppError } from '#errors';
import { createStrictRouter } from '#faces/strict-paths';
import type { Languages } from '#faces/words/i18n';
import type { ChoiceOutcome, PlatformReply, PlatformRequest } from '../platform/request.ts';
import { views } from '../views.ts';
import { queryOf, readReader } from './demo-course.ts';
import type { DemoSite } from './demo-site.ts';

/** A choice of objects at its very largest. */
const MAX_BODY = '256kb';

/** What the tool and the browsers on their way to it ask the platform for. */
export function createPlatformEndpoints(site: DemoSite, languages: Languages): Router {
  const readBody = express.text({ type: () => true, limit: MAX_BODY });
  const router = createStrictRouter();
  // The way back from the tool, where it has one.
  router.get('/return', (request, response) => response.redirect(readReader(request, languages).to('')));
  router.use(readBody, async (request, response) => {
    const reply = await site.platform.answer(toPlatformRequest(request));
    if (reply === null) throw new AppError('PATH_UNKNOWN', 'The demo course has no such address.');
    send(reply, { request, response, languages });
  });
  return router;
}

function toPlatformRequest(request: Request): PlatformRequest {
  return {
    method: request.method,
    path: request.path,
    query: queryOf(request),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
    ),
    body: typeof request.body === 'string' ? request.body : '',
  };
}

interface SendOptions {
  readonly request: Request;
  readonly response: Response;
  readonly languages: Languages;
}

function send(reply: PlatformReply, { request, response, languages }: SendOptions): void {
  if (reply.kind === 'data') {
    response
      .status(reply.status)
      .set(reply.headers ?? {})
      .type(reply.mediaType);
    if (reply.body === undefined) response.end();
    else response.send(JSON.stringify(reply.body));
    return;
  }
  if (reply.kind === 'refused') response.status(reply.status);
  const reader = readReader(request, languages);
  const courseUrl = reader.to('', reply.kind === 'chosen' ? countsOf(reply.outcome) : {});
  response.type('html').send(views.render(reply.kind, { reader, reply, courseUrl }));
}

/** For the course page, which says them. */
const countsOf = ({ linkIds, withoutRoomCount }: ChoiceOutcome) => ({
  ...(linkIds.length > 0 && { added: String(linkIds.length) }),
  ...(withoutRoomCount > 0 && { left: String(withoutRoomCount) }),
});
