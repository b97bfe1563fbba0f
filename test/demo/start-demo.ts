import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { createDemo } from '../../demo/demo.ts';
import { createImportSources } from '../../src/adapters/catalog/open-import-source.ts';
import { createLtiPlatforms } from '../../src/adapters/lti-platforms/lti-platforms.ts';
import { createOutbound } from '../../src/adapters/remote/outbound.ts';
import { noPrivateAccess } from '../../src/domain/private-hosts.ts';
import { createHomeErrorPages, refuseUnknownPages } from '../../src/faces/home/page-errors.ts';
import type { LtiFaceDeps } from '../../src/faces/lti/deps.ts';
import { createLtiFace } from '../../src/faces/lti/lti-face.ts';
import { createRequestLog } from '../../src/faces/request-log.ts';
import { createSlackFace } from '../../src/faces/slack/slack-face.ts';
import { assets } from '../../src/faces/views.ts';
import { readLanguages } from '../../src/faces/words/i18n.ts';
import type { Demo } from '../../src/load-demo.ts';
import { type Clock, systemClock } from '../../src/ports/clock.ts';
import { createPageReader } from '../../src/services/catalogue/objects/page-reader.ts';
import { type OpenedServices, openServices } from '../helpers/open-services.ts';

export interface RunningDemo {
  /** Of the tool, on localhost. */
  readonly toolUrl: string;
  /** Of the course, on 127.0.0.1. */
  readonly url: string;
  readonly services: OpenedServices<Clock>;
  /** What the app has of the demo's Slack. */
  slackConnection(): Demo['slack'];
  /** A path of the course, redirects not followed. */
  get(path: string, init?: RequestInit): Promise<Response>;
  /** The text of a page that answers with 200. */
  page(path: string): Promise<string>;
  /** A form of the course's pages. */
  post(path: string, headers?: Record<string, string>): Promise<Response>;
  /** The course of a host that was started again on the same store. */
  restart(): void;
  close(): Promise<void>;
}

/** The demo course, the LTI tool, the demo chat and the Slack app on one real socket, with the real
 *  services over a real store. */
export async function startDemo(): Promise<RunningDemo> {
  const app = express().set('query parser', false);
  const server = createServer(app);
  await new Promise<void>((done) => server.listen(0, done));
  const { port } = server.address() as AddressInfo;
  const toolUrl = `http://localhost:${port}`;
  const url = `http://127.0.0.1:${port}/demo`;
  const services = await openServices(systemClock);
  const outbound = createOutbound({ allowLoopback: true, privateAccess: noPrivateAccess, version: 'test' });
  const { ltiRegistrations: registrations, clock, tenants, people } = services;
  const onProblem = (error: unknown) => services.problems.push(error);
  const publishes = { skills: true };
  const ltiDeps: LtiFaceDeps = {
    ...services,
    publishes,
    registrations,
    ltiRegistrationLinks: services.ltiRegistrationLinks,
    ltiFeedbackLimit: services.ltiFeedbackLimit,
    hasOtherShelves: services.hasSlack,
    platforms: createLtiPlatforms({ registrations, outbound, clock }),
    readObjectPage: createPageReader(createImportSources({ outbound })),
    publicUrl: toolUrl,
    onProblem,
  };
  const { rateCounters } = services.store;
  const startDemo = () =>
    createDemo({
      tenants,
      registrations,
      people,
      rateCounters,
      clock,
      port,
      onProblem,
      publicUrl: toolUrl,
      host: undefined,
    });
  let demo = startDemo();
  const slack = createSlackFace({
    ...services,
    publishes,
    slackInstallations: services.slackInstallations,
    slackInstallLinks: services.slackInstallLinks,
    slackFeedbackLimit: services.slackFeedbackLimit,
    unfurlsLinks: false,
    findPublishedObject: async () => null,
    findConnection: async () => null,
    listConnections: async () => [demo.slack],
    nonces: services.store.nonces,
    rateCounters,
    publicUrl: toolUrl,
    onProblem,
    onFailure: ({ error }) => onProblem(error),
  });
  app.use(createRequestLog(pino({ level: 'silent' })));
  app.use('/assets', assets.serve, express.static(resolve('views/assets')));
  app.use('/lti', createLtiFace(ltiDeps));
  app.use('/slack', slack.router);
  app.use('/demo', (request, response, next) => demo.router(request, response, next));
  app.use(refuseUnknownPages, createHomeErrorPages({ publicUrl: toolUrl, languages: readLanguages() }));
  const get = (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init });
  return {
    toolUrl,
    url,
    services,
    slackConnection: () => demo.slack,
    get,
    async page(path) {
      const response = await get(path);
      if (response.status !== 200) throw new Error(`${path} answered with ${response.status}`);
      return response.text();
    },
    post: (path, headers = { origin: new URL(url).origin }) => get(path, { method: 'POST', headers }),
    restart() {
      demo = startDemo();
    },
    async close() {
      await slack.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await outbound.close();
      await services.close();
    },
  };
}
