import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Inspection } from '../../../src/ports/upstream.ts';
import { type FakeUpstream, MARKETPLACE_KEY, startFakeUpstream, UPSTREAM_KEY } from '../../fakes/upstream.ts';
import { runProgram } from '../../helpers/host-process.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

let upstream: FakeUpstream;
beforeEach(async () => {
  upstream = await startFakeUpstream();
  upstream.reply('search-provider', changing());
});
afterEach(() => upstream.close());

const notEchoed =
  'publisher ageMax ageMin learningTimeMax learningTimeMin levelMax levelMin popularityMin address distanceMax free author';

/** A reply of the fake that echoes every parameter, as the specification wants, with one change. */
// biome-ignore lint/suspicious/noExplicitAny: bodies are of the wire.
const changing = (change: (body: any) => void = () => {}) => ({
  // biome-ignore lint/suspicious/noExplicitAny: bodies are of the wire.
  change(body: any) {
    for (const name of notEchoed.split(' ')) body.request[name] ??= '';
    change(body);
    return body;
  },
});

const nothing = { UPSTREAM_URL: '', UPSTREAM_API_KEY: '', MARKETPLACE_URL: '', MARKETPLACE_KEY: '' };
const doctor = (args: readonly string[], env: Record<string, string> = {}) =>
  runProgram(['doctor', ...args], { DATA_DIR: makeTempDir(), ...nothing, ...env });
const address = () => ['--upstream', upstream.url];

describe('doctor', () => {
  test('of a good service: a line for each call, what is noted below it, a sum, and 0', async () => {
    const { code, stdout, stderr } = await doctor([...address(), '--key', UPSTREAM_KEY]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^provider +200 +\d+ ms {2}ok$/m);
    expect(stdout).toMatch(/^similar, with a wrong key +403 +\d+ ms {2}ok$/m);
    expect(stdout).toContain('  note       body: is a bare array; the specification does not show the form\n');
    expect(stdout).toMatch(/\n16 calls: 0 deviations, 1 note\.\n$/);
    expect(upstream.requests.some(({ operation }) => operation === 'feedback')).toBe(false);
  });

  test('of one that deviates: the field, what is expected and what is there, and 1', async () => {
    upstream.reply(
      'search-provider',
      changing(({ response }) => {
        for (const { PriceSpecification } of response.content.slice(3)) PriceSpecification['price-free'] = 'true';
      }),
    );
    const { code, stdout } = await doctor([...address(), '--key', UPSTREAM_KEY]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^search-provider, provider tube +200 +\d+ ms {2}1 deviation$/m);
    expect(stdout).toContain(
      '  deviation  response.content[3].PriceSpecification.price-free: expected boolean, found string "true" (2 times)\n',
    );
    expect(stdout).toMatch(/calls: 1 deviation,/);
  });

  test('as JSON has the same', async () => {
    upstream.reply('type', { status: 503, body: { message: 'Out of order' } });
    const { code, stdout } = await doctor([...address(), '--key', UPSTREAM_KEY, '--json']);
    expect(code).toBe(1);
    const { calls, ...sums } = JSON.parse(stdout) as { calls: Inspection[] };
    expect(sums).toEqual({ deviations: 1, notes: 1 });
    expect(calls).toHaveLength(16);
    expect(calls[1]).toEqual({
      operation: 'type',
      purpose: '',
      url: `${upstream.url}/learningobject/v2/type`,
      status: 503,
      milliseconds: expect.any(Number),
      isAsked: true,
      findings: [
        {
          severity: 'deviation',
          path: 'status',
          problem: 'expected 200 (the service says: Out of order), found number 503',
          times: 1,
        },
      ],
    });
  });

  test('of a gateway, with a feedback', async () => {
    const gateway = ['--marketplace', upstream.marketplaceUrl, '--marketplace-key', MARKETPLACE_KEY];
    const { code, stdout } = await doctor([...address(), '--key', UPSTREAM_KEY, ...gateway, '--feedback']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^feedback +200 /m);
    const paths = upstream.requests.map(({ path }) => path);
    expect(paths).toContain('/gateway/lo/feedback');
    expect(paths).not.toContain('/learningobject/v2/search-provider');
  });

  test('says where no feedback could be given', async () => {
    await upstream.close();
    upstream = await startFakeUpstream({ counts: { tube: 0, school: 0 } });
    const { stdout } = await doctor([...address(), '--key', UPSTREAM_KEY, '--feedback']);
    expect(stdout).toContain('No feedback was given');
    expect(upstream.requests.some(({ operation }) => operation === 'feedback')).toBe(false);
  });
});

