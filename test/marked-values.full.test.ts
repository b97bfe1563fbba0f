import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { operations } from '../src/contract/operations.ts';
import { askIn } from './faces/mcp/assistant.ts';
import { ADMIN_PASSWORD, letIn, signIn } from './faces/mcp/let-in.ts';
import { createBrowser, locationOf } from './faces/slack/install/browser.ts';
import { slackApp } from './faces/slack/start-slack.ts';
import { type FakePlatform, startFakePlatform } from './fakes/lti-platform.ts';
import { type FakeSlack, startFakeSlack } from './fakes/slack.ts';
import { startFakeUpstream, UPSTREAM_KEY } from './fakes/upstream.ts';
import { startApp } from './helpers/app.ts';
import { type HostProcess, startHostProcess } from './helpers/host-process.ts';

/** A part of every name, address, id, word, token and password that the test sends. */
const MARK = 'qzmark7f3a';
const marked = {
  name: `Name ${MARK}`,
  email: `${MARK}@example.org`,
  words: `learn ${MARK}`,
  token: `sk_${MARK}_0123456789abcdef`,
};

const AT_ONCE = 8;

/** Parameters of paths that are ids of the host or the catalogue, which an operator needs in the
 *  log. The place of any other one gets a mark. */
const idsOfHost = [
  ...['tenantId', 'registrationId', 'workspaceId', 'feedbackId', 'importId', 'adminId', 'keyId', 'linkId', 'grantId'],
  ...['sessionId', 'provider', 'variant', 'form', 'colour', 'name', 'id', 'file', 'format', 'part'],
];

interface ListedRoute {
  readonly method: string;
  readonly path: string;
}

/** Every route of the program, with the addresses that its routers are mounted at: also of a face
 *  that is new. */
async function listRoutes(settings: Record<string, string>): Promise<readonly ListedRoute[]> {
  const mounts = new Map<unknown, string>();
  const { prototype } = express.Router as unknown as { prototype: express.Router };
  const use = prototype.use as (...given: unknown[]) => unknown;
  vi.spyOn(prototype, 'use').mockImplementation(function (this: unknown, ...given: unknown[]) {
    if (typeof given[0] === 'string') for (const child of given.slice(1)) mounts.set(child, given[0]);
    return use.apply(this, given);
  } as never);
  const { express: app, close } = await startApp(undefined, settings);
  await close();
  vi.restoreAllMocks();
  // One handler takes all operations of the service.
  const asked = Object.values(operations).map(({ method, path }) => ({ method: method.toLowerCase(), path }));
  return [...walk(app.router, '', mounts), ...asked];
}

interface Layer {
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: string; readonly stack: readonly { readonly method?: string }[] };
}

function walk(router: unknown, at: string, mounts: ReadonlyMap<unknown, string>): readonly ListedRoute[] {
  return ((router as { stack: readonly Layer[] }).stack ?? []).flatMap(({ handle, route }) => {
    if (route !== undefined)
      return [...new Set(route.stack.map(({ method = 'all' }) => method))].flatMap((method) =>
        (method === 'all' ? ['get', 'post'] : [method]).map((each) => ({ method: each, path: at + route.path })),
      );
    return handle.stack === undefined ? [] : walk(handle, at + (mounts.get(handle) ?? '').replace(/\/$/, ''), mounts);
  });
}

/** A collector of traces that keeps what it is sent. */
async function startCollector() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: () => new Promise((done) => server.close(done)),
  };
}

const slackSettings = (slack: FakeSlack) => ({
  SLACK_CLIENT_ID: slackApp.clientId,
  SLACK_CLIENT_SECRET: slackApp.clientSecret,
  SLACK_SIGNING_SECRET: slackApp.signingSecret,
  SLACK_API_URL: slack.apiUrl,
});

