import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createSqliteStore } from '../src/adapters/sqlite/sqlite-store.ts';
import { createRecordServices } from '../src/compose/services.ts';
import { readConfig } from '../src/config.ts';
import { startHost } from '../src/host.ts';
import { systemClock } from '../src/ports/clock.ts';
import { createSlackCredentials } from '../src/services/slack-credentials.ts';
import { startFakeUpstream, UPSTREAM_KEY } from './fakes/upstream.ts';
import { anyApiKey, SECRET, secretKeysOf, tester } from './helpers/open-services.ts';
import { makeTempDir } from './helpers/temp-dir.ts';

const given = {
  url: 'https://example.org/python',
  request_id: 'request-1',
  email: 'ada@example.org',
  source: 'https://school.example.org',
};

test('a host that stops gives up deliveries while requests may still end, and they are due at once', {
  timeout: 60_000,
}, async () => {
  const upstream = await startFakeUpstream();
  upstream.reply('feedback', { breaks: 'hang' });
  const dataDir = makeTempDir();
  const settings = {
    ...{ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1' },
    ...{ UPSTREAM_URL: upstream.url, UPSTREAM_API_KEY: UPSTREAM_KEY, ALLOW_PRIVATE_UPSTREAM: '1' },
  };
  const host = await startHost(readConfig(settings), '0.0.0');
  const store = createSqliteStore(join(dataDir, 'skilldock.db'));
  const { apiKeys } = createRecordServices({ store, secretKeys: secretKeysOf(SECRET), clock: systemClock });
  const { key } = await apiKeys.createApiKey(tester, anyApiKey);
  const answer = await fetch(`${host.url}/learningobject/v2/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, connection: 'close' },
    body: JSON.stringify(given),
  });
  expect(answer.status).toBe(200);
  await vi.waitFor(() => expect(upstream.atOnce()).toBe(1), 10_000);
  const slow = connect(Number(new URL(host.url).port), '127.0.0.1');
  slow.on('error', () => {});
  await new Promise<void>((sent) => slow.write('GET /healthz HTTP/1.1\r\nHost: a\r\n', () => sent()));
  let isClosed = false;
  const closed = host.close().then(() => {
    isClosed = true;
  });
  await vi.waitFor(() => expect(upstream.aborted).toHaveLength(1), 30_000);
  expect(isClosed).toBe(false);
  slow.end('\r\n');
  await closed;
  const all = { scope: null, state: null, provider: null, received: { from: null, until: null }, search: '' };
  const [record] = await store.feedback.readFeedback(all, null, 10);
  expect(record).toMatchObject({ state: 'waiting', attempts: 1, failures: 0, lastError: null });
  expect(record!.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
  await store.close();
  await upstream.close();
});

test('a host that cannot read the Slack app that was saved starts, and says that Slack is off; its demo goes on', {
  timeout: 60_000,
}, async () => {
  const dataDir = makeTempDir();
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1', DEMO: '1' };
  const start = (secretKey: string) =>
    startHost(readConfig({ ...settings, SECRET_KEY: secretKey.repeat(32) }), '0.0.0');
  await (await start('a')).close();
  const store = createSqliteStore(join(dataDir, 'skilldock.db'));
  const records = createRecordServices({
    store,
    secretKeys: secretKeysOf('a'.repeat(32)),
    clock: systemClock,
  });
  await createSlackCredentials({
    ...records,
    environmentApp: undefined,
    apiOrigin: 'https://slack.com',
  }).save(tester, { clientId: '1.2', clientSecret: 'x'.repeat(32), signingSecret: 'y'.repeat(32) });
  await store.close();
  const host = await start('b');
  expect(host.faces.find(({ name }) => name === 'Slack')).toMatchObject({ isOn: false });
  expect((await fetch(host.url)).status).toBe(200);
  const unsigned = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  // 401 is what the demo's Slack app says; without it the app that cannot be read would be an error of the host.
  expect((await fetch(`${host.url}/slack/events`, unsigned)).status).toBe(401);
  await host.close();
});
