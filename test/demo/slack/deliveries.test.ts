import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sign } from '../../../demo/slack/deliveries.ts';
import { type FakeSlack, startFakeSlack } from '../../fakes/slack.ts';
import { credentials } from './start-bolt.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let slack: FakeSlack;
let server: Server;
let received: Received[];
/** Null answers nothing. */
let status: number | null;

beforeEach(async () => {
  received = [];
  status = 200;
  server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    received.push({ headers: request.headers, body });
    if (status !== null) response.writeHead(status).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  slack = await startFakeSlack({ ackTimeoutMs: 2_000 });
  slack.connect({ ...credentials, eventsUrl: `${url}/slack/events`, redirectUrl: `${url}/back` });
  slack.install();
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await slack.close();
  expect(slack.problems).toEqual([]);
});

test('the example of Slack’s documentation is signed as it says', () => {
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  expect(sign('8f742231b10e8888abcd99yyyzzz85a5', 1531420618, body)).toBe(
    'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  );
});

test('what is sent is signed', async () => {
  await slack.ada.types('/learn docker');
  const [{ headers, body }] = received as [Received];
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  const timestamp = Number(headers['x-slack-request-timestamp']);
  expect(headers['x-slack-signature']).toBe(sign(credentials.signingSecret, timestamp, body));
  expect(headers).not.toHaveProperty('x-slack-retry-num');
});

test('a retry is the same again, and says so', async () => {
  const { delivery } = await slack.ada.opensHome();
  await slack.retries(delivery, 2);
  const [first, second] = received as [Received, Received];
  expect(second.body).toBe(first.body);
  expect(JSON.parse(first.body)).toMatchObject({ event_id: expect.stringMatching(/^Ev/) });
  expect(second.headers).toMatchObject({ 'x-slack-retry-num': '2', 'x-slack-retry-reason': 'http_timeout' });
});

test('an answer that comes late is none, and the person is told', async () => {
  status = null;
  expect(await slack.ada.types('/learn docker')).toMatchObject({
    ok: false,
    status: 0,
    error: 'operation_timeout',
  });
  expect(slack.ada.sees()).toMatchObject([
    { from: 'slackbot', text: '/learn failed with the error "operation_timeout"', isEphemeral: true },
  ]);
  expect(slack.takeProblems()).toEqual(['/learn: operation_timeout']);
});

test('an answer that is no 200 is a failure', async () => {
  status = 404;
  expect(await slack.ada.types('/learn docker')).toMatchObject({
    ok: false,
    status: 404,
    error: 'dispatch_failed',
  });
  expect(slack.takeProblems()).toEqual(['/learn: dispatch_failed (404)']);
});

test('an app that is not there is a failure', async () => {
  slack.connect({ ...credentials, eventsUrl: 'http://127.0.0.1:1/', redirectUrl: 'http://127.0.0.1:1/' });
  expect(await slack.ada.types('/learn docker')).toMatchObject({ status: 0, error: 'dispatch_failed' });
  expect(slack.takeProblems()).toHaveLength(1);
});
