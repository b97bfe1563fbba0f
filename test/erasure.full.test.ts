import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAdminBrowser } from './faces/admin/admin-browser.ts';
import { ADMIN_PASSWORD, signIn } from './faces/mcp/let-in.ts';
import { type FakePlatform, startFakePlatform } from './fakes/lti-platform.ts';
import { startFakeUpstream, UPSTREAM_KEY } from './fakes/upstream.ts';
import { findFreePort } from './helpers/find-free-port.ts';
import { type HostProcess, runProgram, startHostProcess } from './helpers/host-process.ts';
import { startMongoServer } from './helpers/mongo-server.ts';
import { makeTempDir } from './helpers/temp-dir.ts';

/** In every id, name, address and word of the people who are erased. */
const MARK = 'qzmark7f3a';
const email = `${MARK}@example.org`;

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

/** Two hosts on one MongoDB; one host on the embedded store, with commands beside it. */
const kinds = [
  { name: 'SQLite', hosts: 1, settings: () => ({}), readStore: async () => '' },
  {
    name: 'MongoDB',
    hosts: 2,
    settings: () => ({ MONGODB_URI: mongo?.newUri() ?? '' }),
    async readStore({ MONGODB_URI = '' }: Record<string, string>) {
      const connection = await mongoose.createConnection(MONGODB_URI).asPromise();
      const all = await connection.listCollections();
      const texts = await Promise.all(
        all.map(async ({ name }) => [name, await connection.collection(name).find({}).toArray()]),
      );
      await connection.close();
      return JSON.stringify(texts);
    },
  },
] as const;

/** The bytes of all files below a folder. */
function readFolder(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`)
    .join('\n');
}

const linesWith = (text: string, word: string) =>
  text.split(/[\n{}]/).filter((line) => line.toLowerCase().includes(word));

/** The token of a launch, which host it may be used at is of no account. */
async function launch(platform: FakePlatform, wish: Parameters<FakePlatform['launch']>[0]): Promise<string> {
  const { location, response } = await platform.launch(wish);
  const token = location?.searchParams.get('launch');
  if (!token) throw new Error(`The launch was answered with ${response.status}`);
  return token;
}

const post = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

describe.each(kinds.filter(({ name }) => name !== 'MongoDB' || mongo !== null))('on $name', (kind) => {
  test('no byte of two people is left in store, files and logs, whatever was under way', async () => {
    const [upstream, platform] = await Promise.all([startFakeUpstream(), startFakePlatform()]);
    onTestFinished(() => Promise.all([upstream.close(), platform.close()]).then(() => undefined));
    const folders = Array.from({ length: kind.hosts }, makeTempDir);
    const shared = {
      SECRET_KEY: 'a secret that both of the hosts share',
      ADMIN_PASSWORD,
      ALLOW_PRIVATE_UPSTREAM: '1',
      UPSTREAM_URL: upstream.url,
      UPSTREAM_API_KEY: UPSTREAM_KEY,
      LOG_LEVEL: 'trace',
      ...kind.settings(),
    };
    const started: HostProcess[] = [];
    const ports = await Promise.all(folders.map(findFreePort));
    for (const [number, DATA_DIR] of folders.entries()) {
      const settings = { DATA_DIR, PORT: `${ports[number]}`, PUBLIC_URL: `http://localhost:${ports[0]}` };
      const host = await startHostProcess({ ...shared, ...settings });
      onTestFinished(() => host.stop().then(() => undefined));
      // The other says the address that both have.
      started.push({ ...host, url: `http://localhost:${ports[number]}` });
    }
    const [one, other = one] = started as [HostProcess, HostProcess?];
    const owner = await signIn(one.url);
    const accounts = await fill(one, { other, owner, platform });
    const readAll = async () =>
      [...folders.map(readFolder), ...started.map(({ log }) => log()), await kind.readStore(shared)].join('\n');
    expect(linesWith(await readAll(), MARK).length).toBeGreaterThan(10);

    // One delivery is in the middle, and others wait.
    let release: () => void = () => undefined;
    const until = new Promise<void>((done) => {
      release = done;
    });
    upstream.reply('feedback', { until });
    const env = { ...shared, DATA_DIR: folders[0]! };
    const key = await runProgram(['keys', 'create', '--name', 'test', '--json'], env);
    const given = await fetch(`${one.url}/learningobject/v2/feedback`, {
      method: 'POST',
      headers: { 'x-api-key': (JSON.parse(key.stdout) as { key: string }).key, 'content-type': 'application/json' },
      body: JSON.stringify({
        url: 'https://example.org/a',
        comment: `of ${MARK}`,
        email,
        request_id: 'r',
        source: 'https://school.example',
      }),
    });
    expect(given.status, await given.clone().text()).toBe(200);
    await expect
      .poll(() => upstream.requests.filter(({ operation }) => operation === 'feedback').length)
      .toBeGreaterThan(0);

    const tenant = ['--tenant', 'default'];
    for (const who of [[accounts.admin], [accounts.learner, email, ...tenant], [accounts.teacher, ...tenant]]) {
      const erased = await runProgram(['people', 'erase', ...who], env);
      expect(erased, erased.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('Erased.') });
    }
    release();
    await expect.poll(() => upstream.atOnce()).toBe(0);
    // What was open in browsers is over, at both hosts, and brings nothing back.
    for (const { url } of started)
      for (const token of accounts.tokens) {
        const said = await post(`${url}/lti/picker/plans`, { launch: token, kind: 'new', name: MARK });
        expect(said.status).toBeGreaterThanOrEqual(400);
        const opened = await fetch(`${url}/lti/object?launch=${encodeURIComponent(token)}`);
        expect(opened.status).toBeGreaterThanOrEqual(400);
      }
    // Also while the hosts run, in free pages and in the log of the database.
    expect(linesWith(await readAll(), MARK)).toEqual([]);
    await Promise.all(started.map((host) => host.stop()));
    expect(linesWith(await readAll(), MARK)).toEqual([]);
  });
});