describe.each(['its own catalogue', 'an upstream'])('a host with %s', (kind) => {
  let host: HostProcess;
  let routes: readonly ListedRoute[];
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let upstream: Awaited<ReturnType<typeof startFakeUpstream>>;
  let platform: FakePlatform;
  let slack: FakeSlack;
  /** Tokens, keys and cookies that the host made, and ids that others gave. */
  const secrets = new Set<string>([MARK]);
  let session: Awaited<ReturnType<typeof signIn>>;
  let launches: readonly string[] = [];
  /** What others were answered. */
  const answersToOthers: string[] = [];

  beforeAll(async () => {
    [collector, upstream, platform, slack] = await Promise.all([
      startCollector(),
      startFakeUpstream(),
      startFakePlatform(),
      startFakeSlack(),
    ]);
    const settings = {
      ...slackSettings(slack),
      ...(kind === 'an upstream' && { UPSTREAM_URL: upstream.url, UPSTREAM_API_KEY: UPSTREAM_KEY }),
      ALLOW_PRIVATE_UPSTREAM: '1',
      ADMIN_PASSWORD,
    };
    routes = await listRoutes(settings);
    host = await startHostProcess({
      ...settings,
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    slack.connect({
      ...slackApp,
      eventsUrl: `${host.url}/slack/events`,
      redirectUrl: `${host.url}/slack/oauth_redirect`,
    });
    session = await signIn(host.url);
  });
  afterAll(async () => {
    await host?.stop();
    await Promise.all([collector?.close(), upstream?.close(), platform?.close(), slack?.close()]);
  });

  const fields = () => ({
    q: marked.words,
    keywords: marked.words,
    text: marked.words,
    words: marked.words,
    name: marked.name,
    email: marked.email,
    url: `https://example.org/${MARK}`,
    comment: marked.words,
    account: `lti:x:${MARK}`,
    password: `${MARK}-long-enough`,
    current: marked.token,
    code: MARK,
    state: MARK,
    token: marked.token,
    key: marked.token,
    user: MARK,
    login_hint: MARK,
    id_token: MARK,
    client_id: 'a client',
    refresh_token: marked.token,
  });

  async function ask({ method, path }: ListedRoute, more: Record<string, string> = {}, headers = {}) {
    const filled = path
      .replace(/[:*](\w+)/g, (_, name: string) =>
        idsOfHost.includes(name) || /^\/(?:pictures|demo)\//.test(path) ? 'default' : `${MARK}0123456789abcdef`,
      )
      .replace(/[{}]/g, '');
    const values = new URLSearchParams({ ...fields(), ...more });
    const isRead = method === 'get' || method === 'head';
    const answer = await fetch(`${host.url}${filled}${isRead ? `?${values}` : `?q=${MARK}`}`, {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: { 'x-api-key': marked.token, authorization: `Bearer ${marked.token}`, ...headers },
      ...(!isRead && { body: values }),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  const cookieOf = (browser: typeof session) => [...browser.cookies].map((each) => each.join('=')).join('; ');

  /** All routes: as a stranger, as an owner with forms of the page, and with each launch. */
  async function walkRoutes(): Promise<ReadonlySet<number>> {
    const statuses = new Set<number>();
    const json = { 'content-type': 'application/json', 'x-api-key': marked.token };
    const csrf = await session.findCsrf().catch(() => '');
    async function walkRoute(route: ListedRoute): Promise<void> {
      const { method, path } = route;
      statuses.add(await ask(route));
      const isHarmless = !/sign-out|password|second-factor|remove$|delete$/.test(path);
      if (path.startsWith('/admin') && isHarmless)
        statuses.add(await ask(route, { csrf }, { cookie: cookieOf(session), authorization: '', 'x-api-key': '' }));
      if (path.startsWith('/lti'))
        for (const launch of launches)
          statuses.add(await ask(route, { launch }, { authorization: `Bearer ${launch}` }));
      if (method !== 'post' || /^\/(?:admin|lti)/.test(path)) return;
      for (const body of [JSON.stringify(fields()), `{"a": "${MARK}`])
        await fetch(host.url + path, { method: 'POST', headers: json, body, redirect: 'manual' }).then((each) =>
          each.text(),
        );
    }
    const left = [...routes];
    const walkSome = async () => {
      for (let route = left.shift(); route !== undefined; route = left.shift()) await walkRoute(route);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, walkSome));
    return statuses;
  }

  /** What strangers see at the same time. */
  async function readAsStranger(): Promise<void> {
    for (const path of ['/', '/metrics', '/readyz', '/openapi.json', '/nothing', '/browse', '/privacy', '/lti/keys'])
      answersToOthers.push(await (await fetch(host.url + path)).text());
  }

  async function checkNothingSaid(): Promise<void> {
    await readAsStranger();
    await expect.poll(() => host.log()).toContain('request answered');
    const everything = { log: host.log(), traces: collector.bodies.join('\n'), others: answersToOthers.join('\n') };
    const told = Object.entries(everything).flatMap(([place, text]) =>
      text
        .split('\n')
        .filter((line) => [...secrets].some((secret) => line.toLowerCase().includes(secret.toLowerCase())))
        .map((line) => `${place}: ${line.slice(0, 2_000)}`),
    );
    expect(told).toEqual([]);
  }

  test('has the routes of all faces', () => {
    const faces = new Set(routes.map(({ path }) => path.split('/')[1]));
    for (const face of ['admin', 'lti', 'slack', 'mcp', 'oauth', 'oai', 'domcomp', 'learningobject', 'my-data', 'ims'])
      expect([...faces]).toContain(face);
    expect(routes.length).toBeGreaterThan(200);
  });

  test('says nothing of who launches, searches and gives feedback in a course', async () => {
    const tool = platform.addTool(host.url);
    const details = platform.detailsOf(tool.clientId);
    const { tokenAudience: _, acceptsNewDeployments: __, ...platformFields } = details;
    const form = { ...platformFields, name: 'LMS', deploymentId: tool.deploymentId, acceptsNewDeployments: 'on' };
    const added = await session.post('/tenants/default/registrations/manual', form);
    expect(added.status).toBe(303);
    const people = platform.people as Map<string, unknown>;
    for (const role of ['instructor', 'learner'])
      people.set(`${role}-${MARK}`, {
        id: `${role}-${MARK}`,
        givenName: 'Name',
        familyName: MARK,
        email: marked.email,
        role,
        isEnrolled: true,
      });
    platform.addLink({ id: 'link', title: 'A link' }, 10);
    const opened = [
      await platform.launch({ person: `instructor-${MARK}` }),
      await platform.launch({ person: `instructor-${MARK}`, link: 'link' }),
      await platform.launch({ person: `learner-${MARK}`, link: 'link' }),
    ];
    launches = opened.map(({ location, response }) => {
      const token = location?.searchParams.get('launch');
      if (!token) throw new Error(`A launch was answered with ${response.status}`);
      return token;
    });
    for (const token of launches) secrets.add(token.slice(-30));
    for (const { fields } of opened) secrets.add(fields.id_token.slice(-40)).add(fields.state.slice(-20));
    await platform.launch({ person: `learner-${MARK}`, link: 'link', keepsCookies: false });
    await checkNothingSaid();
  });

  test('says nothing of who searches in Slack', async () => {
    const browser = createBrowser();
    const toSlack = locationOf(await browser.get(`${host.url}/slack/install`));
    expect((await browser.get(await slack.approve(toSlack))).status).toBe(200);
    await slack.ada.types(`/learn ${marked.words}`);
    await slack.ada.waitsForMessage();
    await slack.ada.types(`/skills ${marked.words}`);
    await slack.ada.opensHome();
    await slack.ada.waitsForHome();
    for (const id of [slack.ada.userId, slack.teams.acme.id]) secrets.add(id);
    await checkNothingSaid();
  });

  test('says nothing of what assistants and programs ask', async () => {
    const assistant = await askIn(host.url);
    await letIn(session, assistant);
    for (const { name } of (await assistant.client.listTools()).tools) {
      const given = { ...fields(), query: marked.words, plan: MARK };
      await assistant.client.callTool({ name, arguments: given }).catch(() => undefined);
    }
    const tokens = assistant.tokens();
    for (const token of [tokens.access_token, tokens.refresh_token ?? '']) secrets.add(token.slice(-30));
    await assistant.close();
    const key = await host.createKey();
    secrets.add(key.slice(3));
    for (const path of ['/learningobject/v2/search', '/learningobject/v2/search-provider', '/domcomp/v1/similar'])
      await fetch(`${host.url}${path}?${new URLSearchParams({ keywords: marked.words, provider: 'tube' })}`, {
        headers: { 'x-api-key': key },
      });
    const feedback = { url: `https://example.org/${MARK}`, comment: marked.words, email: marked.email };
    for (const path of ['/learningobject/v2/feedback', '/domcomp/v1/tagger'])
      await fetch(host.url + path, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ ...feedback, request_id: MARK, text: marked.words }),
      });
    await checkNothingSaid();
  });

  test('says nothing at any route, for strangers, owners and launches', async () => {
    for (const [, value] of session.cookies) secrets.add(value.slice(-30));
    const statuses = await walkRoutes();
    for (const status of [200, 400, 401, 403, 404, 422]) expect(statuses).toContain(status);
    await checkNothingSaid();
  });

  test('says nothing where upstream and store fail', async () => {
    await upstream.stop();
    const database = new Database(join(host.dataDir, 'skilldock.db'));
    database.pragma('foreign_keys = OFF');
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
    for (const { name } of tables.all() as { name: string }[]) database.exec(`DROP TABLE "${name}"`);
    database.close();
    const statuses = await walkRoutes();
    expect([...statuses]).toEqual(expect.arrayContaining([503]));
    await checkNothingSaid();
    await host.stop();
    await checkNothingSaid().catch((error) => {
      if (!/fetch failed/.test(String(error))) throw error;
    });
  });
});
