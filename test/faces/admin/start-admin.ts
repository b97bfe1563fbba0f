import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { createImportSources } from '../../../src/adapters/catalog/open-import-source.ts';
import { createUploads } from '../../../src/adapters/files/uploads.ts';
import { createLtiPlatforms } from '../../../src/adapters/lti-platforms/lti-platforms.ts';
import { createOutbound } from '../../../src/adapters/remote/outbound.ts';
import { createUpstreams } from '../../../src/adapters/remote/upstreams.ts';
import { createServices } from '../../../src/compose/services.ts';
import {
  type Actor,
  type AdminRole,
  type RoleMapping,
  systemActor,
  type TenantScope,
} from '../../../src/domain/admin.ts';
import type { CatalogCounts } from '../../../src/domain/catalog.ts';
import { noPrivateAccess } from '../../../src/domain/private-hosts.ts';
import type { SlackApp } from '../../../src/domain/slack.ts';
import { foldText } from '../../../src/domain/text.ts';
import { createAdminFace } from '../../../src/faces/admin/admin-face.ts';
import type { AdminFaceDeps } from '../../../src/faces/admin/deps.ts';
import { createRequestLog } from '../../../src/faces/request-log.ts';
import { assets } from '../../../src/faces/views.ts';
import type { ObjectCatalog } from '../../../src/ports/object-catalog.ts';
import type { Oidc } from '../../../src/ports/oidc.ts';
import type { Outbound } from '../../../src/ports/outbound.ts';
import type { Store, TenantRecord } from '../../../src/ports/store/store.ts';
import type { Upstreams } from '../../../src/ports/upstream.ts';
import { createUploadedImports } from '../../../src/services/catalogue/imports/uploaded-imports.ts';
import { createPageReader } from '../../../src/services/catalogue/objects/page-reader.ts';
import type { Secrets } from '../../../src/services/host/secrets.ts';
import { makeAdmin } from '../../../src/services/tenants/admins/admin-records.ts';
import { makeTenant } from '../../../src/services/tenants/tenant-records.ts';
import { createFakeLearningService, type HandlerService } from '../../fakes/learning-service.ts';
import { createFakeObjectCatalog } from '../../fakes/object-catalog.ts';
import { createFakePictures } from '../../fakes/pictures.ts';
import { createCheapPasswords } from '../../helpers/cheap-passwords.ts';
import { createKeyPairLender } from '../../helpers/key-pairs.ts';
import { loopbackAccess } from '../../helpers/private-access.ts';
import { openTestStore } from '../../helpers/test-store.ts';
import { type AdminBrowser, createAdminBrowser } from './admin-browser.ts';

export interface AdminOptions {
  /** Of our own engine; empty when absent. */
  readonly catalog?: ObjectCatalog;
  /** Operations of our own engine that answer otherwise than the fake. */
  readonly learning?: Partial<HandlerService>;
  /** Ways to upstreams; the real ones when absent, allowed to call this machine. */
  readonly upstreams?: Upstreams;
  readonly oidc?: Oidc;
  /** How roles follow from its claim. */
  readonly roleMapping?: RoleMapping;
  /** The Slack app that the environment of the host has. */
  readonly slackApp?: SlackApp;
  /** What the host believes its address to be; that of its socket when absent. */
  readonly publicUrl?: string;
  /** Services that do otherwise than the real ones. */
  readonly deps?: Partial<AdminFaceDeps>;
}

/** Somebody signed in, with a browser of their own. */
export interface SignedInBrowser extends AdminBrowser {
  readonly id: string;
  readonly name: string;
}

export interface RunningAdmin {
  readonly url: string;
  readonly store: Store;
  /** What the page itself has no way to. */
  readonly secrets: Secrets;
  readonly deps: AdminFaceDeps;
  /** Lines of the log. */
  readonly log: string[];
  /** Stands still until it is moved. */
  readonly clock: { now(): Date; advance(milliseconds: number): void };
  /** A browser where nobody is signed in. */
  visit(language?: string): AdminBrowser;
  /** A new administrator, signed in with `PASSWORD`. Null is every tenant. The audit trail has the
   *  sign-in only. */
  signInAs(role: AdminRole, tenants?: TenantScope, more?: SignInOptions): Promise<SignedInBrowser>;
  /** A tenant with this name, and an id that is made of nothing else. */
  addTenant(name: string): Promise<TenantRecord>;
  close(): Promise<void>;
}

interface SignInOptions {
  readonly name?: string;
  readonly language?: string;
}

/** Of everyone that `signInAs` makes. */
export const PASSWORD = 'four words about nothing';

const passwords = createCheapPasswords();
const hashed = passwords.hashPassword(PASSWORD);
export const SECRET_KEY = 'a secret key of the tests, long enough';

/** Who does what tests prepare through services. */
export const someone: Actor = { kind: 'admin', id: 'someone', name: 'Someone', address: '192.0.2.1' };

/** Who makes links where there is no owner yet: one of an administrator ends with them. */
export const operator: Actor = { kind: 'command', id: null, name: 'Someone', address: null };

