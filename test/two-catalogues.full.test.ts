import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createMongoStore } from '../src/adapters/store/mongo/mongo-store.ts';
import { objectPart, openImports } from './adapters/local/imported.ts';
import { anObject } from './adapters/local/services.ts';
import { type HostProcess, startHostProcess } from './helpers/host-process.ts';
import { startMongoServer } from './helpers/mongo-server.ts';
import { makeTempDir } from './helpers/temp-dir.ts';

const preparer = resolve('test/helpers/prepare-index.js');
/** More than are laid over a version, so many that a build takes a while. */
const OBJECTS = 2_100;

const parts = (title: string) =>
  Array.from({ length: OBJECTS }, (_, i) =>
    objectPart(anObject(`many/${i}`, { title: `${title} number ${i}`, keywords: [`keyword${i}`] })),
  );

/** What searches of one host found, one after the other, each once in a row. */
function watch({ url }: HostProcess, key: string) {
  const seen: string[] = [];
  let isDone = false;
  const searching = (async () => {
    while (!isDone) {
      const what = await firstTitle(url, key).catch(String);
      if (seen.at(-1) !== what) seen.push(what);
      await new Promise((done) => setTimeout(done, 20));
    }
  })();
  return {
    seen,
    async end() {
      isDone = true;
      await searching;
    },
  };
}

async function firstTitle(url: string, key: string): Promise<string> {
  const address = `${url}/learningobject/v2/search?keywords=keyword7&model=strict`;
  const response = await fetch(address, { headers: { 'x-api-key': key } });
  if (!response.ok) return `status ${response.status}`;
  const { response: answer } = (await response.json()) as { response: { content: { title: string }[] } };
  return answer.content[0]?.title ?? 'nothing';
}

const mongo = await startMongoServer();
afterAll(() => mongo?.stop());

test.runIf(mongo !== null)('hosts of one store change over to what is imported while they are searched', async () => {
  const dataDir = makeTempDir();
  const uri = mongo!.newUri();
  const env = { DATA_DIR: dataDir, MONGODB_URI: uri, SECRET_KEY: 'a secret that both of the hosts share' };
  const hosts = await Promise.all([startHostProcess(env), startHostProcess(env)]);
  onTestFinished(async () => void (await Promise.all(hosts.map((host) => host.stop()))));
  const imports = openImports(await createMongoStore(uri));
  onTestFinished(() => imports.close());
  const key = await hosts[0]!.createKey('--per-second', '10000', '--per-day', '1000000');
  const before = await firstTitle(hosts[0]!.url, key);
  const watched = hosts.map((host) => watch(host, key));
  await imports.put('many', parts('Imported'));
  const latest = () => watched.map(({ seen }) => seen.at(-1));
  await expect.poll(latest).toEqual(['Imported number 7', 'Imported number 7']);
  for (const { end } of watched) await end();
  expect(watched.map(({ seen }) => seen)).toEqual([
    [before, 'Imported number 7'],
    [before, 'Imported number 7'],
  ]);
  // Built beside them, and once for both.
  expect(readdirSync(join(dataDir, 'catalog'))).toEqual([expect.not.stringMatching(/new$/)]);
});

test('a build that is killed at any moment leaves nothing that is taken for whole', async () => {
  const dataDir = makeTempDir();
  const imports = openImports(join(dataDir, 'skilldock.db'));
  onTestFinished(() => imports.close());
  await imports.put('many', parts('Killed'));
  const prepare = (): ChildProcess => spawn(process.execPath, [preparer, dataDir], { stdio: 'ignore' });
  const ended = (child: ChildProcess) => new Promise((done) => child.once('exit', (...how) => done(how)));
  for (const step of ['imported.jsonl', 'records.jsonl']) {
    const child = prepare();
    const end = ended(child);
    await expect.poll(() => filesIn(dataDir).some((path) => path.endsWith(step)), { interval: 2 }).toBe(true);
    child.kill('SIGKILL');
    expect(await end).toEqual([null, 'SIGKILL']);
    expect(readdirSync(join(dataDir, 'catalog')).every((name) => name.endsWith('.new'))).toBe(true);
  }
  const end = ended(prepare());
  expect(await end).toEqual([0, null]);
  // What the killed ones left is gone as well.
  expect(readdirSync(join(dataDir, 'catalog'))).toEqual([expect.not.stringMatching(/new$/)]);
  expect(filesIn(dataDir)).toHaveLength(5);
});

function filesIn(dataDir: string): string[] {
  const folder = join(dataDir, 'catalog');
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}
