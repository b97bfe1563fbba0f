import { cpSync, existsSync, rmSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runProgram, startHostProcess } from '../helpers/host-process.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { findTestModel } from '../helpers/test-model.ts';

const model = (await findTestModel()) ?? '';
const NAME = 'all-MiniLM-L6-v2';

function useDataDir(env: Record<string, string> = {}) {
  const dataDir = makeTempDir();
  const own = { DATA_DIR: dataDir, PORT: '0', ...env };
  return {
    dataDir,
    run: (...args: string[]) => runProgram(['model', ...args], own),
    async doctor() {
      const { stdout } = await runProgram(['doctor', '--json'], own);
      const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; found: string }[] };
      return checks.find(({ name }) => name === 'meaning');
    },
  };
}

async function startServer(answer: (path: string) => { status: number; body: string }) {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const { status, body } = answer(url);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror`, asked };
}

describe('without a model', () => {
  test('everything says what one would give, and how to install it', async () => {
    const { run, doctor } = useDataDir();
    expect((await run('list')).stdout).toMatch(/No model is installed\. skilldock model install/);
    expect((await run('list', '--json')).stdout).toBe('[]\n');
    expect(await run('check')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/skilldock model install/),
    });
    expect(await run('remove', NAME)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is installed/),
    });
    expect(await doctor()).toMatchObject({
      state: 'ok',
      found: expect.stringMatching(/skilldock model install$/),
    });
  });

  test('one that the settings name is missed', async () => {
    const { run, doctor } = useDataDir({ MODEL: 'another' });
    expect(await run('check')).toMatchObject({ code: 2, stderr: expect.stringMatching(/No model another/) });
    expect(await doctor()).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/No model another/),
    });
  });

  test('none is wanted where MODEL=none or a service says so', async () => {
    expect(await useDataDir({ MODEL: 'none' }).doctor()).toMatchObject({
      ...{ state: 'ok', found: expect.stringMatching(/MODEL=none/) },
    });
    const service = { EMBEDDINGS_URL: 'https://api.example.org/v1', EMBEDDINGS_MODEL: 'theirs' };
    expect(await useDataDir(service).doctor()).toMatchObject({
      ...{
        state: 'ok',
        found: expect.stringMatching(/api\.example\.org, model theirs; texts are sent there/),
      },
    });
  });
});

describe('install', () => {
  test('asks the source for pinned files, and refuses others', async () => {
    const source = await startServer((path) => ({ status: 200, body: path }));
    const { run, dataDir } = useDataDir({ MODEL_SOURCE: source.url });
    const { code, stdout, stderr } = await run('install');
    expect(code).toBe(2);
    expect(stdout).toMatch(/^Fetching all-MiniLM-L6-v2 \(24 MB, Apache-2\.0\) from http:/);
    expect(stderr).toMatch(/model_quantized\.onnx is not the file that was pinned/);
    const repository = '/mirror/Xenova/all-MiniLM-L6-v2/resolve/751bff37182d3f1213fa05d7196b954e230abad9';
    expect(source.asked).toEqual([`${repository}/onnx/model_quantized.onnx`]);
    expect(existsSync(join(dataDir, 'models', NAME))).toBe(false);
  });

  test('says that the source does not have it', async () => {
    const source = await startServer(() => ({ status: 404, body: 'no' }));
    const { run } = useDataDir({ MODEL_SOURCE: source.url });
    const { code, stderr } = await run('install', '--multilingual');
    expect(code).toBe(3);
    expect(stderr).toMatch(/does not have .*multilingual-e5-small.*MODEL_SOURCE.*model add FOLDER/);
  });
});

describe.skipIf(model === '')('with a model', () => {
  test('it is added, listed, checked and removed', async () => {
    const { run, dataDir, doctor } = useDataDir();
    const added = await run('add', model);
    expect(added).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/works: a sentence takes \d+ ms/),
    });
    expect((await run('list')).stdout).toMatch(/^all-MiniLM-L6-v2 +used +23 MB +en +Apache-2\.0$/m);
    expect(await doctor()).toMatchObject({ state: 'ok', found: expect.stringMatching(/all-MiniLM-L6-v2/) });
    truncateSync(join(dataDir, 'models', NAME, 'model.onnx'), 1_000);
    expect(await run('check')).toMatchObject({ code: 2, stderr: expect.stringMatching(/damaged/) });
    expect(await doctor()).toMatchObject({ state: 'warning', found: expect.stringMatching(/damaged/) });
    expect(await run('remove', NAME)).toMatchObject({ code: 0, stderr: '' });
    expect((await run('list', '--json')).stdout).toBe('[]\n');
    expect(await run('add', dirname(model))).toMatchObject({ code: 2 });
  });

  test('a host answers while a model comes and goes', async () => {
    const host = await startHostProcess({ LOG_LEVEL: 'info' });
    try {
      expect(host.output()).toMatch(/^ {2}Meaning: no model is installed, .*skilldock model install$/m);
      cpSync(model, join(host.dataDir, 'models', NAME), { recursive: true });
      const env = { DATA_DIR: host.dataDir };
      expect((await runProgram(['model', 'list'], env)).stdout).toMatch(/used/);
      rmSync(join(host.dataDir, 'models', NAME), { recursive: true });
      const search = () =>
        fetch(`${host.url}/domcomp/v1/similar?keywords=welding`, { headers: { 'x-api-key': host.demoKey } });
      expect((await search()).status).toBe(200);
      expect(await host.stop()).toBe(0);
    } finally {
      await host.stop();
    }
  });

  test('a host starts with it, and ends in order', async () => {
    const dataDir = makeTempDir();
    cpSync(model, join(dataDir, 'models', NAME), { recursive: true });
    const host = await startHostProcess({ DATA_DIR: dataDir });
    expect(host.output()).toMatch(
      /^ {2}Meaning: the model all-MiniLM-L6-v2 (?:is being loaded|runs in this host)/m,
    );
    expect(await host.stop()).toBe(0);
    const broken = await startHostProcess({ DATA_DIR: dataDir, MODEL: 'another' });
    expect(await broken.stop()).toBe(0);
  });
});
