import type { RequestListener } from 'node:http';
import { constants } from 'node:zlib';
import compression from 'compression';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import type { LocalService } from './adapters/local/open-local-service.ts';
import { openParts, type Parts, type PartsOptions } from './compose/open-parts.ts';
import { isInAdminScope, systemActor } from './domain/admin.ts';
import { finishInTime } from './domain/async/deadline.ts';
import { createLearningObjectQuery } from './domain/learning-object-query.ts';
import { DEFAULT_TENANT, initialDefaults } from './domain/tenant.ts';
import { createAdminFace } from './faces/admin/admin-face.ts';
import type { AdminFaceDeps } from './faces/admin/deps.ts';
import { type ApiFace, answerBeforeExpress, createApiFace, type Step } from './faces/api/api-face.ts';
import { createCookies } from './faces/cookies.ts';
import { createHarvestFace } from './faces/harvest/harvest-face.ts';
import type { FaceState, HomeFaceDeps } from './faces/home/deps.ts';
import { createHomeFace } from './faces/home/home-face.ts';
import { createHomeErrorPages, refuseUnknownPages } from './faces/home/page-errors.ts';
import type { LtiFaceDeps } from './faces/lti/deps.ts';
import { createLtiFace } from './faces/lti/lti-face.ts';
import { createMcpFace } from './faces/mcp/mcp-face.ts';
import { createRequestLog, createRequestTrace } from './faces/request-log.ts';
import { createResourceSearchFace } from './faces/resource-search/resource-search-face.ts';
import type { SlackConnection, SlackFaceDeps } from './faces/slack/deps.ts';
import { createSlackWorkspaces } from './faces/slack/slack-api/slack-api.ts';
import { createSlackFace, type SlackFace } from './faces/slack/slack-face.ts';
import { dropOrigin, redirectToStrictPath } from './faces/strict-paths.ts';
import { type Languages, readLanguages } from './faces/words/i18n.ts';
import { type Demo, type DemoDeps, loadDemo } from './load-demo.ts';
import { type Clock, systemClock } from './ports/clock.ts';

/** How long a page waits for an optional lookup. Slack waits three seconds for the whole answer. */
const OPTIONAL_LOOKUP_MS = 1_000;

export type AppOptions = Omit<PartsOptions, 'clock' | 'isBeside'> & { readonly clock?: Clock };

export interface App {
  readonly express: Express;
  /** Answers every request: those for API operations directly, all others with `express`. */
  readonly listener: RequestListener;
  readonly faces: readonly FaceState[];
  readonly demoKey: string;
  /** Path and token of the one-time set-up link; null when the host has an administrator. */
  readonly setupPath: string | null;
  readonly dataDir: string;
  readonly sizes: LocalService['sizes'];
  /** Searches once: the first search of a process blocks the event loop for a quarter of a second,
   *  as patterns and vector code are compiled. */
  warmUp(): Promise<void>;
  /** Ends background work; requests are still answered. */
  endBackgroundWork(): Promise<void>;
  close(): Promise<void>;
}