describe('keys', () => {
  test('may be in the environment, and are shown nowhere', async () => {
    const wrong = 'wrong-key-of-the-environment';
    for (const [key, code] of [
      [UPSTREAM_KEY, 0],
      [wrong, 1],
    ] as const) {
      const run = await doctor(address(), { UPSTREAM_API_KEY: key });
      expect(run.code).toBe(code);
      expect(run.stdout + run.stderr).not.toContain(key);
    }
  });

  test('and addresses may come from the settings of the host together', async () => {
    const { code, stdout } = await doctor(['--upstream'], {
      UPSTREAM_URL: upstream.url,
      UPSTREAM_API_KEY: UPSTREAM_KEY,
      MARKETPLACE_URL: upstream.marketplaceUrl,
      MARKETPLACE_KEY,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('0 deviations') });
    expect(upstream.requests.map(({ path }) => path)).toContain('/gateway/lo/search-provider');
  });

  test('of a service in the settings are not sent to another one', async () => {
    const env = { UPSTREAM_URL: 'https://api.example.org', UPSTREAM_API_KEY: UPSTREAM_KEY };
    const { code, stdout, stderr } = await doctor(address(), env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--key: is required');
    expect(upstream.requests).toEqual([]);
  });

  test('and an address are asked for, all at once', async () => {
    const { code, stderr } = await doctor(['--marketplace', upstream.marketplaceUrl]);
    expect(code).toBe(2);
    for (const option of ['--upstream', '--key', '--marketplace-key'])
      expect(stderr).toContain(`  ${option}: is required`);
  });
});

describe('a connection that does not work', () => {
  test('because nothing listens there is said once, and is 3', async () => {
    const gone = upstream.url;
    await upstream.stop();
    const { code, stdout, stderr } = await doctor(['--upstream', gone, '--key', UPSTREAM_KEY]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^provider +--- .* 1 deviation$/m);
    expect(stdout).toContain('nothing listens there');
    expect(stdout).toMatch(/^type +--- .* not asked$/m);
    expect(stdout).toMatch(/\n1 call and \d+ not made: 1 deviation, 0 notes\.\n$/);
    expect(stderr).toContain('No call was answered');
    const asJson = await doctor(['--upstream', gone, '--key', UPSTREAM_KEY, '--json']);
    expect([asJson.code, JSON.parse(asJson.stdout)]).toMatchObject([3, { deviations: 1 }]);
    await upstream.restart();
  });

  test('because its key cannot be sent is 2, without the key', async () => {
    const { code, stdout, stderr } = await doctor([...address(), '--key', 'clé']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('The key cannot be sent');
    expect(stderr).not.toContain('clé');
    expect(upstream.requests).toEqual([]);
  });

  test('because its address is none is 2', async () => {
    const { code, stderr } = await doctor(['--upstream', 'api.example.org', '--key', UPSTREAM_KEY]);
    expect(code).toBe(2);
    expect(stderr).toContain('not a web address');
  });
});

test('stops calling the service when its output is closed', async () => {
  const child = spawn(process.execPath, ['bin/skilldock.js', 'doctor', ...address(), '--key', UPSTREAM_KEY], {
    env: { ...process.env, ...nothing },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  upstream.reply('type', { delayMs: 2_000 });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((done) => child.once('close', done));
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(upstream.requests.length).toBeLessThan(19);
});
