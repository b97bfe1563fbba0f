import type { Request, RequestHandler, Response } from 'express';
import type { Tracing } from '#ports/tracing';

/** Tells how long each request took, and lets what is done for it be told as part of it. */
export function createRequestTrace(tracing: Tracing): RequestHandler {
  return (request, response, next) => {
    tracing.request(request, (end) => {
      response.once('close', () => end(findRoute(request, response), response.statusCode));
      next();
    });
  };
}

/** The pattern of the address: what stands in its places may be a word or a token of somebody. */
function findRoute({ baseUrl, route }: Request, { locals }: Response): string | null {
  if (typeof locals.operation === 'string') return locals.operation;
  const path: unknown = route?.path;
  return typeof path === 'string' ? baseUrl + path : null;
}
