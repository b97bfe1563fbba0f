import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Express, RequestHandler, Response, Router } from 'express';
import type { ErrorResponse } from '#contract/index';
import { listAssistantSetups } from '#domain/assistants';
import { AppError } from '#errors';
import { answerErrorsBy } from '../app-errors.ts';
import { createCookies, readCookieLocale } from '../cookies.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { views } from '../views.ts';
import { readLanguages } from '../words/i18n.ts';
import { createEndpointHandlers, type DirectHandler, type EndpointsDeps, selectDirectHandlers } from './endpoints.ts';
import { createGuides } from './guides.ts';
import { createMonitoring, type MonitoringDeps } from './monitoring.ts';
import { createOpenApi } from './openapi.ts';
import { createPlanEndpoint, isPlanPath, type PlanEndpointsDeps } from './plans.ts';
import { requireRequestMethod } from './request.ts';

interface ApiFaceDeps extends EndpointsDeps, PlanEndpointsDeps, DocsDeps, MonitoringDeps {}

const API_PATH = /^\/(?:domcomp|learningobject|marketplace)(?:\/|$)/i;

export interface ApiFace {
  readonly router: Router;
  /** Returns undefined for requests that only the router answers. */
  findDirect(request: IncomingMessage): DirectHandler | undefined;
}

export function createApiFace(deps: ApiFaceDeps): ApiFace {
  const monitoring = createMonitoring(deps);
  const handlers = createEndpointHandlers(deps);
  const directHandlers = selectDirectHandlers(handlers);
  const answerPlans = createPlanEndpoint(deps);

  function beginAnswer(response: DirectResponse): void {
    monitoring.measure(response);
    for (const [name, value] of apiHeaders) response.setHeader(name, value);
  }

  /** Does all steps: routers for prefixes and layers for steps would cost more than a search. */
  const answerOperations: RequestHandler = (request, response, next) => {
    const { path, method, headers } = request;
    if (!API_PATH.test(path)) return next();
    beginAnswer(response);
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (isPreflight) return answerApiPreflight(response);
    refuseMalformedApiPath(path);
    if (isPlanPath(path)) return answerPlans(request, response, next);
    const handle = handlers.get(path) ?? handlers.get(path.toLowerCase().replace(/\/$/, ''));
    if (handle === undefined)
      throw new AppError('PATH_UNKNOWN', `There is no operation at ${path}. /docs lists them all.`);
    return handle(request, response, next);
  };

  return {
    router: createStrictRouter().use(answerOperations, createApiDocs(deps), monitoring.router, answerErrors),
    findDirect({ method, url = '' }) {
      const query = url.indexOf('?');
      const handle = method === 'GET' ? directHandlers.get(query < 0 ? url : url.slice(0, query)) : undefined;
      if (handle === undefined) return undefined;
      return async (request, response) => {
        beginAnswer(response);
        await handle(request, response);
      };
    },
  };
}

type DirectResponse = ServerResponse & Pick<Response, 'locals'>;
export type Step = (request: IncomingMessage, response: DirectResponse, next: () => void) => void;

/** Answers searches before Express, whose requests, responses and layers cost a third of a repeated
 *  search. Errors are answered by Express, as everywhere. Call it before the app has layers.
 *  @param steps what the app does first with all other requests
 *  @param findDirect is called for each request, also before faces are mounted */
export function answerBeforeExpress(
  app: Express,
  steps: readonly Step[],
  findDirect: ApiFace['findDirect'],
): RequestListener {
  const failures = new WeakMap<IncomingMessage, unknown>();
  const passFailure: RequestHandler = (request, _response, next) => next(failures.get(request));
  app.use(passFailure, answerErrors);
  return (request, plain) => {
    const answer = findDirect(request);
    if (answer === undefined) return app(request, plain);
    const response: DirectResponse = Object.assign(plain, { locals: {} });
    const fail = (error: unknown) => {
      failures.set(request, error);
      app(request, response);
    };
    const finish = () => void answer(request, response).catch(fail);
    try {
      steps.reduceRight<() => void>((next, step) => () => step(request, response, next), finish)();
    } catch (error) {
      fail(error);
    }
  };
}

/** Forbid a browser that opens an answer to run, frame or sniff it. Any page may call the API: keys
 *  travel in headers, never in cookies, so that pages cannot use the key of their visitor. */
const apiHeaders = Object.entries({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
});

function answerApiPreflight(response: Response): void {
  response.set({
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, DELETE',
    'Access-Control-Allow-Headers': 'content-type, idempotency-key, x-api-key, x-marketplace-key',
    'Access-Control-Max-Age': '86400',
  });
  response.status(204).end();
}

export const answerErrors = answerErrorsBy(({ error, statusCode, message, reference }, _, response) => {
  // The other answers have these headers from `admitApiRequest`.
  if (error.code === 'RATE_LIMITED') {
    const { limit, resetSeconds } = error.data;
    response.set({ 'RateLimit-Limit': `${limit}`, 'RateLimit-Remaining': '0', 'RateLimit-Reset': `${resetSeconds}` });
  }
  const body: ErrorResponse = {
    statusCode,
    code: error.code,
    message,
    ...(error.problems.length > 0 && { details: [...error.problems] }),
    reference,
  };
  response.json(body);
});

/** Errors: PARAMETERS_INVALID for a path that cannot be decoded. */
function refuseMalformedApiPath(path: string): void {
  if (!path.includes('%')) return;
  try {
    decodeURIComponent(path);
  } catch (cause) {
    throw new AppError('PARAMETERS_INVALID', 'The path of the address is not valid percent-encoded UTF-8.', {
      cause,
      problems: [{ path: 'path', problem: 'is not valid percent-encoded UTF-8' }],
    });
  }
}

const viewerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** The files that the page loads; the package of the viewer holds many more. */
const viewerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Allows the images in `data:` addresses that the viewer uses. */
const viewerPolicy: RequestHandler = (_request, response, next) => {
  response.set(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
  );
  next();
};

interface DocsDeps {
  readonly publicUrl: string;
  readonly version: string;
  /** Filled in where readers of the reference try out operations. */
  readonly demoKey: string;
}

function createApiDocs({ publicUrl, version, demoKey }: DocsDeps): Router {
  const document = createOpenApi(publicUrl, version);
  const languages = readLanguages();
  const cookies = createCookies<'language'>(publicUrl);
  const setups = listAssistantSetups(publicUrl);
  const router = createStrictRouter();
  router.all('/openapi.json', requireRequestMethod('GET'), (_request, response) => {
    response.set({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }).json(document);
  });
  router.all('/docs', requireRequestMethod('GET'), viewerPolicy, (request, response) => {
    const locale = readCookieLocale(request, cookies);
    const page = views.render('api/docs', { locale, t: languages.translatorOf(locale), demoKey, setups });
    response.vary('Accept-Language').vary('Cookie').type('html').send(page);
  });
  router.use(createGuides({ publicUrl, languages, localeOf: (request) => readCookieLocale(request, cookies) }));
  for (const file of viewerFiles) {
    router.get(`/docs/viewer/${file}`, (_request, response) =>
      response.sendFile(file, { root: viewerFolder, maxAge: '1d' }),
    );
  }
  return router;
}
