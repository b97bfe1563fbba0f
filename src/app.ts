import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { pino } from 'pino';
import { makeSecret, openDataDir } from './adapters/files/data-dir.ts';
import { type LocalService, openLocalService } from './adapters/local/open-local-service.ts';
import { createRequestIds } from './adapters/local/request-ids.ts';
import { createSqliteStore } from './adapters/sqlite/sqlite-store.ts';
import { type Config, MIN_SECRET_LENGTH } from './config.ts';
import { AppError } from './errors.ts';
import { createApiFace } from './faces/api/api-face.ts';
import { createHomeFace, type FaceState } from './faces/home/home-face.ts';
import { refuseUnknownPages, showErrors } from './faces/home/page-errors.ts';
import { createRequestLog } from './faces/request-log.ts';
import { type Clock, systemClock } from './ports/clock.ts';
import { createApiAccess } from './services/api-access.ts';
import { createDiscovery } from './services/discovery.ts';
import { createFeedbackService } from './services/feedback.ts';

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
  /** Absolute path. */
  readonly dataDir: string;
  readonly sizes: LocalService['sizes'];
  close(): Promise<void>;
}

const catalogDir = fileURLToPath(new URL('../data', import.meta.url));

/** The composition root: adapters, services and faces of one host.
 *  Errors: DATA_DIR_UNWRITABLE, STORE_UNAVAILABLE, CATALOG_INVALID. */
export async function createApp({
  config,
  publicUrl,
  version,
  clock = systemClock,
}: AppOptions): Promise<App> {
  const dataDir = openDataDir(config.dataDir);
  const secret = config.secretKey ?? dataDir.readOrCreate('secret.key', makeSecret);
  if (secret.length < MIN_SECRET_LENGTH) throw secretTooShort(dataDir.file('secret.key'));
  const demoKey =
    config.demoApiKey ?? dataDir.readOrCreate('demo.key', () => `demo_${makeSecret().slice(0, 16)}`);
  const store = createSqliteStore(dataDir.file('skilldock.db'));
  // Not line by line: a slow reader of the log must not hold up answers. What is left is written when the process ends.
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }));
  const local = openLocalService({
    catalogDir,
    dataDir: dataDir.path,
    feedback: store.feedback,
    requestIds: createRequestIds(Buffer.from(secret), clock),
    clock,
    publicUrl,
    onSnapshotProblem: (err) =>
      log.warn({ err }, 'the index snapshot cannot be kept; the next start builds it again'),
  });
  const faces = describeFaces(publicUrl);
  const app = express();
  app.disable('x-powered-by').set('trust proxy', config.trustProxy).set('query parser', false);
  app.use(createRequestLog(log), onPages(securityHeaders()), compressWhereAsked());
  app.use(
    createApiFace({
      learning: local.learning,
      access: createApiAccess({ apiKeys: store.apiKeys, demoKey, clock }),
      feedback: createFeedbackService(local.learning),
      publicUrl,
      version,
      isReady: () => store.check(),
      sizes: local.sizes,
    }),
  );
  app.use(
    createHomeFace({
      discovery: createDiscovery(local.learning),
      publicUrl,
      demoKey,
      faces,
      sizes: () => local.sizes,
    }),
  );
  app.use(refuseUnknownPages, showErrors);
  return {
    express: app,
    faces,
    demoKey,
    dataDir: dataDir.path,
    sizes: local.sizes,
    async close() {
      await store.close();
      log.flush();
    },
  };
}

function secretTooShort(file: string): AppError {
  return new AppError(
    'CONFIG_INVALID',
    `The secret in ${file} is too short to be safe. Delete the file, and the next start makes a new one; request ids given before then end.`,
  );
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

function describeFaces(publicUrl: string): FaceState[] {
  const coming = 'is not in this version yet; the HTTP API and the front page are.';
  return [
    { name: 'HTTP API', isOn: true, note: `${publicUrl}/docs`, href: `${publicUrl}/docs` },
    { name: 'Moodle, Canvas (LTI 1.3)', isOn: false, note: `The deep-linking tool ${coming}` },
    { name: 'Slack', isOn: false, note: `The app with /skills and /learn ${coming}` },
    {
      name: 'Admin page',
      isOn: false,
      note: `The page for keys and defaults ${coming} Keys are made on the command line.`,
    },
  ];
}
