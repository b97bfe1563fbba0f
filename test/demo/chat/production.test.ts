import { afterAll, beforeAll, expect, test } from 'vitest';
import { sign } from '../../../demo/slack/deliveries.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';
import { type RunningDemo, startDemo } from '../start-demo.ts';

let demo: RunningDemo;
/** A host for people, with Slack set up. */
let production: RunningApp;
beforeAll(async () => {
  demo = await startDemo();
  production = await startApp(undefined, {
    PUBLIC_URL: 'https://skills.example.org',
    SLACK_CLIENT_ID: '1.2',
    SLACK_CLIENT_SECRET: 'client-secret-of-the-tests',
    SLACK_SIGNING_SECRET: 'signing-secret-of-the-tests',
  });
});
afterAll(async () => {
  await production?.close();
  await demo?.close();
});

const body = 'command=%2Flearn&text=docker&team_id=T1&user_id=U1&channel_id=C1&api_app_id=A1';

async function sendSigned(origin: string, secret: string): Promise<number> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const { status } = await fetch(`${origin}/slack/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': sign(secret, timestamp, body),
    },
  });
  return status;
}

test.each(['/demo/slack', '/demo/slack/state', '/demo/slack/api/auth.test', '/demo'])(
  'in production there is no %s',
  async (path) => {
    expect((await fetch(production.url + path, { redirect: 'manual' })).status).toBe(404);
    expect((await fetch(production.url + path, { method: 'POST' })).status).toBe(404);
  },
);

test('what is signed with the secret of a demo is taken there, and nowhere else', async () => {
  const { signingSecret } = demo.slackConnection();
  expect(await sendSigned(demo.toolUrl, signingSecret)).toBe(200);
  expect(await sendSigned(production.url, signingSecret)).toBe(401);
  expect(await sendSigned(demo.toolUrl, 'guessed')).toBe(401);
});

test('each process has secrets of its own', async () => {
  const before = demo.slackConnection();
  demo.restart();
  const { clientId, clientSecret, signingSecret } = demo.slackConnection();
  expect(clientId).not.toBe(before.clientId);
  expect(clientSecret).not.toBe(before.clientSecret);
  expect(signingSecret).not.toBe(before.signingSecret);
  expect(await sendSigned(demo.toolUrl, before.signingSecret)).toBe(401);
});

test('pages do not tell how long they took', async () => {
  expect((await fetch(production.url)).headers.get('server-timing')).toBeNull();
});
