import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { DEFAULT_TENANT } from '../../../src/domain/tenant.ts';
import { createRequestLog } from '../../../src/faces/request-log.ts';
import type { SlackConnection, SlackFaceDeps } from '../../../src/faces/slack/deps.ts';
import type { Listener } from '../../../src/faces/slack/listener.ts';
import { createSlackFace } from '../../../src/faces/slack/slack-face.ts';
import { type Clock, systemClock } from '../../../src/ports/clock.ts';
import type { NewSlackInstallation } from '../../../src/services/people/slack/slack-installations.ts';
import { type FakeSlack, type Grant, startFakeSlack } from '../../fakes/slack.ts';
import { type OpenedServices, type OpenTestStore, openServices } from '../../helpers/open-services.ts';

export const slackApp = {
  clientId: '111.222',
  clientSecret: 'client-secret-of-the-tests',
  signingSecret: 'signing-secret-of-the-tests',
} as const;

export type Failure = Parameters<SlackFaceDeps['onFailure']>[0];

export interface RunningSlack {
  /** Of the host, on localhost. */
  readonly url: string;
  readonly slack: FakeSlack;
  readonly services: OpenedServices<Clock>;
  readonly deps: SlackFaceDeps;
  /** What people were told of. */
  readonly failures: Failure[];
  /** Lines of the log. */
  readonly log: string[];
  close(): Promise<void>;
}

export interface SlackOptions {
  readonly clock?: Clock;
  /** Services that do otherwise than the real ones. */
  readonly deps?: (real: SlackFaceDeps) => Partial<SlackFaceDeps>;
  /** In place of all that there are. */
  readonly listeners?: readonly Listener[];
  /** False leaves it to the test to install the app; in `acme`, for the default tenant, otherwise. */
  readonly isInstalled?: boolean;
  /** The embedded one when absent. */
  readonly openStore?: OpenTestStore | undefined;
  /** More people in `acme`; none when absent. */
  readonly crowd?: number;
}

/** The Slack app on a real socket, with the real services over a real store of its own, beside a fake Slack that it talks with. */
export async function startSlack(options: SlackOptions = {}): Promise<RunningSlack> {
  const { clock = systemClock, listeners, isInstalled = true } = options;
  const slack = await startFakeSlack({ clock, crowd: options.crowd });
  const app = express().set('query parser', false);
  const server = createServer(app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const services = await openServices(clock, options.openStore);
  const failures: Failure[] = [];
  const log: string[] = [];
  const real = realDeps({ services, slack, url, clock, onFailure: (failure) => failures.push(failure) });
  const deps = { ...real, ...options.deps?.(real) };
  const face = createSlackFace(deps, listeners);
  app.use(createRequestLog(pino({ level: 'info' }, { write: (line: string) => log.push(line) })));
  app.use('/slack', face.router);
  app.use('/assets', express.static(resolve('views/assets')));
  const redirectUrl = `${url}/slack/oauth_redirect`;
  slack.connect({ ...slackApp, eventsUrl: `${url}/slack/events`, redirectUrl });
  if (isInstalled) await deps.slackInstallations.install(toInstallation(slack.install('acme')), DEFAULT_TENANT);
  return {
    url,
    slack,
    services,
    deps,
    failures,
    log,
    async close() {
      await face.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await slack.close();
      await services.close();
    },
  };
}

interface RealDepsParts {
  readonly services: OpenedServices<Clock>;
  readonly slack: FakeSlack;
  readonly url: string;
  readonly clock: Clock;
  onFailure(failure: Failure): void;
}

function realDeps({ services, slack, url, clock, onFailure }: RealDepsParts): SlackFaceDeps {
  const { slackInstallations, store } = services;
  const { apiUrl, authorizationUrl } = slack;
  const findInstalled: SlackConnection['findInstalled'] = (source) => slackInstallations.findInstalled(source);
  const { erase } = slackInstallations;
  const connection = { ...slackApp, apiUrl, authorizationUrl, findInstalled, erase };
  return {
    ...services,
    slackInstallations,
    slackInstallLinks: services.slackInstallLinks,
    listConnections: async () => [connection],
    unfurlsLinks: false,
    findPublishedObject: async () => null,
    findConnection: async () => connection,
    slackFeedbackLimit: services.slackFeedbackLimit,
    nonces: store.nonces,
    rateCounters: store.rateCounters,
    clock,
    publicUrl: url,
    publishes: { skills: true },
    onProblem: (error) => services.problems.push(error),
    onFailure,
  };
}

/** What a grant of the fake is, as OAuth gives it to the host. */
export function toInstallation(grant: Grant): NewSlackInstallation {
  const where = grant.isEnterpriseInstall ? grant.enterprise : grant.team;
  return {
    id: where!.id,
    kind: grant.isEnterpriseInstall ? 'organisation' : 'workspace',
    name: where!.name,
    enterpriseId: grant.enterprise?.id ?? null,
    appId: grant.appId,
    botId: grant.botId,
    botUserId: grant.botUserId,
    botToken: grant.token,
    scopes: grant.scopes,
    installedBy: grant.userId,
  };
}
