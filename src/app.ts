import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { LocalService } from './adapters/local/open-local-service.ts';
import { openParts, type Parts } from './compose/open-parts.ts';
import type { Config } from './config.ts';
import { systemActor } from './domain/actor.ts';
import { DEFAULT_TENANT } from './domain/tenant.ts';
import { createAdminFace } from './faces/admin/admin-face.ts';
import type { AdminFaceDeps } from './faces/admin/deps.ts';
import { createApiFace } from './faces/api/api-face.ts';
import { createDemoFace } from './faces/demo/demo-face.ts';
import type { DemoFaceDeps } from './faces/demo/deps.ts';
import { createHomeFace, type FaceState } from './faces/home/home-face.ts';
import { refuseUnknownPages, showErrors } from './faces/home/page-errors.ts';
import type { LtiFaceDeps } from './faces/lti/deps.ts';
import { createLtiFace } from './faces/lti/lti-face.ts';
import { createLtiPlatforms } from './faces/lti/ltijs/platforms.ts';
import { createRequestLog } from './faces/request-log.ts';
import { type Clock, systemClock } from './ports/clock.ts';

export interface AppOptions {
  readonly config: Config;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly version: string;
  readonly clock?: Clock;
}

export interface App {
  readonly express: Express;
  readonly faces: readonly FaceState[];
  readonly demoKey: string;
  /** Path and token of the one-time set-up link; null when somebody has set the host up. */
  readonly setupPath: string | null;
  /** Absolute path. */
  readonly dataDir: string;
  readonly sizes: LocalService['sizes'];
  /** Ends the work that no request waits for; requests are still answered. */
  endBackgroundWork(): Promise<void>;
  close(): Promise<void>;
}

/** The composition root: puts the faces of one host on its adapters and services. Errors: those of `openParts`. */
export async function createApp({ clock = systemClock, ...options }: AppOptions): Promise<App> {
  const { config, publicUrl, version } = options;
  const parts = await openParts({ config, publicUrl, version, clock, createPlatforms: createLtiPlatforms });
  const { services, demoKey, dataDir, local, close } = parts;
  const setupLink = await services.adminLinks.createSetupLink(systemActor).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const faces = describeFaces(publicUrl, config.hasDemo);
  const app = express();
  app.disable('x-powered-by').set('trust proxy', config.trustProxy).set('query parser', false);
  app.use(createRequestLog(parts.log), onPages(securityHeaders()), compressWhereAsked());
  mountFaces(app, { ...options, clock, parts, faces });
  return {
    express: app,
    faces,
    demoKey,
    setupPath: setupLink?.path ?? null,
    dataDir: dataDir.path,
    sizes: local.sizes,
    endBackgroundWork: parts.endBackgroundWork,
    close,
  };
}

interface MountOptions extends Pick<AppOptions, 'config' | 'publicUrl' | 'version'> {
  readonly clock: Clock;
  readonly parts: Parts;
  readonly faces: readonly FaceState[];
}

function mountFaces(app: Express, options: MountOptions): void {
  const { config, publicUrl, version, parts, faces } = options;
  const { services, store, local, demoKey } = parts;
  app.use(
    createApiFace({
      learningOf: services.learningOf,
      access: services.apiAccess,
      feedback: services.feedback,
      publicUrl,
      version,
      isReady: () => store.check(),
      sizes: local.sizes,
    }),
  );
  app.use('/admin', createAdminFace(adminFaceDeps(options)));
  app.use('/lti', createLtiFace(ltiFaceDeps(options)));
  if (config.hasDemo) app.use('/demo', createDemoFace(demoFaceDeps(options)));
  app.use(
    createHomeFace({
      discovery: services.discoveryOf(DEFAULT_TENANT),
      publicUrl,
      demoKey,
      ...(config.hasDemo && { demoPath: '/demo' }),
      faces,
      ownProviders: () => local.learning.listProviders(),
      sizes: async () => {
        const { upstream } = await services.upstreams.connectionOf(DEFAULT_TENANT);
        return upstream === null ? local.sizes : null;
      },
    }),
  );
  app.use(refuseUnknownPages, showErrors);
}

function adminFaceDeps({ publicUrl, version, clock, parts }: MountOptions): AdminFaceDeps {
  const { services, store, local, platforms, oidc, dataDir } = parts;
  return {
    ...services,
    platforms,
    links: services.adminLinks,
    sessions: services.adminSessions,
    oidc,
    nonces: store.nonces,
    local: local.learning,
    clock,
    publicUrl,
    system: {
      version,
      startedAt: clock.now(),
      dataDir: dataDir.path,
      // Asked each time: a command beside the host may rotate the key.
      secretKeyId: () => services.keyring.currentKeyId,
      sizes: local.sizes,
      catalogCounts: local.counts,
      describeStore: () => store.describe(),
    },
  };
}

function ltiFaceDeps({ publicUrl, clock, parts }: MountOptions): LtiFaceDeps {
  const { services, outbound, platforms, onProblem } = parts;
  return {
    ...services,
    registrations: services.ltiRegistrations,
    registrationLinks: services.ltiRegistrationLinks,
    feedbackLimit: services.ltiFeedbackLimit,
    platforms,
    outbound,
    clock,
    publicUrl,
    onProblem,
  };
}

function demoFaceDeps({ config, publicUrl, clock, parts }: MountOptions): DemoFaceDeps {
  const { services, onProblem } = parts;
  const { tenants, ltiRegistrations: registrations } = services;
  // An address that nobody set carries the port that the host really has.
  const port = config.publicUrl === undefined ? Number(new URL(publicUrl).port) || 80 : config.port;
  return { tenants, registrations, clock, publicUrl, host: config.host, port, onProblem };
}

/** The API sets the few headers that data needs itself. */
function onPages(handler: RequestHandler): RequestHandler {
  const isApi = /^\/(?:domcomp|learningobject|marketplace)\//;
  return (request, response, next) => (isApi.test(request.url) ? next() : handler(request, response, next));
}

/** Answers are packed for those who can unpack them; for the others the packer would only stand in the way. */
function compressWhereAsked(): RequestHandler {
  const compress = compression();
  return (request, response, next) => {
    if (request.headers['accept-encoding'] !== undefined) compress(request, response, next);
    else {
      response.vary('Accept-Encoding');
      next();
    }
  };
}

/** Everything comes from this host, but for the thumbnails of learning objects. */
function securityHeaders() {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'https:', 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        baseUri: ["'none'"],
      },
    },
    // A host tried on http://localhost must not make the browser insist on https there.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
}

function describeFaces(publicUrl: string, hasDemo: boolean): FaceState[] {
  const coming = 'is not in this version yet; the LTI tool, the HTTP API and the admin page are.';
  const page = (path: string) => ({ note: publicUrl + path, href: publicUrl + path });
  const demo: FaceState = { name: 'Demo course', isOn: true, ...page('/demo') };
  return [
    ...(hasDemo ? [demo] : []),
    { name: 'Moodle, Canvas (LTI 1.3)', isOn: true, ...page('/admin/registrations') },
    { name: 'HTTP API', isOn: true, ...page('/docs') },
    { name: 'Slack', isOn: false, note: `The app with /skills and /learn ${coming}` },
    { name: 'Admin page', isOn: true, ...page('/admin') },
  ];
}
