import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Ack, Delivery } from '../../demo/slack/deliveries.ts';
import type { Grant } from '../../demo/slack/grants.ts';
import { createSlack, type RevocationEvent, type Slack } from '../../demo/slack/slack.ts';
import type { Throttling } from '../../demo/slack/web-api/throttle.ts';
import type { ConnectedApp } from '../../demo/slack/world.ts';
import { type Clock, systemClock } from '../../src/ports/clock.ts';
import { createPerson, type FakePerson } from './slack/person.ts';
import { channelIdOf, crowdId, enterprise, type Place, placeIdOf, teams, worldWith } from './slack/world.ts';

export type { FakePerson, Filled } from './slack/person.ts';
export { type Seen, type SeenBlock, type SeenMessage, type SeenView, wordsOf } from './slack/seen.ts';
export type { Ack, ConnectedApp, Grant };

/** A Slack of its own, over real sockets: workspace `acme`, and `north` and `south` of the
 *  organisation `world`. */
export interface FakeSlack {
  /** Without a slash at the end. */
  readonly url: string;
  /** Of the methods, with a slash at the end. */
  readonly apiUrl: string;
  /** Of the page that asks for permission. */
  readonly authorizationUrl: string;
  /** In `acme`, English (en-GB); like the others in the channel `general`. */
  readonly ada: FakePerson;
  /** In `acme`, French (fr-FR). */
  readonly benoit: FakePerson;
  /** In `north` (en-US). */
  readonly olga: FakePerson;
  /** More people in `acme`, as many as the test wants; English. */
  readonly crowd: readonly FakePerson[];
  readonly teams: typeof teams;
  readonly enterprise: typeof enterprise;
  readonly core: Slack;
  /** `A1SKILLDOCK` when no id of the app is given. */
  connect(app: Omit<ConnectedApp, 'appId'> & { readonly appId?: string }): void;
  /** Without OAuth; in `acme` when absent, with all scopes of the app. */
  install(where?: Place, scopes?: readonly string[]): Grant;
  /** What the app's link to Slack's page leads to when somebody allows it. Throws where the page
   *  would refuse the link.
   *  @returns address at the app */
  approve(authorizeUrl: string, where?: Place): Promise<string>;
  cancel(authorizeUrl: string): Promise<string>;
  /** Somebody removes the app on Slack's pages: the token is dead, and both events come, in this
   *  order. */
  uninstall(where?: Place, events?: readonly RevocationEvent[]): Promise<readonly Ack[]>;
  /** Sends it again as a retry, with the same event id. */
  retries(delivery: Delivery, number?: number): Promise<Ack>;
  /** The next calls are told to wait. `response_url` stands for all response URLs. */
  throttle(throttling: Throttling): void;
  /** Calls that came, oldest first; those of response URLs are called `response_url`. */
  readonly calls: readonly FakeCall[];
  /** Everything that was done against Slack's rules; tests expect it to be empty at their end. */
  readonly problems: readonly string[];
  /** Gives the problems and forgets them, for tests of what is wrong. */
  takeProblems(): readonly string[];
  close(): Promise<void>;
}

export interface FakeCall {
  readonly method: string;
  readonly token: string | null;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface FakeSlackOptions {
  readonly clock?: Clock;
  /** Five minutes when absent: Slack's three seconds are the time of a quiet machine. */
  readonly ackTimeoutMs?: number;
  /** None when absent. */
  readonly crowd?: number | undefined;
}

const scopesOfApp = ['commands', 'chat:write', 'users:read'];

export async function startFakeSlack({
  clock = systemClock,
  ackTimeoutMs = WAIT_MS,
  crowd = 0,
}: FakeSlackOptions = {}): Promise<FakeSlack> {
  const host = express();
  const server = createServer(host);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const problems: string[] = [];
  const calls: FakeCall[] = [];
  const { waitFor, onChange } = createWaiting(problems);
  const core = createSlack({
    world: worldWith(crowd),
    clock,
    url,
    ackTimeoutMs,
    onProblem: (problem) => problems.push(problem),
    onCall: (method, call) => calls.push({ method, ...call }),
    onChange,
  });
  host.use(core.router);
  host.get('/oauth/v2/authorize', (request, response) => {
    try {
      response.send(`Allow it? Else back to ${core.cancel(url + request.originalUrl)}`);
    } catch (error) {
      response.status(400).send((error as Error).message);
    }
  });

  const person = (userId: string, teamId: string) =>
    createPerson(core, { userId, teamId, channelId: channelIdOf(teamId, 'general') }, waitFor);
  const placeOf = (where: Place) => ({
    placeId: placeIdOf(where),
    userId: where === 'acme' ? 'U1ADA' : 'U1OLGA',
  });

  return {
    url,
    apiUrl: `${url}/api/`,
    authorizationUrl: `${url}/oauth/v2/authorize`,
    ada: person('U1ADA', teams.acme.id),
    benoit: person('U1BENOIT', teams.acme.id),
    olga: person('U1OLGA', teams.north.id),
    crowd: Array.from({ length: crowd }, (_, at) => person(crowdId(at), teams.acme.id)),
    teams,
    enterprise,
    core,
    connect: (app) => core.connect({ appId: 'A1SKILLDOCK', ...app }),
    install: (where = 'acme', scopes = scopesOfApp) => core.install(placeOf(where), scopes),
    async approve(link, where = 'acme') {
      await openPage(link, url);
      return core.approve(link, placeOf(where));
    },
    async cancel(link) {
      await openPage(link, url);
      return core.cancel(link);
    },
    async uninstall(where = 'acme', events = ['app_uninstalled', 'tokens_revoked']) {
      const grant = core.grants.findAt(placeIdOf(where));
      if (grant === null) throw new Error(`The app is not installed in ${where}`);
      return core.uninstall(grant, events);
    },
    retries: (delivery, number = 1) => core.acts.retry(delivery, number),
    throttle: core.throttle,
    calls,
    problems,
    takeProblems: () => problems.splice(0),
    async close() {
      await core.settle();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function openPage(link: string, url: string): Promise<void> {
  if (!link.startsWith(`${url}/oauth/v2/authorize?`)) throw new Error(`${link} does not lead to Slack's page`);
  const page = await fetch(link);
  if (!page.ok) throw new Error(await page.text());
}

const WAIT_MS = 300_000;

/** Waits for what people see to change, and says what went wrong meanwhile where it does not. */
function createWaiting(problems: readonly string[]) {
  const checks = new Set<() => void>();
  const waitFor = <T>(what: string, find: () => T | null | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        checks.delete(check);
      };
      const check = () => {
        const found = find();
        if (found === null || found === undefined) return;
        end();
        resolve(found);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error([`No such ${what} after ${WAIT_MS} ms`, ...problems].join('\n')));
      }, WAIT_MS);
      checks.add(check);
      check();
    });
  return {
    waitFor,
    onChange: () => {
      for (const check of [...checks]) check();
    },
  };
}
