import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRecordServices } from '../src/compose/record-services.ts';
import { readConfig } from '../src/config.ts';
import { type Host, startHost } from '../src/host.ts';
import { systemClock } from '../src/ports/clock.ts';
import { createSlackCredentials } from '../src/services/people/slack/slack-credentials.ts';
import { type AdminBrowser, createAdminBrowser } from './faces/admin/admin-browser.ts';
import { startFakeUpstream, UPSTREAM_KEY } from './fakes/upstream.ts';
import { startWebSite } from './fakes/web-site.ts';
import { anyApiKey, SECRET, secretKeysOf, tester } from './helpers/open-services.ts';
import { makeTempDir } from './helpers/temp-dir.ts';
import { openTestStore } from './helpers/test-store.ts';

function makeDataDir(): string {
  const folder = makeTempDir();
  return folder;
}

const given = {
  url: 'https://example.org/python',
  request_id: 'request-1',
  email: 'ada@example.org',
  source: 'https://school.example.org',
};

test('a host that stops gives up deliveries while requests may still end, and they are due at once', async () => {
  const upstream = await startFakeUpstream();
  upstream.reply('feedback', { breaks: 'hang' });
  const dataDir = makeDataDir();
  const settings = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    PORT: '0',
    HOST: '127.0.0.1',
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: UPSTREAM_KEY,
    ALLOW_PRIVATE_UPSTREAM: '1',
  };
  const host = await startHost({ config: readConfig(settings), version: '0.0.0' });
  const store = openTestStore(join(dataDir, 'skilldock.db'));
  const { apiKeys } = createRecordServices({ store, secretKeys: secretKeysOf(SECRET), clock: systemClock });
  const { key } = await apiKeys.createApiKey(tester, anyApiKey);
  const answer = await fetch(`${host.url}/learningobject/v2/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, connection: 'close' },
    body: JSON.stringify(given),
  });
  expect(answer.status).toBe(200);
  await expect.poll(() => upstream.atOnce()).toBe(1);
  const slow = connect(Number(new URL(host.url).port), '127.0.0.1');
  slow.on('error', () => {});
  await new Promise<void>((sent) => slow.write('GET /healthz HTTP/1.1\r\nHost: a\r\n', () => sent()));
  let isClosed = false;
  const closed = host.close().then(() => {
    isClosed = true;
  });
  await expect.poll(() => upstream.aborted).toHaveLength(1);
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

// Over two seconds of CPU: a whole host is started and stopped.
test('a host that stops ends imports while requests may still end', async () => {
  const site = await startWebSite();
  onTestFinished(() => site.close());
  // It is asked, and never answers.
  site.put('/feed.xml', () => undefined);
  const dataDir = makeDataDir();
  const password = 'four words about nothing';
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1' };
  const config = readConfig({ ...settings, ADMIN_PASSWORD: password, ALLOW_PRIVATE_UPSTREAM: '1' });
  const host = await startHost({ config, version: '0.0.0' });
  const owner = createAdminBrowser(host.url);
  await owner.post('/sign-in', { name: 'admin', password });
  const fields = { format: 'feed', address: `${site.origin}/feed.xml`, langs: '', name: '' };
  expect((await owner.postFile('/imports/new', fields, null)).status).toBe(303);
  await expect.poll(() => site.requests).toHaveLength(1);
  const slow = begin(host, 'GET /healthz HTTP/1.1\r\nHost: a\r\n');
  // The host has it once it has answered another one.
  expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
  let isClosed = false;
  const closed = host.close().then(() => {
    isClosed = true;
  });
  const store = openTestStore(join(dataDir, 'skilldock.db'));
  onTestFinished(() => store.close());
  const listed = async () => (await store.imports.listImports({ page: 0, pageSize: 9 })).items;
  await expect.poll(async () => (await listed()).map(({ state }) => state)).toEqual(['stopped']);
  expect(isClosed).toBe(false);
  slow.socket.end('\r\n');
  await closed;
});

test('a host that cannot read the Slack app that was saved starts, and says that Slack is off; its demo goes on', async () => {
  const dataDir = makeDataDir();
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1', DEMO: '1' };
  const start = (secretKey: string) =>
    startHost({
      config: readConfig({ ...settings, SECRET_KEY: secretKey.repeat(32) }),
      version: '0.0.0',
      allowLostSecrets: true,
    });
  await (await start('a')).close();
  const store = openTestStore(join(dataDir, 'skilldock.db'));
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
  // 401 is what the demo's Slack app says; without it the app that cannot be read would be an error
  // of the host.
  expect((await fetch(`${host.url}/slack/events`, unsigned)).status).toBe(401);
  await host.close();
});

test('an idle connection stays longer than a proxy keeps it, so that no form is sent over one that closes', async () => {
  const config = readConfig({ DATA_DIR: makeDataDir(), LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1' });
  const host = await startHost({ config, version: '0.0.0' });
  onTestFinished(() => host.close());
  const socket = connect(Number(new URL(host.url).port), '127.0.0.1');
  const closed = new Promise<string>((done) => socket.once('close', () => done('closed')));
  for (const _ of [1, 2]) {
    const answered = new Promise<string>((done) => socket.once('data', (bytes) => done(`${bytes}`)));
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await answered).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    // What nginx waits for by default, and Node does not.
    const seconds = Number(/^keep-alive: timeout=(\d+)\r$/im.exec(await answered)?.[1]);
    expect(seconds).toBeGreaterThan(60);
  }
  socket.end();
  expect(await closed).toBe('closed');
});

const UPLOAD = '/admin/imports/new';

test('who sends too slowly is let go, but for a file of somebody who is signed in, which has longer', async () => {
  const limits = { headersMs: 500, bodyMs: 1_000, uploadMs: 3_000, unreadMs: 30_000, checkMs: 100 };
  const password = 'four words about nothing';
  const config = readConfig({
    DATA_DIR: makeDataDir(),
    LOG_LEVEL: 'silent',
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_PASSWORD: password,
  });
  const host = await startHost({ config, version: '0.0.0', limits });
  onTestFinished(() => host.close());
  const owner = createAdminBrowser(host.url);
  await owner.post('/sign-in', { name: 'admin', password });
  const form = await formOf(owner);
  // Before the others: once they are let go, its time would be over, too.
  const [patient, endless] = [begin(host, form.first), begin(host, form.first)];
  const slow = begin(host, 'GET / HTTP/1.1\r\nHost: a\r\n');
  const [small, stranger] = [
    begin(host, post('/admin/sign-in', 'application/x-www-form-urlencoded')),
    begin(host, post(UPLOAD, 'multipart/form-data; boundary=x')),
  ];
  expect(await slow.answer).toContain(' 408 ');
  expect(await small.answer).toContain(' 408 ');
  expect(await stranger.answer).toContain(' 303 ');
  patient.socket.write(form.rest);
  expect(await patient.answer).toMatch(/ 303 .*\/admin\/imports\//s);
  expect(await endless.answer).toContain(' 408 ');
});

const post = (path: string, type: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${more}Content-Type: ${type}\r\nContent-Length: 9000\r\n\r\n`;

/** A file to be imported, sent in two pieces. */
async function formOf(owner: AdminBrowser): Promise<{ readonly first: string; readonly rest: string }> {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const field = (name: string, value: string) => `--x\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`;
  const csrf = await owner.findCsrf();
  const body = `${field('name="csrf"', csrf)}${field('name="format"', 'objects')}${field(
    'name="file"; filename="a.csv"',
    'url,title\nhttps://example.org/1,One\n',
  )}--x--\r\n`;
  const head = `Cookie: ${cookie}\r\nConnection: close\r\n`;
  const first = post(UPLOAD, 'multipart/form-data; boundary=x', head) + body.slice(0, -9);
  return { first, rest: body.padEnd(9_000).slice(body.length - 9) };
}

/** @returns the answer, once the host has closed the connection */
function begin(host: Host, text: string): { readonly socket: Socket; readonly answer: Promise<string> } {
  const socket = connect(Number(new URL(host.url).port), '127.0.0.1');
  socket.on('error', () => undefined).write(text);
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  return { socket, answer: new Promise((done) => socket.once('close', () => done(answer))) };
}
