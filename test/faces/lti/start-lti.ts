import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import express, { type Express } from 'express';
import { pino } from 'pino';
import { createImportSources } from '../../../src/adapters/catalog/open-import-source.ts';
import { createLtiPlatforms, type LtiPlatformsDeps } from '../../../src/adapters/lti-platforms/lti-platforms.ts';
import { createOutbound } from '../../../src/adapters/remote/outbound.ts';
import type { Launch } from '../../../src/domain/lti/launch.ts';
import { noPrivateAccess } from '../../../src/domain/private-hosts.ts';
import { DEFAULT_TENANT } from '../../../src/domain/tenant.ts';
import type { LtiFaceDeps } from '../../../src/faces/lti/deps.ts';
import { createLtiFace } from '../../../src/faces/lti/lti-face.ts';
import { createRequestLog } from '../../../src/faces/request-log.ts';
import { assets } from '../../../src/faces/views.ts';
import { type Clock, systemClock } from '../../../src/ports/clock.ts';
import type { LtiRegistrationRecord } from '../../../src/ports/store/store.ts';
import { createPageReader } from '../../../src/services/catalogue/objects/page-reader.ts';
import { type OpenedServices, type OpenTestStore, openServices, tester } from '../../helpers/open-services.ts';

export interface RunningLti {
  /** Of the host, on localhost. */
  readonly url: string;
  readonly services: OpenedServices<Clock>;
  readonly deps: LtiFaceDeps;
  readonly platformsDeps: LtiPlatformsDeps;
  /** What `launchToken` launches from, when nothing else is said. */
  readonly registration: LtiRegistrationRecord;
  /** Lines of the log. */
  readonly log: string[];
  /** A launch that no platform made: a deep-linking one of an instructor unless told otherwise.
   *  @returns its token */
  launchToken(overrides?: Partial<Launch>): Promise<string>;
  close(): Promise<void>;
}

export interface LtiOptions {
  readonly clock?: Clock;
  /** The embedded one when absent. */
  readonly openStore?: OpenTestStore;
  /** Services that do otherwise than the real ones. */
  readonly deps?: Partial<LtiFaceDeps>;
  /** Adds other pages of the host. */
  mount?(app: Express, services: OpenedServices<Clock>, url: string): void;
}

/** The LTI tool on a real socket, with the real services over a real store of its own. */
export async function startLti({
  clock = systemClock,
  openStore,
  deps: otherwise,
  mount,
}: LtiOptions = {}): Promise<RunningLti> {
  const app = express().set('query parser', false);
  const server = createServer(app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const services = await openServices(clock, openStore);
  await services.tenants.prepare();
  const outbound = createOutbound({ allowLoopback: true, privateAccess: noPrivateAccess, version: 'test' });
  const platformsDeps = { registrations: services.ltiRegistrations, outbound, clock };
  const log: string[] = [];
  const deps: LtiFaceDeps = {
    ...services,
    registrations: services.ltiRegistrations,
    ltiRegistrationLinks: services.ltiRegistrationLinks,
    ltiFeedbackLimit: services.ltiFeedbackLimit,
    hasOtherShelves: services.hasSlack,
    platforms: createLtiPlatforms(platformsDeps),
    readObjectPage: createPageReader(createImportSources({ outbound })),
    publicUrl: url,
    publishes: { skills: true },
    onProblem: (error) => services.problems.push(error),
    ...otherwise,
  };
  app.use(createRequestLog(pino({ level: 'info' }, { write: (line: string) => log.push(line) })));
  app.use('/assets', assets.serve, express.static(resolve('views/assets')));
  app.use('/lti', createLtiFace(deps));
  mount?.(app, services, url);
  const registration = await services.ltiRegistrations.create(tester, anyRegistration);
  return {
    url,
    services,
    deps,
    platformsDeps,
    registration,
    log,
    launchToken: (overrides) => deps.launches.keepLaunch({ ...launchOf(registration, clock), ...overrides }),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await outbound.close();
      await services.close();
    },
  };
}

export const anyRegistration = {
  tenantId: DEFAULT_TENANT,
  origin: 'manual',
  deploymentIds: ['1'],
  issuer: 'https://lms.example.org',
  clientId: 'skilldock-at-lms',
  name: 'LMS of the tests',
  product: 'generic',
  authorizationEndpoint: 'https://lms.example.org/auth',
  tokenEndpoint: 'https://lms.example.org/token',
  tokenAudience: null,
  jwksUri: 'https://lms.example.org/keys',
  acceptsNewDeployments: true,
} as const;

const HOUR_MS = 3_600_000;

function launchOf(registration: LtiRegistrationRecord, clock: Clock): Launch {
  const { id, tenantId, product, issuer, clientId, authorizationEndpoint } = registration;
  return {
    id: randomUUID(),
    tenantId,
    registrationId: id,
    product,
    issuer,
    clientId,
    deploymentId: '1',
    platformOrigin: new URL(authorizationEndpoint).origin,
    user: { id: 'teacher-1', name: 'Tess Teacher', email: 'tess@example.org' },
    role: 'instructor',
    mayChange: true,
    isAdministrator: false,
    locale: 'en',
    context: { id: 'course-1', label: 'PY1', title: 'Introduction to Python' },
    custom: {},
    presentation: { target: 'iframe', returnUrl: null },
    resourceLink: null,
    deepLinking: {
      returnUrl: 'https://lms.example.org/return',
      acceptTypes: ['ltiResourceLink'],
      acceptMultiple: true,
      targets: ['iframe', 'window'],
      acceptLineItem: true,
      autoCreate: false,
      title: null,
      text: null,
      data: null,
    },
    grading: null,
    membershipsUrl: null,
    groupsUrl: null,
    launchedAt: clock.now(),
    expiresAt: new Date(clock.now().getTime() + 4 * HOUR_MS),
  };
}

/** What makes a launch one of a link in a course, of a learner. */
export const resourceLinkLaunch = {
  role: 'learner',
  user: { id: 'learner-1', name: 'Lea Learner', email: 'lea@example.org' },
  deepLinking: null,
  resourceLink: { id: 'link-1', title: 'A link', description: null },
} as const satisfies Partial<Launch>;
