import type { RequestHandler } from 'express';

/** An answer is data: a browser that is led to it runs, frames and guesses nothing. */
const notAPage = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** Any page may call the API: keys travel in headers, never in cookies, so there is nothing to steal by a visit. */
export const allowAnyOrigin: RequestHandler = (request, response, next) => {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers':
      'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...notAPage,
  });
  if (request.method === 'OPTIONS' && request.get('access-control-request-method') !== undefined) {
    response.set({
      'Access-Control-Allow-Methods': 'GET, HEAD, POST',
      'Access-Control-Allow-Headers': 'content-type, idempotency-key, x-api-key, x-marketplace-key',
      'Access-Control-Max-Age': '86400',
    });
    return void response.status(204).end();
  }
  next();
};