interface Scene {
  readonly other: HostProcess;
  readonly owner: Awaited<ReturnType<typeof signIn>>;
  readonly platform: FakePlatform;
}

/** A teacher, a learner and an administrator use all that there is. */
async function fill(host: HostProcess, { other, owner, platform }: Scene) {
  const tool = platform.addTool(host.url);
  const { tokenAudience: _, acceptsNewDeployments: __, ...details } = platform.detailsOf(tool.clientId);
  const form = { ...details, name: 'LMS', deploymentId: tool.deploymentId, acceptsNewDeployments: 'on' };
  const made = await owner.post('/tenants/default/registrations/manual', form);
  const registrationId = made.headers.get('location')!.split('?')[0]!.split('/').at(-1)!;
  const people = platform.people as Map<string, unknown>;
  const [teacher, learner] = [`teacher-${MARK}`, `learner-${MARK}`];
  for (const [id, role] of [
    [teacher, 'instructor'],
    [learner, 'learner'],
  ] as const)
    people.set(id, { id, givenName: 'Name', familyName: MARK, email, role, isEnrolled: true });

  const choosing = await launch(platform, { person: teacher });
  const read = async (path: string, token: string, at = host) =>
    (await fetch(`${at.url}/lti${path}${path.includes('?') ? '&' : '?'}launch=${encodeURIComponent(token)}`)).text();
  const results = await read(`/picker/results?q=${MARK}`, choosing);
  const [, handle = ''] = /data-handle="([^"]+)"/.exec(results) ?? [];
  expect(handle).not.toBe('');
  const send = async (path: string, token: string, fields: Record<string, string>, at = host) => {
    const answer = await post(`${at.url}/lti${path}`, { launch: token, ...fields });
    expect(answer.status, `${path}: ${await answer.clone().text()}`).toBeLessThan(400);
    return answer;
  };
  await send('/picker/shelf', choosing, { handle, action: 'save' });
  await send('/picker/plans', choosing, { kind: 'new', name: `Plan of ${MARK}` });
  await send('/picker/kept', choosing, { kept: JSON.stringify({ 'skilldock-text': MARK }) });
  for (const at of [host, other]) await read('/picker/shelf', choosing, at);
  const choice = { handle, title: 'Week 1', completion: 'marked', points: 10, target: null };
  const chosen = await (
    await send('/picker/choose', choosing, { action: 'choose', chosen: JSON.stringify([choice]) })
  ).text();
  const [, jwt = ''] = /name="JWT" value="([^"]+)"/.exec(chosen) ?? [];
  const [, returnUrl = ''] = /action="([^"]+)"/.exec(chosen) ?? [];
  await platform.returnChoice(returnUrl.replaceAll('&amp;', '&'), jwt);
  const link = [...platform.links.keys()].at(-1)!;
  // The score waits.
  platform.answerWith('scores', { status: 503 }, 1_000);
  const learning = await launch(platform, { person: learner, link });
  const teaching = await launch(platform, { person: teacher, link });
  const page = await read('/object', learning);
  const [, placement = ''] = /name="placement" value="([^"]+)"/.exec(page) ?? [];
  await send('/object/done', learning, { placement }, other);
  await send('/object/feedback', learning, { placement, verdict: 'useful' });
  for (const at of [host, other]) await read('/object/people', teaching, at);

  const invited = await owner.post('/admins/invite', { role: 'owner' });
  const [, token = ''] = /\/admin\/link\/([\w-]+)/.exec(await invited.text()) ?? [];
  const admin = createAdminBrowser(other.url);
  const joined = await admin.post(`/link/${token}`, {
    name: `Name ${MARK}`,
    password: `${MARK}-otters-42`,
    repeated: `${MARK}-otters-42`,
  });
  expect(joined.status).toBe(303);
  await admin.postFile(
    '/imports/new',
    { format: 'objects', name: 'own' },
    { name: 'a.csv', content: 'title,url\nA,https://example.org/a\n' },
  );
  await admin.post('/audit/export', { format: 'csv', q: MARK });
  const [, id = ''] = /\/admin\/admins\/([\w-]+)"[^>]*>Name qzmark/.exec(await owner.page('/admins')) ?? [];
  await owner.post(`/admins/${id}/reset-link`);
  return {
    teacher: `lti:${registrationId}:${teacher}`,
    learner: `lti:${registrationId}:${learner}`,
    admin: `admin:${id}`,
    tokens: [choosing, learning, teaching],
  };
}
