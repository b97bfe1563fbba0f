import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { answerBeforeExpress, createApiFace } from '../../../src/faces/api/api-face.ts';
import { createRequestLog } from '../../../src/faces/request-log.ts';
import { type Clock, systemClock } from '../../../src/ports/clock.ts';
import type { OperationHandlers } from '../../../src/ports/learning-service.ts';
import type { Limits } from '../../../src/services/tenants/api-access.ts';
import { createApiAccess } from '../../../src/services/tenants/api-access.ts';
import type { FakeLearningService } from '../../fakes/learning-service.ts';
import { anyApiKey, DEMO_KEY, type OpenedServices, openServices, tester } from '../../helpers/open-services.ts';
import { type RawAnswer, sendRaw } from '../../helpers/send-raw.ts';

export { DEMO_KEY };

export interface ApiOptions {
  /** Operations that answer otherwise than the fake. */
  readonly learning?: Partial<OperationHandlers>;
  readonly demoLimits?: Limits;
  readonly personalLimits?: Limits;
  readonly isReady?: () => Promise<void>;
  /** Whether requests have a log and an id, as in the app; true by default. */
  readonly hasLog?: boolean;
}

export interface Api {
  readonly url: string;
  readonly learning: FakeLearningService;
  readonly services: OpenedServices<Clock>;
  /** A key that may do everything. */
  readonly key: string;
  /** Lines of the log. */
  readonly log: string[];
  /** `path` with the personal key in both headers. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A request exactly as written, which fetch would tidy up. */
  raw(method: string, path: string, headers?: Record<string, string>, body?: Uint8Array): Promise<RawAnswer>;
  close(): Promise<void>;
}

const plenty: Limits = { perSecond: 1_000_000, perDay: 1_000_000 };

/** The API on a real socket and a real store, in front of a fake service. */
export async function startApi(options: ApiOptions = {}): Promise<Api> {
  const services = await openServices(systemClock);
  const learning = Object.assign(services.local, options.learning);
  const limits = options.personalLimits ?? plenty;
  const { key } = await services.apiKeys.createApiKey(tester, { ...anyApiKey, ...limits });
  const demoLimits = options.demoLimits ?? plenty;
  const log: string[] = [];
  const app = express().disable('x-powered-by').set('query parser', false);
  const logRequests = createRequestLog(pino({ level: 'info' }, { write: (line: string) => log.push(line) }));
  const steps = (options.hasLog ?? true) ? [logRequests] : [];
  const listener = answerBeforeExpress(app, steps, (request) => face.findDirect(request));
  if (steps.length > 0) app.use(...steps);
  const face = createApiFace({
    learningOf: services.learningOf,
    access: createApiAccess({
      ...services.store,
      demoKey: DEMO_KEY,
      clock: systemClock,
      demoLimits,
      onProblem: (error) => services.problems.push(error),
    }),
    feedback: services.feedback,
    insight: services.insight,
    plans: services.plans,
    cachedObjects: services.cachedObjects,
    demoKey: DEMO_KEY,
    publicUrl: 'https://skills.example.org',
    version: '1.2.3',
    isReady: options.isReady ?? (async () => undefined),
    sizes: () => ({ objects: 42, indexBytes: 7 }),
  });
  app.use(face.router);
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const withKey = { 'x-api-key': key, 'x-marketplace-key': key };
  return {
    url,
    learning,
    services,
    key,
    log,
    get: (path, headers = {}) => fetch(url + path, { headers: { ...withKey, ...headers } }),
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { ...withKey, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      } as RequestInit),
    raw: (method, path, headers = {}, body) =>
      sendRaw(url, { method, path, headers: { ...withKey, ...headers } }, body),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await services.close();
    },
  };
}
