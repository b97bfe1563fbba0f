import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { message, modal } from './block-kit/samples.ts';
import { type RunningBolt, startBolt } from './start-bolt.ts';

let bolt: RunningBolt;
let now = new Date('2026-01-01T12:00:00Z');
beforeEach(async () => {
  now = new Date('2026-01-01T12:00:00Z');
  bolt = await startBolt({ clock: { now: () => now } });
});
afterEach(async () => {
  await bolt.close();
  expect(bolt.slack.problems).toEqual([]);
});

const sent = { ...message(), unfurl_links: false, unfurl_media: false };
const post = (channel: string, more: object = {}) => bolt.call('chat.postMessage', { channel, ...sent, ...more });

test('Slack’s own library is understood, which sends forms', async () => {
  const client = new WebClient(bolt.token, { slackApiUrl: bolt.slack.apiUrl });
  expect(await client.auth.test()).toMatchObject({ ok: true, team_id: 'T1ACME', user_id: 'UBOT1ACME' });
  expect(await client.users.info({ user: 'U1BENOIT', include_locale: true })).toMatchObject({
    user: { id: 'U1BENOIT', locale: 'fr-FR' },
  });
  expect((await client.users.info({ user: 'U1BENOIT' })).user).not.toHaveProperty('locale');
  const channel = bolt.slack.ada.channelId;
  expect(await client.chat.postMessage({ channel, ...(sent as object), text: '[1] {a}' } as never)).toMatchObject({
    ok: true,
    channel,
    message: { text: '[1] {a}' },
  });
});

test('a message for all is seen by all, one for somebody by them', async () => {
  const { channelId: channel } = bolt.slack.ada;
  expect(await post(channel)).toMatchObject({ ok: true });
  await bolt.call('chat.postEphemeral', { channel, user: 'U1ADA', text: 'For you' });
  expect(bolt.slack.ada.sees().map(({ text }) => text)).toEqual(['Five results', 'For you']);
  expect(bolt.slack.benoit.sees().map(({ text }) => text)).toEqual(['Five results']);
});

test('a message goes only where the app is', async () => {
  expect(await post(bolt.slack.ada.in('random').channelId)).toMatchObject({
    ok: false,
    error: 'not_in_channel',
  });
  expect(await post(bolt.slack.ada.in('secret').channelId)).toMatchObject({ error: 'channel_not_found' });
  expect(await post(bolt.slack.olga.channelId)).toMatchObject({ error: 'channel_not_found' });
  const ephemeral = { channel: bolt.slack.ada.channelId, user: 'U1OLGA', text: 'x' };
  expect(await bolt.call('chat.postEphemeral', ephemeral)).toMatchObject({ error: 'user_not_in_channel' });
});

test('a reply goes into a thread that is there', async () => {
  const first = bolt.slack.ada.says('What about Docker?');
  await post(first.channelId, { thread_ts: first.ts });
  expect(bolt.slack.benoit.sees().at(-1)).toMatchObject({ threadTs: first.ts });
  expect(await post(first.channelId, { thread_ts: '1.1' })).toMatchObject({ error: 'thread_not_found' });
});

test('a message that would unfold its links is refused', async () => {
  expect(await post(bolt.slack.ada.channelId, { unfurl_links: undefined })).toEqual({
    ok: false,
    error: 'invalid_blocks',
    response_metadata: { messages: ['unfurl_links: is not false'] },
  });
  expect(bolt.slack.takeProblems()).toEqual(['chat.postMessage: invalid_blocks: unfurl_links: is not false']);
});

test('what is unknown, unsigned or not allowed is refused and reported', async () => {
  expect(await bolt.call('chat.scheduleMessage', {})).toMatchObject({ error: 'unknown_method' });
  expect(await bolt.call('users.info', { user: 'U1ADA', other: 1 })).toMatchObject({
    error: 'invalid_arguments',
  });
  expect(await bolt.call('auth.test', {}, '')).toMatchObject({ error: 'not_authed' });
  const { token } = bolt.slack.install('north', ['commands']);
  expect(await bolt.call('users.info', { user: 'U1OLGA' }, token)).toMatchObject({ error: 'missing_scope' });
  expect(bolt.slack.takeProblems()).toHaveLength(4);
});

test('a token is good for its workspace, or its organisation', async () => {
  const { token } = bolt.slack.install('world');
  expect(await bolt.call('auth.test', {}, token)).toMatchObject({
    enterprise_id: 'E1WORLD',
    is_enterprise_install: true,
  });
  expect(await bolt.call('users.info', { user: 'U1OLGA' }, token)).toMatchObject({ ok: true });
  expect(await bolt.call('users.info', { user: 'U1ADA' }, token)).toMatchObject({ error: 'user_not_found' });
  expect(await bolt.call('auth.test', {}, 'xoxb-other')).toMatchObject({ error: 'invalid_auth' });
});

test('a trigger is good for three seconds', async () => {
  let triggerId = '';
  bolt.app.shortcut('search', async ({ ack, shortcut }) => {
    triggerId = shortcut.trigger_id;
    await ack();
  });
  await bolt.slack.ada.usesShortcut('search');
  now = new Date(now.getTime() + 3000);
  expect(await bolt.call('views.open', { trigger_id: triggerId, view: modal() })).toMatchObject({
    error: 'expired_trigger_id',
  });
});

test('calls are told to wait as often as is said', async () => {
  bolt.slack.throttle({ method: 'users.info', retryAfterSeconds: 7, times: 2 });
  const ask = () =>
    fetch(`${bolt.slack.apiUrl}users.info`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bolt.token}` },
      body: new URLSearchParams({ user: 'U1ADA' }),
    });
  const first = await ask();
  expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
  expect((await bolt.call('auth.test', {})).ok).toBe(true);
  expect((await ask()).status).toBe(429);
  expect((await ask()).status).toBe(200);
  expect(bolt.slack.calls.map(({ method }) => method)).toEqual(['users.info', 'auth.test', 'users.info', 'users.info']);
});

test('a response URL is good for thirty minutes', async () => {
  bolt.app.command('/learn', async ({ ack, respond }) => {
    await ack();
    now = new Date(now.getTime() + 1_800_000);
    await respond({ text: 'late' }).catch(() => bolt.slack.ada.says('too late'));
  });
  await bolt.slack.ada.types('/learn docker');
  await expect.poll(() => bolt.slack.ada.sees().map(({ text }) => text)).toEqual(['too late']);
});
