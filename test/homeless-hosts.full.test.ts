import { existsSync } from 'node:fs';
import mongoose from 'mongoose';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createMongoStore } from '../src/adapters/store/mongo/mongo-store.ts';
import { objectPart, openImports } from './adapters/local/imported.ts';
import { anObject } from './adapters/local/services.ts';
import { createAdminBrowser } from './faces/admin/admin-browser.ts';
import { type HostProcess, startHostProcess } from './helpers/host-process.ts';
import { startMongoServer } from './helpers/mongo-server.ts';

/** More than are laid over a version, so many that a build, and an import, take a while. */
const OBJECTS = 2_100;
const PASSWORD = 'correct horse battery staple of the tests';

const parts = (title: string) =>
  Array.from({ length: OBJECTS }, (_, i) =>
    objectPart(anObject(`many/${i}`, { title: `${title} number ${i}`, keywords: [`keyword${i}`] })),
  );

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

/** Hosts of one database, each with an empty folder of its own. */
async function openHosts() {
  const uri = mongo!.newUri();
  const env = {
    MONGODB_URI: uri,
    SECRET_KEY: 'a secret that all of the hosts share',
    ADMIN_PASSWORD: PASSWORD,
  };
  const running = new Set<HostProcess>();
  onTestFinished(async () => void (await Promise.all([...running].map((host) => host.stop()))));
  const store = await createMongoStore(uri);
  const imports = openImports(store);
  onTestFinished(() => imports.close());
  let key: string | undefined;
  return {
    uri,
    store,
    imports,
    async start() {
      const host = await startHostProcess(env);
      running.add(host);
      return host;
    },
    async answers(host: HostProcess, title: string) {
      key ??= await host.createKey('--per-second', '1000');
      const known = key;
      const found = expect.poll(() => firstTitle(host, known), { interval: 200 });
      await found.toBe(`${title} number 7`);
    },
    async end(host: HostProcess, signal: NodeJS.Signals) {
      running.delete(host);
      await host.stop(signal);
      expect(existsSync(host.dataDir)).toBe(false);
    },
  };
}

async function firstTitle({ url }: HostProcess, key: string): Promise<string> {
  const address = `${url}/learningobject/v2/search?keywords=keyword7&model=strict`;
  const response = await fetch(address, { headers: { 'x-api-key': key } });
  if (!response.ok) return `status ${response.status}`;
  const { response: answer } = (await response.json()) as { response: { content: { title: string }[] } };
  return answer.content[0]?.title ?? 'nothing';
}

test.runIf(mongo !== null)(
  'hosts without a home go on with what one of them was killed at, and answer from what another one built',
  async () => {
    await Promise.all([killWhileItBuilds(), killWhileItImports()]);
  },
);

async function killWhileItBuilds(): Promise<void> {
  const { uri, store, imports, start, answers, end } = await openHosts();
  const database = await mongoose.createConnection(uri).asPromise();
  onTestFinished(() => database.close());
  const one = await start();
  const id = await imports.put('many', parts('Killed'));
  const turns = () => database.collection('nonces').countDocuments({ _id: /^turn catalog-/ as never });
  await expect.poll(turns, { interval: 5 }).toBe(1);
  await end(one, 'SIGKILL');
  expect(await database.collection('files').countDocuments()).toBe(0);
  const two = await start();
  // A host that was killed counts as alive for 15 s; others look for what it left every 10 s.
  await answers(two, 'Killed');
  // From here on nobody could build it: a host with an empty folder answers from what that one shared.
  await expect.poll(() => store.files.listFiles('catalog-')).toMatchObject([{ whole: expect.anything() }]);
  await store.imports.removeEntriesOf((await store.imports.findImport(id))!.number, 10_000);
  await end(two, 'SIGTERM');
  await answers(await start(), 'Killed');
}

async function killWhileItImports(): Promise<void> {
  const { store, start, end } = await openHosts();
  const [one] = [await start(), await start()];
  const browser = createAdminBrowser(one.url);
  expect((await browser.post('/sign-in', { name: 'admin', password: PASSWORD })).status).toBe(303);
  const rows = parts('Uploaded').map(({ body }) => {
    const { url, title, keywords } = body as { url: string; title: string; keywords: string[] };
    return `${url},${title},${keywords[0]}`;
  });
  const content = ['url,title,keywords', ...rows].join('\n');
  const fields = { format: 'objects', langs: 'en', mode: 'begin' };
  const sent = await browser.postFile('/imports/new', fields, { name: 'many.csv', content });
  expect(sent.headers.get('location')).toMatch(/^\/admin\/imports\/./);
  await end(one, 'SIGKILL');
  const [record] = (await store.imports.listImports({ page: 0, pageSize: 1 })).items;
  expect(record?.state).toBe('running');
  const liveTitles = async () => {
    const { items } = await store.imports.listImports({ page: 0, pageSize: 9 });
    return items.filter(({ state }) => state === 'live').map(({ title }) => title);
  };
  await expect.poll(liveTitles).toEqual(['many.csv']);
  await expect.poll(() => store.files.listFiles('upload/')).toEqual([]);
}
