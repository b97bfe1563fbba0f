import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createSqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts';
import { createRecordServices } from '../../src/compose/record-services.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { runProgram } from '../helpers/host-process.ts';
import { anyApiKey, SECRET, secretKeysOf, tester } from '../helpers/open-services.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

/** A data folder of its own, and commands in it. */
function useDataDir() {
  const env = { DATA_DIR: makeTempDir() };
  return {
    async run(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await runProgram(args, env);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      return stdout;
    },
    fail: (...args: string[]) => runProgram(args, env),
  };
}

test.each([
  ['an empty name', ['--name', ' '], /name/],
  ['a day that is over', ['--name', 'a', '--expires', '2020-01-01'], /day to come/],
  ['what is no day', ['--name', 'a', '--expires', '5'], /day to come/],
  ['a day that no month has', ['--name', 'a', '--expires', '2127-02-30'], /day to come/],
  ['a name that moves the cursor', ['--name', 'a\u001b[2J'], /printable/],
  ['no requests at all', ['--name', 'a', '--per-day', '0'], /whole number/],
  ['an unknown scope', ['--name', 'a', '--scope', 'everything'], /competency/],
])('keys create refuses %s', async (_what, options, reason) => {
  const { code, stdout, stderr } = await runProgram(['keys', 'create', ...options], { DATA_DIR: tmpdir() });
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(reason);
});

// Each command is a process of its own, which takes its time on a busy machine.
describe('keys and tenants', () => {
  test('a key needs a name only, and --json is exactly its id and the key', async () => {
    const { run } = useDataDir();
    const json = await run('keys', 'create', '--name', 'Ada', '--json');
    expect(json).toMatch(/^\{"id":"[0-9a-f-]{36}","key":"sk_[\w-]{32}"\}\n$/);
    const { id, key } = JSON.parse(json);
    const [listed] = JSON.parse(await run('keys', 'list', '--json'));
    expect(listed).toMatchObject({
      id,
      tenantId: 'default',
      name: 'Ada',
      scopes: ['competency', 'learning-objects', 'feedback', 'rs', 'mcp'],
      perSecond: 20,
      perDay: 50_000,
      expiresAt: null,
      lastUsedAt: null,
    });
    expect(JSON.stringify(listed)).not.toContain(key.slice(3));
    expect(listed).not.toHaveProperty('keyHash');
  });

  test('of a tenant, by its id or its name', async () => {
    const { run, fail } = useDataDir();
    const made = JSON.parse(await run('tenants', 'create', 'École Normale', '--json'));
    expect(made).toEqual({
      id: expect.stringMatching(/^ecole-normale-[a-z2-7]{5}$/),
      name: 'École Normale',
    });
    await run('keys', 'create', '--name', 'one', '--tenant', made.id);
    await run('keys', 'create', '--name', 'two', '--tenant', 'ecole normale', '--scope', 'feedback');
    await run('keys', 'create', '--name', 'other');
    const listed = await run('keys', 'list', '--tenant', 'École Normale', '--json');
    expect(JSON.parse(listed).map(({ name }: { name: string }) => name)).toEqual(['one', 'two']);
    expect(await run('tenants', 'list')).toMatch(
      /^ID +STATUS.*\ndefault .*\necole-normale-.{5} +active +local +École Normale\n$/,
    );
    const { id } = JSON.parse(listed)[0];
    const elsewhere = await fail('keys', 'revoke', id, '--tenant', 'default');
    expect(elsewhere).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(id) });
    expect(await run('keys', 'revoke', id, '--tenant', made.id)).toContain('revoked');
    expect(await run('keys', 'list', '--tenant', made.id)).toMatch(/revoked +one .*\n.*active +two/);
  });

  test('a key is listed by its id, without the key itself, and revoked once', async () => {
    const { run, fail } = useDataDir();
    const { id, key } = JSON.parse(await run('keys', 'create', '--name', 'Ada', '--json'));
    const listed = await run('keys', 'list');
    expect(listed).toContain(`${id}  active  Ada`);
    expect(listed).not.toContain(key);
    await run('keys', 'revoke', id);
    expect(await run('keys', 'list')).toContain(`${id}  revoked  Ada`);
    expect((await fail('keys', 'revoke', id)).code).toBe(2);
  });

  test('an unknown tenant is 2 and says what to do', async () => {
    const { code, stdout, stderr } = await useDataDir().fail('keys', 'create', '--name', 'a', '--tenant', 'nobody');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/no tenant nobody.*tenants list/);
  });

  test('a key whose output nobody reads is revoked', async () => {
    const folder = makeTempDir();
    const env = { ...process.env, DATA_DIR: folder };
    const command = ['bin/skilldock.js', 'keys', 'create', '--name', 'unread'];
    const child = spawn(process.execPath, command, { env });
    child.stdout.destroy();
    const stderr = await text(child.stderr);
    expect(stderr).toBe('The key could not be shown, so it was revoked. Make another one.\n');
    const { stdout } = await runProgram(['keys', 'list'], { DATA_DIR: folder });
    expect(stdout).toMatch(/^\S+ +revoked +unread /);
  });

  test('more keys than fit on a page are all listed', async () => {
    const folder = makeTempDir();
    const store = createSqliteStore(`${folder}/skilldock.db`);
    const services = createRecordServices({ store, secretKeys: secretKeysOf(SECRET), clock: systemClock });
    await services.tenants.prepare();
    for (let i = 0; i < 201; i++) await services.apiKeys.createApiKey(tester, anyApiKey);
    await store.close();
    const { stdout } = await runProgram(['keys', 'list', '--json'], { DATA_DIR: folder });
    expect(JSON.parse(stdout)).toHaveLength(201);
  });
});
