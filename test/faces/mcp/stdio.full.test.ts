import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type HostProcess, runProgram, startHostProcess } from '../../helpers/host-process.ts';

describe('skilldock mcp', () => {
  let host: HostProcess;
  let key: string;
  beforeAll(async () => {
    host = await startHostProcess();
    key = await host.createKey();
  });
  afterAll(() => host.stop());

  async function start(args: readonly string[], env: Record<string, string> = {}, mode: 'legacy' | 'auto' = 'auto') {
    const client = new Client({ name: 'test', version: '1' }, mode === 'auto' ? { versionNegotiation: { mode } } : {});
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [resolve('bin/skilldock.js'), 'mcp', ...args],
      stderr: 'pipe',
      env: { PATH: process.env.PATH ?? '', DATA_DIR: host.dataDir, LOG_LEVEL: 'warn', LANG: 'C', ...env },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    return client;
  }

  const ways = [
    { name: 'beside a running host', args: () => [], env: () => ({}) },
    { name: 'passing on to a host', args: () => ['--host', host.url], env: () => ({ SKILLDOCK_KEY: key }) },
  ];

  test.each(ways.flatMap((way) => (['legacy', 'auto'] as const).map((mode) => ({ ...way, mode }))))(
    'answers $name, for a client that begins with $mode',
    async ({ args, env, mode }) => {
      const client = await start(args(), env(), mode);
      expect((await client.listTools()).tools).toHaveLength(7);
      const { structuredContent } = await client.callTool({
        name: 'search_learning',
        arguments: { keywords: 'python' },
      });
      const { items, request_id } = structuredContent as { items: { url: string }[]; request_id: string };
      expect(items).toHaveLength(10);
      const given = await client.callTool({
        name: 'give_feedback',
        arguments: { url: items[0]!.url, request_id, comment: `From ${mode}, ${args().length}.` },
      });
      expect(given.structuredContent).toEqual({ is_kept: true });
    },
  );

  /** What a program answers to these lines, with its standard input kept open. */
  async function talk(args: readonly string[], lines: readonly string[], env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [resolve('bin/skilldock.js'), 'mcp', ...args], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: host.dataDir, LOG_LEVEL: 'warn', LANG: 'C', ...env },
    });
    onTestFinished(() => void child.kill());
    let [said, told] = ['', ''];
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stderr.on('data', (chunk) => (told += chunk));
    for (const line of lines) child.stdin.write(`${line}\n`);
    return { child, said: () => said, told: () => told };
  }
  const long = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(300_000) } });

  test.each(ways)('ends in order after a message that is too long, $name', async ({ args, env }) => {
    const { child, told } = await talk(args(), [long], env());
    const code = await new Promise((done) => child.once('close', done));
    expect(code).toBe(0);
    expect(told()).not.toMatch(/unhandled|\n\s+at /i);
  });

  test('does not answer what is not a request where no host runs', async () => {
    const lines = [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 7, method: 'ping' },
    ].map((message) => JSON.stringify(message));
    const { child, said } = await talk(['--host', 'http://127.0.0.1:9'], lines, { SKILLDOCK_KEY: key });
    await expect.poll(said).toContain('"id":7');
    child.stdin.end();
    await new Promise((done) => child.once('close', done));
    expect(said().trim().split('\n')).toHaveLength(1);
  });

  test('keeps the output of libraries out of the messages', async () => {
    const noisy = 'setInterval(() => console.log("noise"), 5).unref()';
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' });
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(noisy)}` };
    const { said, told } = await talk([], [ping], env);
    await expect.poll(said).toContain('"id":7');
    await expect.poll(told).toContain('noise');
    expect(said().split('"id":7')[1]).not.toContain('noise');
  });

  test('answers in the language of the machine', async () => {
    const client = await start([], { LANG: 'fr_FR.UTF-8' });
    const { content } = await client.callTool({
      name: 'find_skills',
      arguments: { keywords: 'soins infirmiers' },
    });
    expect((content as { text: string }[])[0]!.text).toContain('compétences pour');
  });

  test('reports what is missing, and what a host refuses', async () => {
    expect(await runProgram(['mcp', '--host', host.url])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SKILLDOCK_KEY'),
    });
    await expect(start(['--host', host.url], { SKILLDOCK_KEY: 'sk_unknown' })).rejects.toThrow('TOKEN_INVALID');
  });
});
