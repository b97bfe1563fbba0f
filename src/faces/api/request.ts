import express, { type Request, type RequestHandler } from 'express';
import type { ApiKeyScope } from '../../domain/api-key.ts';
import { AppError } from '../../errors.ts';
import type { Keys } from '../../services/keys.ts';

const MAX_BODY = '64kb';

/** What follows the `?`, undecoded: the contract reads it itself, so that nothing is guessed or nested. */
export function queryStringOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}

/** Let a request through if its key may, and say how many are left. Its answer is for the caller alone. */
export function keyed(keys: Keys, scope: ApiKeyScope, header: string): RequestHandler {
  return async (request, response, next) => {
    const { limit, remaining, resetSeconds } = await keys.authorize(request.get(header), scope);
    response.set({
      'Cache-Control': 'private, no-store',
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
    });
    next();
  };
}

const parseJson = express.json({ limit: MAX_BODY, strict: false });

/** The JSON body of a request. Errors: MEDIA_TYPE_UNSUPPORTED here; the parser's own are told apart in `errors.ts`. */
export const jsonBody: RequestHandler = (request, response, next) => {
  if (request.is('application/json')) return parseJson(request, response, next);
  throw new AppError(
    'MEDIA_TYPE_UNSUPPORTED',
    'The body must be JSON. Send it with Content-Type: application/json.',
  );
};

/** Every other method of a path. */
export function onlyMethod(method: 'GET' | 'POST'): RequestHandler {
  const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  return (request, response, next) => {
    if (request.method === method || (method === 'GET' && request.method === 'HEAD')) return next();
    response.set('Allow', allow);
    if (request.method === 'OPTIONS') return void response.status(204).end();
    throw new AppError('METHOD_NOT_ALLOWED', `This address answers ${method} only, not ${request.method}.`);
  };
}
