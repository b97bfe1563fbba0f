import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRecordServices } from '../../src/compose/record-services.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { runProgram } from '../helpers/host-process.ts';
import { SECRET, secretKeysOf } from '../helpers/open-services.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { openTestStore } from '../helpers/test-store.ts';

const LINK = /^ {2}(\S+)\/admin\/link\/[\w-]{40,}$/m;

describe('admin link', () => {
  test('sets up a host that nobody has set up, at its public address', async () => {
    const env = { DATA_DIR: makeTempDir(), PUBLIC_URL: 'https://skills.example.org' };
    const { code, stdout } = await runProgram(['admin', 'link'], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Set up the host.*works once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(LINK.exec(stdout)?.[1]).toBe('https://skills.example.org');
  });

  test('lets an owner choose a new password, the first one or the one that is named', async () => {
    const env = { DATA_DIR: makeTempDir(), PORT: '3999' };
    await prepareOwner(env.DATA_DIR);
    for (const options of [[], ['--name', 'ADMIN']]) {
      const { code, stdout } = await runProgram(['admin', 'link', ...options], env);
      expect(code).toBe(0);
      expect(stdout).toContain('admin chooses a new password');
      expect(LINK.exec(stdout)?.[1]).toBe('http://localhost:3999');
    }
    const unknown = await runProgram(['admin', 'link', '--name', 'Eve'], env);
    expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Eve') });
  });
});

/** An owner called admin, as ADMIN_PASSWORD makes one. */
async function prepareOwner(dataDir: string): Promise<void> {
  const store = openTestStore(join(dataDir, 'skilldock.db'));
  const services = createRecordServices({ store, secretKeys: secretKeysOf(SECRET), clock: systemClock });
  await services.admins.prepareOwner('umbrella violin tractor');
  await store.close();
}
