import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, vi } from 'vitest';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import type { SlackFaceDeps } from '../../../../src/faces/slack/deps.ts';
import type { Listener, ListenerOf } from '../../../../src/faces/slack/listener.ts';
import { createSlackFace } from '../../../../src/faces/slack/slack-face.ts';
import { systemClock } from '../../../../src/ports/clock.ts';
import { openServices } from '../../../helpers/open-services.ts';
import { type Failure, slackApp } from '../start-slack.ts';

/** A call of Slack's API, or an answer to a response address. */
export interface SlackCall {
  /** `views.open`; `response` for an answer. */
  readonly method: string;
  readonly token: string | null;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What Slack's side answers: a body, or a status and what else is needed. */
export interface SlackAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Awaited before it is answered. */
  readonly after?: Promise<unknown>;
}

export interface SignedOptions {
  readonly listeners?: readonly Listener[];
  readonly deps?: (real: SlackFaceDeps) => Partial<SlackFaceDeps>;
  /** By the name of the method; `{ ok: true }` where nothing is given. */
  answer?(call: SlackCall): SlackAnswer | undefined;
}

/** Lets no limit of the face pass, however busy the machine is, but by `passTime`. Undone by
 *  `vi.useRealTimers`. */
export const holdTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });

/** `expect.poll` lets its interval (50 ms) pass at each try where `holdTime` holds the time: after
 *  30 tries on a busy machine, a look-up would be late. This one lets none pass. */
export const pollHeld = <T>(read: () => T) => expect.poll(read, { interval: 0 });

/** Has so much time passed for the face, where `holdTime` holds it. */
export async function passTime(ms: number): Promise<void> {
  await new Promise((done) => setImmediate(done));
  await vi.advanceTimersByTimeAsync(ms);
}

/** Work that has begun, and goes on when the test says so. */
export function createHold() {
  let [begin, release] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wait = () => {
    begin();
    return released;
  };
  return { begun, wait, release };
}

export type RunningSigned = Awaited<ReturnType<typeof startSigned>>;

export const TEAM = 'T0ACME';

/** The face on a real socket, and beside it the least of a Slack: it answers what a test says, so
 *  that it can misbehave. */
export async function startSigned({ listeners = [echo], deps: otherwise, answer }: SignedOptions = {}) {
  const calls: SlackCall[] = [];
  const slackSide = await listen(createSlackSide(calls, answer ?? (() => undefined)));
  const app = express().set('query parser', false);
  const host = await listen(app);
  const services = await openServices(systemClock);
  const failures: Failure[] = [];
  const connection = {
    ...slackApp,
    apiUrl: `${slackSide.url}/api/`,
    authorizationUrl: `${slackSide.url}/oauth/v2/authorize`,
    findInstalled: services.slackInstallations.findInstalled,
    erase: services.slackInstallations.erase,
  };
  const real: SlackFaceDeps = {
    ...services,
    publishes: { skills: true },
    slackInstallations: services.slackInstallations,
    slackInstallLinks: services.slackInstallLinks,
    listConnections: async () => [connection],
    unfurlsLinks: false,
    findPublishedObject: async () => null,
    findConnection: async () => connection,
    slackFeedbackLimit: services.slackFeedbackLimit,
    nonces: services.store.nonces,
    rateCounters: services.store.rateCounters,
    clock: systemClock,
    publicUrl: host.url,
    onProblem: (error) => services.problems.push(error),
    onFailure: (failure) => failures.push(failure),
  };
  const deps = { ...real, ...otherwise?.(real) };
  const face = createSlackFace(deps, listeners);
  app.use('/slack', face.router);
  await services.slackInstallations.install(anyInstallation, DEFAULT_TENANT);
  const url = `${host.url}/slack/events`;
  return {
    url: host.url,
    services,
    deps,
    calls,
    failures,
    responseUrl: `${slackSide.url}/response/1`,
    /** Arguments of the calls of a method, as soon as there are so many. */
    async callsOf(method: string, count = 1) {
      const find = () => calls.filter((call) => call.method === method).map(({ args }) => args);
      await pollHeld(() => find().length).toBeGreaterThanOrEqual(count);
      return find();
    },
    /** Sends it as Slack does. */
    send: (body: string, options?: SendOptions) => send(url, body, options),
    /** `/learn docker`. */
    command: (text: string, more: Readonly<Record<string, string>> = {}) =>
      send(url, new URLSearchParams({ ...commandBody(text, `${slackSide.url}/response/1`), ...more }).toString()),
    interact: (payload: object) =>
      send(url, new URLSearchParams({ payload: JSON.stringify({ ...anyPayload(), ...payload }) }).toString()),
    event: (event: object, more: object = {}) =>
      send(url, JSON.stringify({ ...eventBody(), ...more, event }), { contentType: 'application/json' }),
    async close() {
      await face.close();
      await host.close();
      await slackSide.close();
      await services.close();
    },
  };
}