/** Composes a host of its parts and faces. Errors: those of `openParts`. */
export async function createApp({ clock = systemClock, ...options }: AppOptions): Promise<App> {
  const parts = await openParts({ ...options, clock });
  try {
    return await mountAppParts({ ...options, clock, parts });
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function mountAppParts(options: MountOptions): Promise<App> {
  const { config, parts } = options;
  const { services, demoKey, dataDir, local, close } = parts;
  const setupLink = await services.adminLinks.createSetupLink(systemActor);
  const faces = await listFaces(options);
  const demo = config.hasDemo ? await loadDemo(toDemoDeps(options)) : null;
  const slack = createSlackFace(toSlackFaceDeps({ ...options, demo }));
  const app = express();
  app.disable('x-powered-by').set('trust proxy', config.trustProxy).set('query parser', false);
  app.enable('case sensitive routing').enable('strict routing');
  const steps: readonly Step[] = [
    ...(parts.tracing === null ? [] : [createRequestTrace(parts.tracing)]),
    ...(options.publicUrl.startsWith('https:') ? [requireHttps] : []),
    createRequestLog(parts.log),
    compressIfAccepted(),
  ];
  let api: ApiFace | undefined;
  const listener = answerBeforeExpress(app, steps, (request) => api?.findDirect(request));
  app.use(dropOrigin, ...steps, onPages(securityHeaders()), redirectToStrictPath);
  if (config.hasDemo) app.use(onPages(timePages));
  api = mountFaces(app, { ...options, slack, demo });
  return {
    express: app,
    listener,
    faces,
    demoKey,
    setupPath: setupLink?.path ?? null,
    dataDir: dataDir.path,
    get sizes() {
      return local.sizes;
    },
    async warmUp() {
      // An external index need not be available yet, and the start does not wait for it.
      if (options.config.catalog !== undefined) return;
      const query = createLearningObjectQuery('learn to write programs', initialDefaults, 'en');
      await local.learning.ask('searchProvider', query, { withDetails: true }).catch(parts.onProblem);
    },
    async endBackgroundWork() {
      await Promise.all([slack.close(), parts.endBackgroundWork()]);
    },
    async close() {
      await slack.close();
      await close();
    },
  };
}

interface MountOptions extends Pick<AppOptions, 'config' | 'publicUrl' | 'version'> {
  readonly clock: Clock;
  readonly parts: Parts;
}

interface FaceOptions extends MountOptions {
  readonly slack: SlackFace;
  /** Null if there is none. */
  readonly demo: Demo | null;
}

function mountFaces(app: Express, options: FaceOptions): ApiFace {
  const { config, publicUrl, version, parts, demo } = options;
  const { services, local, demoKey } = parts;
  const languages = readLanguages();
  // Before anything that reads bodies, as Slack signs the raw body.
  app.use('/slack', options.slack.router);
  const api = createApiFace({
    ...services,
    access: services.apiAccess,
    demoKey,
    publicUrl,
    version,
    isReady: parts.isReady,
    metricsToken: config.metricsToken,
    sizes: () => local.sizes,
    backups: parts.backups,
    isCatalogUp: () => (parts.catalogStore === null ? undefined : parts.catalogStore.problem === null),
  });
  app.use(api.router);
  const { onProblem } = parts;
  app.use(createMcpFace({ ...services, concepts: local.concepts, publicUrl, version, onProblem }));
  mountStandards(app, options);
  app.use('/admin', createAdminFace(toAdminFaceDeps(options)));
  app.use('/lti', createLtiFace(toLtiFaceDeps(options)));
  if (demo !== null) app.use('/demo', demo.router);
  app.use(createHomeFace(toHomeFaceDeps({ ...options, languages })));
  app.use(refuseUnknownPages, createHomeErrorPages({ publicUrl, languages }));
  return api;
}

/** Returns what the front page needs, which searches for the default tenant. */
function toHomeFaceDeps(options: FaceOptions & { readonly languages: Languages }): HomeFaceDeps {
  const { publicUrl, parts, demo, languages } = options;
  const { services, local, demoKey } = parts;
  return {
    ...services,
    discovery: services.discoveryOf(DEFAULT_TENANT),
    trial: services.trialOf(DEFAULT_TENANT),
    browsing: services.browsingOf(DEFAULT_TENANT),
    catalogVersion: async () => {
      const { stamp } = await services.upstreams.connectionOf(DEFAULT_TENANT);
      const layer = await services.layers.layerOf(DEFAULT_TENANT);
      return JSON.stringify([stamp, layer.stamp, local.imported]);
    },
    tenantId: DEFAULT_TENANT,
    publicUrl,
    demoKey,
    clock: options.clock,
    languages,
    ...(demo !== null && { demoPath: '/demo' }),
    faces: () => listFaces(options),
    isAdministrator: async (request) => (await findSignedIn(options, request)) !== null,
    findTenantOf: (request) => findReadableTenant(options, request),
    listBuiltInProviders: () => local.learning.ask('listProviders', {}),
    harvest: parts.harvest,
    concepts: local.concepts,
    isIndexable: options.config.isIndexable,
    publishes: options.config.publishes,
    security: options.config.security,
    privacy: options.config.privacy,
    keptDays: options.config.keptDays,
    pictures: parts.pictures,
    onProblem: parts.onProblem,
    sizes: async () => {
      const { upstream } = await services.upstreams.connectionOf(DEFAULT_TENANT);
      return upstream === null ? local.sizes : null;
    },
  };
}

/** Mounts the faces of OAI-PMH and of 1EdTech Resource Search. */
function mountStandards(app: Express, { config, publicUrl, clock, parts }: MountOptions): void {
  const { services, local, harvest } = parts;
  const listProviders = async (tenantId: string | null) => {
    const layer = tenantId === null ? undefined : await services.layers.layerOf(tenantId);
    return local.learning.ask('listProviders', {}, { layer });
  };
  const { hostname } = new URL(publicUrl);
  // An e-mail address has a domain with a dot.
  const operatorEmail = config.operatorEmail ?? `postmaster@${hostname}${hostname.includes('.') ? '' : '.local'}`;
  const { learningOf, browsingOf, hasLti, apiAccess: access, keyring } = services;
  if (config.isHarvested)
    app.use(createHarvestFace({ harvest, access, listProviders, publicUrl, operatorEmail, clock }));
  if (config.hasResourceSearch)
    app.use(createResourceSearchFace({ learningOf, browsingOf, hasLti, access, keyring, clock, publicUrl }));
}

/** Returns the session of the administrator of a request; null for none, or a late lookup. */
async function findSignedIn({ publicUrl, parts }: MountOptions, request: Request) {
  const token = createCookies<'session'>(publicUrl).read(request, 'session');
  if (token === undefined) return null;
  return findOptional(() => parts.services.adminSessions.findSession(token), parts.onProblem);
}

/** Returns the tenant whose objects a request may read: that of its key, or the one that its
 *  administrator has chosen; else null. Errors: those of `ApiAccess`. */
async function findReadableTenant(options: MountOptions, request: Request): Promise<string | null> {
  const key = request.get('x-api-key');
  if (key !== undefined) return (await options.parts.services.apiAccess.authorize(key, 'learning-objects')).tenantId;
  const signedIn = await findSignedIn(options, request);
  if (signedIn === null) return null;
  const { tenants } = signedIn.admin;
  const requestedId = new URLSearchParams(request.originalUrl.split('?')[1]).get('tenant');
  const chosenId = requestedId ?? createCookies<'tenant'>(options.publicUrl).read(request, 'tenant');
  const tenantId = chosenId ?? tenants?.[0] ?? DEFAULT_TENANT;
  return isInAdminScope(tenants, tenantId) ? tenantId : null;
}

function toAdminFaceDeps(options: MountOptions): AdminFaceDeps {
  const { config, publicUrl, version, clock, parts } = options;
  const { services, store, local, platforms, importSources, uploads, oidc, dataDir, onProblem } = parts;
  const { readObjectPage, uploadedImports } = parts;
  return {
    ...services,
    importSources,
    readObjectPage,
    layerOf: services.layers.layerOf,
    concepts: local.concepts,
    publishes: config.publishes,
    uploads,
    uploadedImports,
    platforms,
    onProblem,
    slackWorkspaces: createSlackWorkspaces({ findConnection: () => findSlackConnection(options), onProblem }),
    slackSocketMode: config.slack.appToken !== undefined,
    slackUnfurlsLinks: config.slack.unfurlsLinks,
    opensPrivateToOwners: config.privateAccess.isOpenToOwners,
    links: services.adminLinks,
    sessions: services.adminSessions,
    oidc,
    nonces: store.nonces,
    local: local.learning,
    pictures: parts.pictures,
    clock,
    publicUrl,
    system: {
      version,
      startedAt: clock.now(),
      dataDir: dataDir.path,
      // Read at each call, as a command beside the host may rotate the key.
      secretKeyId: () => services.keyring.currentKeyId,
      get sizes() {
        return local.sizes;
      },
      get catalogCounts() {
        return local.counts;
      },
      describeCatalog: () => parts.catalogStore?.place ?? null,
      describeStore: () => store.describe(),
      keptDays: config.keptDays,
      backups: parts.backups,
    },
  };
}

function toLtiFaceDeps({ config, publicUrl, clock, parts, demo }: FaceOptions): LtiFaceDeps {
  const { services, pictures, platforms, readObjectPage, onProblem } = parts;
  return {
    ...services,
    readObjectPage,
    hasOtherShelves: async (tenantId) =>
      (await services.tenants.findTenant(tenantId))?.hasAssistants === true ||
      (await services.hasSlack(tenantId)) ||
      (demo !== null && (await demo.hasSlack(tenantId))),
    registrations: services.ltiRegistrations,
    platforms,
    pictures,
    clock,
    publicUrl,
    publishes: config.publishes,
    onProblem,
  };
}

function toDemoDeps({ config, publicUrl, clock, parts }: MountOptions): DemoDeps {
  const { services, onProblem } = parts;
  const { rateCounters } = parts.store;
  const { tenants, ltiRegistrations: registrations, people } = services;
  // Without PUBLIC_URL, the address has the port that the host listens on.
  const port = config.publicUrl === undefined ? Number(new URL(publicUrl).port) || 80 : config.port;
  return { tenants, registrations, people, rateCounters, clock, publicUrl, host: config.host, port, onProblem };
}

function toSlackFaceDeps(options: Omit<FaceOptions, 'slack'>): SlackFaceDeps {
  const { config, publicUrl, clock, parts, demo } = options;
  const { services, store, log, onProblem } = parts;
  const findConnection = () => findSlackConnection(options);
  return {
    ...services,
    findConnection,
    async listConnections() {
      // The demo chat works even if the connection to the real Slack cannot be read.
      const connection = await (demo === null ? findConnection() : findOptional(findConnection, onProblem));
      return [connection, demo?.slack].filter((each) => each != null);
    },
    appToken: config.slack.appToken,
    unfurlsLinks: config.slack.unfurlsLinks,
    async findPublishedObject(tenantId, id) {
      const published = config.publishes.objects ? await parts.harvest.findObject(id) : null;
      return published && services.cachedObjects.find(tenantId, published.object);
    },
    nonces: store.nonces,
    rateCounters: store.rateCounters,
    pictures: parts.pictures,
    clock,
    publicUrl,
    publishes: config.publishes,
    onProblem,
    onFailure: ({ error: err, reference, listener }) =>
      log.warn({ err, reference, listener }, 'somebody in Slack was told that something failed'),
  };
}

async function findSlackConnection({ config, parts }: MountOptions): Promise<SlackConnection | null> {
  const { slackCredentials, slackInstallations } = parts.services;
  const { apiUrl } = config.slack;
  const { findInstalled, erase } = slackInstallations;
  const app = await slackCredentials.find();
  const authorizationUrl = new URL('/oauth/v2/authorize', apiUrl).href;
  return app && { ...app, apiUrl, authorizationUrl, findInstalled, erase };
}

/** Returns null if the lookup fails or takes more than a second, for a page that can do without. */
async function findOptional<T>(find: () => Promise<T | null>, onProblem: (error: unknown) => void) {
  const result = find().catch((error: unknown) => {
    onProblem(error);
    return null;
  });
  return finishInTime(result, OPTIONAL_LOOKUP_MS);
}

/** Limits a handler to pages: the API and the endpoint of assistants have headers of their own. */
function onPages(handler: RequestHandler): RequestHandler {
  const isApi = /^\/(?:(?:domcomp|learningobject|marketplace|ims)\/|mcp(?:$|\?))/;
  return (request, response, next) => (isApi.test(request.url) ? next() : handler(request, response, next));
}

/** Compresses answers for clients that accept it; for all others the middleware is skipped. */
function compressIfAccepted(): Step {
  // The default levels take nearly twice the time, for 2 % fewer bytes.
  const compress = compression({ level: 4, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } } });
  return (request, response, next) => {
    if (request.headers['accept-encoding'] !== undefined) compress(request as Request, response as Response, next);
    else {
      response.setHeader('Vary', 'Accept-Encoding');
      next();
    }
  };
}

