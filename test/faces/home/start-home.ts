import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { pino } from 'pino';
import { DEFAULT_TENANT } from '../../../src/domain/tenant.ts';
import type { FaceState, HomeFaceDeps } from '../../../src/faces/home/deps.ts';
import { createHomeFace } from '../../../src/faces/home/home-face.ts';
import { createHomeErrorPages, refuseUnknownPages } from '../../../src/faces/home/page-errors.ts';
import { createRequestLog } from '../../../src/faces/request-log.ts';
import { readLanguages } from '../../../src/faces/words/i18n.ts';
import { type Clock, systemClock } from '../../../src/ports/clock.ts';
import type { OperationHandlers } from '../../../src/ports/learning-service.ts';
import type { Browsing } from '../../../src/services/searching/browsing.ts';
import type { Discovery } from '../../../src/services/searching/discovery.ts';
import type { FakeLearningService } from '../../fakes/learning-service.ts';
import { type OpenedServices, openServices } from '../../helpers/open-services.ts';

export interface HomeOptions
  extends Partial<
    Pick<HomeFaceDeps, 'demoPath' | 'limits' | 'harvest' | 'concepts' | 'isIndexable' | 'publishes' | 'privacy'>
  > {
  readonly faces?: readonly FaceState[];
  /** Operations that answer otherwise than the fake. */
  readonly learning?: Partial<OperationHandlers>;
  readonly browsing?: Partial<Browsing>;
  readonly catalogVersion?: HomeFaceDeps['catalogVersion'];
  /** Parts of discovery that do otherwise than the real ones. */
  readonly discovery?: Partial<Discovery>;
}

export interface Home {
  readonly url: string;
  readonly learning: FakeLearningService;
  readonly services: OpenedServices<Clock>;
  /** Lines of the log. */
  readonly log: string[];
  get(path: string, init?: RequestInit): Promise<Response>;
  /** The text of a page that answers with `status`. */
  page(path: string, status?: number): Promise<string>;
  /** Send the tag form as a browser does. */
  tag(fields: Readonly<Record<string, string>>): Promise<Response>;
  close(): Promise<void>;
}

const keptDays = { activity: 1_095, scores: 400, feedback: 0, audit: 1_095, uploads: 7 };

/** The pages of the home face, also for those that are not there. */
export function mountPages(
  app: Express,
  services: OpenedServices<Clock>,
  publicUrl: string,
  options: HomeOptions = {},
): void {
  const languages = readLanguages();
  app.use(
    createHomeFace({
      discovery: { ...services.discoveryOf(DEFAULT_TENANT), ...options.discovery },
      trial: services.trialOf(DEFAULT_TENANT),
      browsing: { ...services.browsingOf(DEFAULT_TENANT), ...options.browsing },
      catalogVersion: options.catalogVersion ?? (async () => ''),
      tenantId: DEFAULT_TENANT,
      insight: services.insight,
      publicUrl,
      clock: systemClock,
      languages,
      pictures: services.pictures,
      plans: services.plans,
      personSessions: services.personSessions,
      keyring: services.keyring,
      personData: services.personData,
      keptDays,
      privacy: options.privacy ?? { contact: undefined, policyUrl: undefined, supportUrl: undefined },
      placements: services.placements,
      harvest: options.harvest ?? {
        findObject: async () => null,
        hasObject: async () => false,
        list: async () => [],
        ofTenant: () => ({ findObject: async () => null }),
      },
      concepts: options.concepts ?? {
        findConcept: () => null,
        listConcepts: () => [],
        listTaxonomies: () => new Map(),
        deriveSkills: () => [],
      },
      isIndexable: options.isIndexable ?? false,
      publishes: options.publishes ?? { objects: true, skills: true, feeds: true, taxonomies: [] },
      onProblem: (error) => services.problems.push(error),
      demoKey: 'demo_0123456789',
      faces: async () => options.faces ?? [],
      findTenantOf: async ({ headers }) => String(headers['x-api-key'] ?? '') || null,
      isAdministrator: async (request) => request.headers.cookie === 'admin=1',
      listBuiltInProviders: () => services.local.ask('listProviders', {}),
      sizes: async () => ({ objects: 1_234, providers: 2, concepts: 56, labels: 78 }),
      ...(options.limits && { limits: options.limits }),
      ...(options.demoPath && { demoPath: options.demoPath }),
    }),
  );
  app.use(refuseUnknownPages, createHomeErrorPages({ publicUrl, languages }));
}

/** The front page on a real socket and the real services, in front of a fake engine. */
export async function startHome(options: HomeOptions = {}): Promise<Home> {
  const services = await openServices();
  const { searchProvider } = options.learning ?? {};
  const learning = Object.assign(services.local, searchProvider && { searchMany: searchProvider }, options.learning);
  const log: string[] = [];
  const publicUrl = 'https://skills.example.org';
  const app = express().set('query parser', false).set('trust proxy', 'loopback');
  app.use(createRequestLog(pino({ level: 'info' }, { write: (line: string) => log.push(line) })));
  mountPages(app, services, publicUrl, options);
  const server = createServer(app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init });
  return {
    url,
    learning,
    services,
    log,
    get,
    async page(path, status = 200) {
      const response = await get(path);
      if (response.status !== status) throw new Error(`${path} answered with ${response.status}`);
      return response.text();
    },
    tag: (fields) => fetch(`${url}/tags`, { method: 'POST', body: new URLSearchParams(fields) }),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await services.close();
    },
  };
}