/** Says what was typed. */
export const echo: ListenerOf<'command'> = {
  kind: 'command',
  name: '/learn',
  handle: async (_context, text) => ({ kind: 'message', message: plainMessage(`you said ${text}`) }),
};

export const plainMessage = (text: string) => ({
  text,
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text } } as const],
});

export const anyInstallation = {
  id: TEAM,
  kind: 'workspace',
  name: 'Acme',
  enterpriseId: null,
  appId: 'A1',
  botId: 'B1',
  botUserId: 'UBOT',
  botToken: 'xoxb-of-acme',
  scopes: ['commands'],
  installedBy: 'UADA',
} as const;

let count = 0;
const next = () => `${Date.now()}.${++count}`;

const commandBody = (text: string, responseUrl: string) => ({
  command: '/learn',
  text,
  team_id: TEAM,
  user_id: 'UADA',
  channel_id: 'C1',
  trigger_id: next(),
  response_url: responseUrl,
});

const anyPayload = () => ({
  type: 'block_actions',
  team: { id: TEAM },
  user: { id: 'UADA', team_id: TEAM },
  trigger_id: next(),
});

const eventBody = () => ({
  type: 'event_callback',
  team_id: TEAM,
  event_id: `Ev${next()}`,
  event_time: Math.floor(Date.now() / 1_000),
});

export interface SendOptions {
  readonly contentType?: string;
  readonly secret?: string;
  /** Seconds from now. */
  readonly offset?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(url: string, body: string, options: SendOptions = {}) {
  const { contentType = 'application/x-www-form-urlencoded', secret = slackApp.signingSecret, offset = 0 } = options;
  const stamp = String(Math.floor(Date.now() / 1_000) + offset);
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${stamp}:${body}`).digest('hex')}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': contentType,
      'X-Slack-Request-Timestamp': stamp,
      'X-Slack-Signature': signature,
      ...options.headers,
    },
    body,
  });
  const text = await response.text();
  return { status: response.status, text };
}

async function listen(handler: Parameters<typeof createServer>[1]) {
  const server = createServer(handler);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function createSlackSide(calls: SlackCall[], answer: NonNullable<SignedOptions['answer']>) {
  const app = express();
  app.use(async (request, response) => {
    const args = await readArguments(request);
    const [, method = ''] = /^\/api\/([\w.]+)/.exec(request.url) ?? ['', 'response'];
    const token = request.headers.authorization?.replace('Bearer ', '') ?? null;
    const call = { method, token, args };
    calls.push(call);
    const { status = 200, headers = {}, body = { ok: true, view: { id: 'V1' } }, after } = answer(call) ?? {};
    await after;
    response.status(status).set(headers).json(body);
  });
  return app;
}

async function readArguments(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (request.headers['content-type']?.includes('json')) return JSON.parse(text);
  const fields = [...new URLSearchParams(text)];
  return Object.fromEntries(fields.map(([name, value]) => [name, /^[{[]/.test(value) ? JSON.parse(value) : value]));
}
