import type { Request, RequestHandler, Response, Router } from 'express';
import { createStrictRouter } from '../strict-paths.ts';
import { createDocs, type DocsDeps } from './docs.ts';
import { createApiEndpoints, type EndpointsDeps } from './endpoints.ts';
import { answerErrors, createApiPathError, refuseMalformedApiPath } from './errors.ts';
import { createMonitoring, type MonitoringDeps } from './monitoring.ts';

export interface ApiFaceDeps extends EndpointsDeps, DocsDeps, MonitoringDeps {}

const API_PATH = /^\/(?:domcomp|learningobject|marketplace)(?:\/|$)/i;

/** The specification's HTTP API at its addresses and the gateway's, our extension, its description, and what operators
 *  watch. */
export function createApiFace(deps: ApiFaceDeps): Router {
  const monitoring = createMonitoring(deps);
  const endpoints = createApiEndpoints(deps);

  /** All in one place: a router for each prefix and a layer for each step would cost a search more than their work. */
  const answerOperations: RequestHandler = (request, response, next) => {
    const { path } = request;
    if (!API_PATH.test(path)) return next();
    monitoring.measure(response);
    allowAnyOrigin(response);
    if (isPreflight(request)) return answerPreflight(response);
    refuseMalformedApiPath(path);
    const endpoint = endpoints.get(path) ?? endpoints.get(path.toLowerCase().replace(/\/$/, ''));
    if (endpoint === undefined) throw createApiPathError(path);
    return endpoint(request, response, next);
  };

  return createStrictRouter().use(answerOperations, createDocs(deps), monitoring.router, answerErrors);
}

/** An answer is data: a browser that opens it must not run, frame or sniff it. And any page may call the API: keys travel in
 *  headers, never in cookies, so a visit cannot steal anything. */
const dataHeaders = Object.entries({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
});

function allowAnyOrigin(response: Response): void {
  for (const [name, value] of dataHeaders) response.setHeader(name, value);
}

/** Whether this is a browser's preflight request. */
function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight(response: Response): void {
  response.set({
    'Access-Control-Allow-Methods': 'GET, HEAD, POST',
    'Access-Control-Allow-Headers': 'content-type, idempotency-key, x-api-key, x-marketplace-key',
    'Access-Control-Max-Age': '86400',
  });
  response.status(204).end();
}
