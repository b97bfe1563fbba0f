import { afterEach, describe, expect, test } from 'vitest';
import { type RunningSigned, startSigned } from './start-signed.ts';

let running: RunningSigned;
afterEach(() => running.close());

const anyCommand = 'command=%2Flearn&text=docker&team_id=T0ACME&user_id=UADA&trigger_id=1.2';

describe('what is not signed as it should be is refused', () => {
  test.each([
    ['another secret', { secret: 'another-secret' }],
    ['no signature', { headers: { 'X-Slack-Signature': '' } }],
    ['a signature of another kind', { headers: { 'X-Slack-Signature': 'v1=0011' } }],
    ['no time', { headers: { 'X-Slack-Request-Timestamp': '' } }],
    ['another time than the signed one', { headers: { 'X-Slack-Request-Timestamp': '1700000000' } }],
    ['a time that is none', { headers: { 'X-Slack-Request-Timestamp': '1e9' } }],
    ['an old time', { offset: -310 }],
    ['a future time', { offset: 310 }],
  ])('%s', async (_what, options) => {
    running = await startSigned();
    const { status, text } = await running.send(anyCommand, options);
    expect(status).toBe(401);
    expect(JSON.parse(text)).toEqual({
      code: 'SLACK_SIGNATURE_INVALID',
      message: expect.stringContaining('not signed'),
      reference: expect.any(String),
    });
  });

  test.each([-290, 290])('a time %i s away is near enough', async (offset) => {
    running = await startSigned();
    expect((await running.send(anyCommand, { offset })).status).toBe(200);
  });
});

test('each app of the host has requests of its own', async () => {
  const other = { clientId: '333', clientSecret: 'other', signingSecret: 'other-signing-secret' };
  running = await startSigned({
    deps: (real) => ({
      listConnections: async () => {
        const [connection] = await real.listConnections();
        return [connection!, { ...connection!, ...other, findInstalled: async () => null }];
      },
    }),
  });
  expect((await running.command('docker')).text).toContain('you said docker');
  const { status, text } = await running.send(anyCommand, { secret: other.signingSecret });
  expect(status).toBe(200);
  expect(text).toContain('not installed in this workspace');
});

test('secrets that changed count from the next request on', async () => {
  let signingSecret = 'first-signing-secret';
  running = await startSigned({
    deps: (real) => ({
      listConnections: async () => [{ ...(await real.findConnection())!, signingSecret }],
    }),
  });
  expect((await running.send(anyCommand, { secret: 'first-signing-secret' })).status).toBe(200);
  signingSecret = 'second-signing-secret';
  expect((await running.send(anyCommand, { secret: 'first-signing-secret' })).status).toBe(401);
  expect((await running.send(anyCommand, { secret: 'second-signing-secret' })).status).toBe(200);
});

test('where Slack is off, the answer says how to turn it on', async () => {
  running = await startSigned({ deps: () => ({ listConnections: async () => [] }) });
  const { status, text } = await running.send(anyCommand);
  expect(status).toBe(503);
  expect(JSON.parse(text)).toMatchObject({
    code: 'SLACK_OFF',
    message: expect.stringContaining('SLACK_SIGNING_SECRET'),
  });
});

describe('bodies', () => {
  test('may say their character set', async () => {
    running = await startSigned();
    const contentType = 'application/x-www-form-urlencoded; charset=utf-8';
    expect((await running.send(anyCommand, { contentType })).text).toContain('you said docker');
  });

  test.each(['text/plain', 'multipart/form-data'])('are not %s', async (contentType) => {
    running = await startSigned();
    expect((await running.send(anyCommand, { contentType })).status).toBe(415);
  });

  test('have at most 1 MB', async () => {
    running = await startSigned();
    const { status, text } = await running.send(`${anyCommand}&text=${'x'.repeat(1024 * 1024)}`);
    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({
      code: 'BODY_TOO_LARGE',
      message: expect.stringContaining('1024 kB'),
    });
  });

  test('are not JSON where they say so: 400', async () => {
    running = await startSigned();
    expect((await running.send('{', { contentType: 'application/json' })).status).toBe(400);
  });

  test('of the check of the address are answered, without an installation', async () => {
    running = await startSigned();
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c-1' });
    const { status, text } = await running.send(body, { contentType: 'application/json' });
    expect([status, JSON.parse(text)]).toEqual([200, { challenge: 'c-1' }]);
  });
});

test('what nobody listens to is acknowledged at once', async () => {
  running = await startSigned();
  const unknown = [
    await running.command('', { command: '/unknown' }),
    await running.interact({ actions: [{ type: 'button', action_id: 'unknown', block_id: 'b' }] }),
    await running.interact({ type: 'shortcut', callback_id: 'unknown' }),
    await running.interact({
      type: 'view_submission',
      view: { id: 'V', callback_id: 'unknown', type: 'modal' },
    }),
    await running.interact({ type: 'view_closed', view: { id: 'V', callback_id: 'unknown', type: 'modal' } }),
    await running.event({ type: 'reaction_added', user: 'UADA', item: {} }),
  ];
  expect(unknown.map(({ status, text }) => [status, text])).toEqual(unknown.map(() => [200, '']));
  const options = await running.interact({ type: 'block_suggestion', action_id: 'unknown', value: 'x' });
  expect(JSON.parse(options.text)).toEqual({ options: [] });
  expect(running.calls).toEqual([]);
  expect(running.failures).toEqual([]);
});

test('what is not known at all is acknowledged, too', async () => {
  running = await startSigned();
  expect(await running.interact({ type: 'unheard_of' })).toMatchObject({ status: 200, text: '' });
});

test('other addresses have no page, and those of Bolt itself are none', async () => {
  running = await startSigned();
  for (const path of ['/slack', '/slack/nothing', '/slack/slack/install', '/slack/events'])
    expect((await fetch(running.url + path)).status).toBe(404);
});