const catalogCounts: CatalogCounts = {
  providers: new Map([
    ['youtube', 1_000],
    ['openlearn', 234],
  ]),
  types: new Map([['mooc', 1_234]]),
  languages: new Map([
    ['en', 1_000],
    ['fr', 234],
  ]),
  taxonomies: new Map([['Skilldock', 56]]),
};

/** The admin page on a real socket, with the real services over a real store of its own. */
export async function startAdmin(options: AdminOptions = {}): Promise<RunningAdmin> {
  const dataDir = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
  const store = openTestStore(join(dataDir, 'skilldock.db'));
  const clock = createClock();
  const log: string[] = [];
  const app = express().set('query parser', false);
  const server = createServer(app);
  // Tests that write much hold the browser up as well, which would then send over a connection that
  // is being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const publicUrl = options.publicUrl ?? url;
  const outbound = createOutbound({ allowLoopback: true, privateAccess: noPrivateAccess, version: 'test' });
  const { keyring, ...services } = createAllServices({ store, clock, publicUrl, outbound }, options);
  const registrations = services.ltiRegistrations;
  const importSources = services.imports.remember(createImportSources({ outbound }));
  const uploads = createUploads({ folder: join(dataDir, 'uploads') });
  const { rateCounters } = store;
  const ways = { runs: services.imports, sources: importSources, uploads, rateCounters, clock };
  const deps: AdminFaceDeps = {
    ...services,
    pictures: createFakePictures(publicUrl),
    platforms: createLtiPlatforms({ registrations, outbound, clock }),
    slackWorkspaces: { uninstall: async () => undefined },
    slackSocketMode: false,
    slackUnfurlsLinks: false,
    opensPrivateToOwners: false,
    importSources,
    readObjectPage: createPageReader(importSources),
    concepts: { deriveSkills: () => [], findConcept: () => null },
    publishes: { objects: true, skills: true },
    layerOf: services.layers.layerOf,
    uploads,
    uploadedImports: createUploadedImports({ ...ways, onProblem: () => undefined }),
    onProblem: () => undefined,
    nonces: store.nonces,
    oidc: options.oidc ?? null,
    publicUrl,
    clock,
    system: {
      version: '1.2.3',
      startedAt: new Date(clock.now().getTime() - 90_061_000),
      dataDir,
      secretKeyId: () => keyring.currentKeyId,
      sizes: { objects: 1_234, providers: 2, concepts: 56, labels: 78, postings: 910, indexBytes: 2_048 },
      catalogCounts,
      describeCatalog: () => null,
      describeStore: () => store.describe(),
      backups: null,
      keptDays: { activity: 1_095, scores: 400, feedback: 0, audit: 1_095, uploads: 7 },
    },
    ...options.deps,
  };
  await deps.tenants.prepare();
  app.use(createRequestLog(pino({ level: 'info' }, { write: (line: string) => log.push(line) })));
  app.use('/assets', assets.serve, express.static(resolve('views/assets')));
  app.use('/admin', createAdminFace(deps));
  return {
    url,
    store,
    secrets: services.secrets,
    deps,
    log,
    clock,
    visit: (language) => createAdminBrowser(url, language),
    async signInAs(role, tenants = null, { name, language } = {}) {
      const id = randomUUID();
      const given = { id, name: name ?? `${role} ${id.slice(0, 8)}`, role, tenants, oidcSubject: null };
      await store.admins.addAdmin(makeAdmin({ ...given, passwordHash: await hashed }, clock.now()));
      const browser = createAdminBrowser(url, language);
      const answer = await browser.post('/sign-in', { name: given.name, password: PASSWORD });
      if (answer.status !== 303) throw new Error(`The sign-in answered with ${answer.status}`);
      return { ...browser, id, name: given.name };
    },
    async addTenant(name) {
      const id = foldText(name)
        .match(/[a-z0-9]+/g)!
        .join('-');
      const tenant = makeTenant(id, name, { now: clock.now() });
      if (!(await store.tenants.addTenant(tenant))) throw new Error(`There is already a tenant ${id}`);
      await deps.audit.record(systemActor, { action: 'tenant.created', tenantId: id, target: name });
      return tenant;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await outbound.close();
      await deps.usage.close();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function createAllServices(
  {
    store,
    clock,
    publicUrl,
    outbound,
  }: Pick<RunningAdmin, 'store' | 'clock'> & { publicUrl: string; outbound: Outbound },
  { learning, catalog = createFakeObjectCatalog(), upstreams, slackApp, roleMapping }: AdminOptions,
) {
  const local = { ...createFakeLearningService(), ...learning };
  const { adminLinks, adminSessions, ...services } = createServices({
    store,
    clock,
    secretKeys: { isInFile: true, read: () => [SECRET_KEY] },
    local,
    catalog,
    publicUrl,
    providerOf: async () => null,
    upstreams: upstreams ?? createUpstreams({ privateAccess: loopbackAccess, clock }),
    outbound,
    shareAnswers: false,
    makeKeyPair: createKeyPairLender(),
    passwords,
    demoKey: 'demo_0123456789',
    slackApp,
    roleMapping,
    onProblem: () => undefined,
  });
  return { ...services, links: adminLinks, sessions: adminSessions, local };
}

function createClock(): RunningAdmin['clock'] {
  let now = new Date('2026-03-01T10:00:00Z').getTime();
  return {
    now: () => new Date(now),
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}
