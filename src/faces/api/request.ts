import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { ApiKeyScope } from '../../domain/tenant.ts';
import { AppError } from '../../errors.ts';
import type { ApiAccess } from '../../services/api-access/api-access.ts';

const MAX_BODY = '64kb';

/** What follows the `?`, undecoded: the contract reads it itself, so that nothing is guessed or nested. */
export function queryStringOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}

/** Let a request through if its key may, note whose it is, and say how many are left. Its answer is for the caller alone. */
export function keyed(access: ApiAccess, scope: ApiKeyScope, header: string): RequestHandler {
  return async (request, response, next) => {
    const key = request.get(header);
    if (!key) response.set('WWW-Authenticate', `ApiKey header="${header}"`);
    const { tenantId, limit, remaining, resetSeconds } = await access.authorize(key, scope);
    response.locals.tenantId = tenantId;
    response.set({
      'Cache-Control': 'private, no-store',
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
    });
    next();
  };
}

/** The tenant whose key a `keyed` request came with. */
export function tenantOf({ locals }: Response): string {
  return String(locals.tenantId);
}

const JSON_TYPE = /^application\/json(?:\s*;|$)/i;

const parseJson = express.json({
  limit: MAX_BODY,
  strict: false,
  verify: (_request, _response, bytes, encoding) => {
    // The parser also knows UTF-16, which JSON on the wire never is.
    if (encoding !== 'utf-8') throw new AppError('MEDIA_TYPE_UNSUPPORTED', 'The body must be JSON in UTF-8.');
    // It would put a replacement character where the bytes make no sense.
    if (!isUtf8(bytes)) throw new AppError('BODY_MALFORMED', 'The body is not valid UTF-8.');
  },
});

/** The JSON body of a request.
 *  Errors: MEDIA_TYPE_UNSUPPORTED and BODY_MALFORMED here; the parser's own are told apart in `errors.ts`. */
export const jsonBody: RequestHandler = (request, response, next) => {
  if (JSON_TYPE.test(request.get('content-type') ?? '')) return parseJson(request, response, next);
  throw new AppError(
    'MEDIA_TYPE_UNSUPPORTED',
    'The body must be JSON. Send it with Content-Type: application/json.',
  );
};

/** Refuse every other method of a path, and note for the metrics which operation this is. */
export function onlyMethod(method: 'GET' | 'POST'): RequestHandler {
  const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  return (request, response, next) => {
    // An error is answered further up, where the route is no longer known. Paths count in any case, labels in one.
    response.locals.operation = `${request.baseUrl}${request.route.path}`.toLowerCase();
    if (request.method === method || (method === 'GET' && request.method === 'HEAD')) return next();
    response.set('Allow', allow);
    if (request.method === 'OPTIONS') return void response.status(204).end();
    throw new AppError('METHOD_NOT_ALLOWED', `This address answers ${method} only, not ${request.method}.`);
  };
}

/** Send the answer to a keyed request. Nobody may keep it, so the ETag that Express would work out serves nobody. */
export function sendPrivate(response: Response, body: unknown): void {
  response.set('Content-Type', 'application/json; charset=utf-8').end(JSON.stringify(body));
}