/** Makes browsers use https for a year. Other programs serve http://localhost, too. */
const requireHttps: Step = (_request, response, next) => {
  response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  next();
};

/** Sends the milliseconds that the host took for a page, which developer tools of browsers show. */
const timePages: RequestHandler = (_request, response, next) => {
  const start = performance.now();
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => typeof response;
  response.writeHead = (...args: unknown[]) => {
    response.setHeader('Server-Timing', `total;dur=${(performance.now() - start).toFixed(1)}`);
    return writeHead(...args);
  };
  next();
};

/** Lets pages load everything from this host only. */
function securityHeaders() {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        baseUri: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
}

/** Lists all faces with their addresses. Slack counts as off while its app cannot be read. */
async function listFaces({ config, publicUrl, parts }: MountOptions): Promise<FaceState[]> {
  const hasSlack = (await findOptional(parts.services.slackCredentials.find, parts.onProblem)) !== null;
  const page = (path: string) => ({ note: publicUrl + path, href: publicUrl + path });
  const demos: FaceState[] = [
    { id: 'demoCourse', name: 'Demo course', isOn: true, ...page('/demo') },
    { id: 'demoChat', name: 'Demo chat (Slack)', isOn: true, ...page('/demo/slack') },
  ];
  const slackOff = {
    note: `Set SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET, or enter them at ${publicUrl}/admin/workspaces`,
    href: `${publicUrl}/admin/workspaces`,
  };
  return [
    ...(config.hasDemo ? demos : []),
    { id: 'lti', name: 'Moodle, Canvas (LTI 1.3)', isOn: true, ...page('/admin/registrations') },
    { id: 'api', name: 'HTTP API', isOn: true, ...page('/docs') },
    { id: 'slack', name: 'Slack', isOn: hasSlack, ...(hasSlack ? page('/slack/install') : slackOff) },
    { id: 'admin', name: 'Admin page', isOn: true, ...page('/admin') },
  ];
}
