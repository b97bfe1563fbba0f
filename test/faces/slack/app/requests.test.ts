import { afterEach, describe, expect, test } from 'vitest';
import { type RunningSigned, startSigned } from './start-signed.ts';

let running: RunningSigned;
afterEach(() => running.close());

const anyCommand = 'command=%2Flearn&text=docker&team_id=T0ACME&user_id=UADA&trigger_id=1.2';

describe('refuses a request with', () => {
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

  test.each([-290, 290])('accepts a time %i s away', async (offset) => {
    running = await startSigned();
    expect((await running.send(anyCommand, { offset })).status).toBe(200);
  });
});

test('passes a request to the app that it is signed for', async () => {
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

test('uses a changed secret from the next request on', async () => {
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

test('says how to turn Slack on where it is off', async () => {
  running = await startSigned({ deps: () => ({ listConnections: async () => [] }) });
  const { status, text } = await running.send(anyCommand);
  expect(status).toBe(503);
  expect(JSON.parse(text)).toMatchObject({
    code: 'SLACK_OFF',
    message: expect.stringContaining('SLACK_SIGNING_SECRET'),
  });
});

describe('bodies', () => {
  test('may name their character set', async () => {
    running = await startSigned();
    const contentType = 'application/x-www-form-urlencoded; charset=utf-8';
    expect((await running.send(anyCommand, { contentType })).text).toContain('you said docker');
  });

  test.each(['text/plain', 'multipart/form-data'])('are refused as %s', async (contentType) => {
    running = await startSigned();
    expect((await running.send(anyCommand, { contentType })).status).toBe(415);
  });

  test('are refused above 1 MB', async () => {
    running = await startSigned();
    const { status, text } = await running.send(`${anyCommand}&text=${'x'.repeat(1024 * 1024)}`);
    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({
      code: 'BODY_TOO_LARGE',
      message: expect.stringContaining('1024 kB'),
    });
  });

  test('are refused if they are announced as JSON and are none', async () => {
    running = await startSigned();
    const { status, text } = await running.send('{', { contentType: 'application/json' });
    expect([status, JSON.parse(text)]).toEqual([400, expect.objectContaining({ code: 'BODY_MALFORMED' })]);
  });

  const ada = { user: { id: 'UADA' }, team: { id: 'T0ACME' } };
  const button = { type: 'button', action_id: 'any', block_id: 'b' };
  const modal = { id: 'V1', type: 'modal', callback_id: 'any' };
  const ofForm = (payload: unknown) => new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const home = { type: 'event_callback', team_id: 'T0ACME', event: { type: 'app_home_opened' } };

  test.each<[string, string]>([
    ['no payload', ofForm(null)],
    ['a payload that is a list', ofForm([])],
    ['an action of nobody', ofForm({ ...ada, type: 'block_actions', actions: [button], user: null })],
    ['an action without a user', ofForm({ team: ada.team, type: 'block_actions', actions: [button] })],
    ['a user without an id', ofForm({ ...ada, type: 'shortcut', callback_id: 'any', user: {} })],
    ['no action', ofForm({ ...ada, type: 'block_actions', actions: [] })],
    ['an action that is none', ofForm({ ...ada, type: 'block_actions', actions: [null] })],
    ['a number for an action', ofForm({ ...ada, type: 'block_actions', actions: [{ ...button, action_id: 7 }] })],
    ['no place', ofForm({ ...ada, type: 'block_actions', actions: [button], channel: null })],
    ['no view', ofForm({ ...ada, type: 'view_submission', view: null })],
    ['a form of nobody', ofForm({ type: 'view_submission', view: modal })],
    ['values that are none', ofForm({ ...ada, type: 'view_submission', view: { ...modal, state: { values: 7 } } })],
    ['a number for a menu', ofForm({ ...ada, type: 'block_suggestion', action_id: 7 })],
    ['a command of nobody', 'command=%2Flearn&text=docker&team_id=T0ACME'],
    ['a command of an empty user', 'command=%2Flearn&text=docker&team_id=T0ACME&user_id='],
    ['a command twice', 'command=%2Flearn&command=%2Flearn&text=docker&user_id=UADA'],
    ['an event in a form', 'event=x'],
    ...[null, 7, 'x', []].map((body): [string, string] => [`JSON ${JSON.stringify(body)}`, JSON.stringify(body)]),
    ['no event', JSON.stringify({ ...home, event: null })],
    ['an event of words', JSON.stringify({ ...home, event: 'x' })],
    ['a home of nobody', JSON.stringify(home)],
  ])('are refused with %s', async (_what, body) => {
    running = await startSigned();
    const contentType = /^[\w%]+=/.test(body) ? undefined : 'application/json';
    const { status, text } = await running.send(body, contentType && { contentType });
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { code: 'BODY_MALFORMED', message: expect.any(String), reference: expect.any(String) },
    ]);
    expect([...running.failures, ...running.services.problems]).toEqual([]);
  });

  test('are refused if compressed', async () => {
    running = await startSigned();
    const { status, text } = await running.send(anyCommand, { headers: { 'Content-Encoding': 'gzip' } });
    expect([status, JSON.parse(text)]).toMatchObject([
      415,
      { code: 'MEDIA_TYPE_UNSUPPORTED', message: expect.stringContaining('uncompressed') },
    ]);
  });

  test('of Slack’s certificate check are answered', async () => {
    running = await startSigned();
    expect((await running.send('ssl_check=1&token=any')).status).toBe(200);
  });

  test('of Slack’s address check are answered without an installation', async () => {
    running = await startSigned();
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c-1' });
    const { status, text } = await running.send(body, { contentType: 'application/json' });
    expect([status, JSON.parse(text)]).toEqual([200, { challenge: 'c-1' }]);
  });
});

test('acknowledges requests without a listener at once', async () => {
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

test('acknowledges requests of an unknown type', async () => {
  running = await startSigned();
  expect(await running.interact({ type: 'unheard_of' })).toMatchObject({ status: 200, text: '' });
});

test('answers 404 at other addresses, also at those of Bolt', async () => {
  running = await startSigned();
  for (const path of ['/slack', '/slack/nothing', '/slack/slack/install', '/slack/events'])
    expect((await fetch(running.url + path)).status).toBe(404);
});
