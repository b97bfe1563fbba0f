import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { draw } from './helpers/draw.ts';
import { type HostProcess, runProgram, startHostProcess } from './helpers/host-process.ts';
import { skipBecause } from './helpers/skips.ts';

const DISK_BYTES = 4 * 1024 * 1024;
const BLOCK_BYTES = 4096;

/** A disk of its own; null where this user may not mount one. */
function mountSmallDisk(): string | null {
  const path = mkdtempSync(join(tmpdir(), 'skilldock-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', path], { stdio: 'pipe' });
    return path;
  } catch {
    rmSync(path, { recursive: true });
    skipBecause('a small disk cannot be mounted', 'Run the tests as root, where mounting is allowed.');
    return null;
  }
}

const disk = mountSmallDisk();
afterAll(() => {
  if (disk === null) return;
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

/** Fills the disk but for so many bytes. */
function fill(exceptBytes = 0): void {
  const { bavail, bsize } = statfsSync(disk!);
  try {
    writeFileSync(join(disk!, 'filling'), Buffer.alloc(Math.max(0, bavail * bsize - exceptBytes)));
  } catch (error) {
    // A host that runs there has written meanwhile; the file has the rest.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

const makeRoom = () => rmSync(join(disk!, 'filling'), { force: true });

describe.runIf(disk !== null)('on a full disk', () => {
  let dataDir: string;
  let source: string;
  beforeEach(() => {
    dataDir = join(disk!, 'data');
    mkdirSync(dataDir);
    source = join(mkdtempSync(join(tmpdir(), 'skilldock-test-')), 'objects.csv');
    writeFileSync(source, 'url,title\nhttps://courses.example.org/1,Weaving\n');
  });
  afterEach(() => {
    makeRoom();
    rmSync(dataDir, { recursive: true });
    rmSync(source);
  });

  const run = (...command: string[]) => runProgram(command, { DATA_DIR: dataDir, PORT: '0' });

  const saysSo = { code: 3, stderr: expect.stringMatching(/^There is no space left for .*Make room.*\n$/) };

  test('every command that needs the store ends with 3 and the words for it', async () => {
    const backup = join(tmpdir(), `skilldock-backup-${process.pid}.db`);
    expect((await run('keys', 'create', '--name', 'Ada')).code).toBe(0);
    expect((await run('backup', backup)).code).toBe(0);
    fill();
    for (const command of [
      ['keys', 'create', '--name', 'Ben'],
      ['keys', 'list'],
      ['tenants', 'create', 'School'],
      ['admin', 'link'],
      ['people', 'erase', 'ada@example.org', '--tenant', 'default'],
      ['secrets', 'rotate'],
      ['import', 'objects', source],
      ['backup', join(disk!, 'backup.db')],
      ['restore', backup],
      ['serve'],
    ])
      expect({ command, ...(await run(...command)) }).toMatchObject({ command, ...saysSo });
    makeRoom();
    rmSync(backup);
    expect((await run('keys', 'list')).stdout).toMatch(/Ada/);
  });

  // Each step of making a store needs some more room than the one before.
  test.each(draw([0, 1, 2, 4, 8, 16, 32, 64, 96], 'blocks left', 2).map((blocks) => blocks * BLOCK_BYTES))(
    'the first command, with room for %i bytes, works or says so',
    async (bytes) => {
      fill(bytes);
      const made = await run('keys', 'create', '--name', 'Ada');
      if (made.code !== 0) expect(made).toMatchObject(saysSo);
      makeRoom();
      expect((await run('keys', 'create', '--name', 'Ada')).code).toBe(0);
    },
  );

  test('output that cannot be written is said, too, and a key that was not shown does not work', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
    fill();
    const errors = join(elsewhere, 'errors');
    const env = { ...process.env, DATA_DIR: elsewhere };
    for (const command of ['tenants list', 'keys create --name Ada', 'keys create --name Ada --json']) {
      const shell = `exec "${process.execPath}" bin/skilldock.js ${command} > "${disk}/output" 2> "${errors}"`;
      expect(() => execFileSync('sh', ['-c', shell], { env, stdio: 'pipe' })).toThrow(
        expect.objectContaining({ status: 3 }),
      );
      expect(readFileSync(errors, 'utf8')).toMatch(/^There is no space left/);
    }
    const { stdout } = await runProgram(['keys', 'list', '--json'], { DATA_DIR: elsewhere });
    const keys = JSON.parse(stdout) as { revokedAt: string | null }[];
    expect(keys.map(({ revokedAt }) => revokedAt)).toEqual([expect.any(String), expect.any(String)]);
    rmSync(join(disk!, 'output'), { force: true });
    rmSync(elsewhere, { recursive: true });
  });

  test('a key is made and shown, or not made at all', async () => {
    const list = async () => JSON.parse((await run('keys', 'list', '--json')).stdout) as { id: string }[];
    const idOf = (stdout: string) => (JSON.parse(stdout) as { id: string }).id;
    const shown = [idOf((await run('keys', 'create', '--name', 'Ada', '--json')).stdout)];
    for (const blocks of draw([12, 13, 14, 15, 16, 17], 'blocks left', 3)) {
      fill(blocks * BLOCK_BYTES);
      const made = await run('keys', 'create', '--name', 'Ben', '--json');
      if (made.code !== 0) expect(made).toMatchObject(saysSo);
      else shown.push(idOf(made.stdout));
      makeRoom();
      expect((await list()).map(({ id }) => id).sort(), `${blocks} blocks`).toEqual(shown.sort());
    }
  });

  describe('a host that runs', () => {
    let host: HostProcess;
    beforeEach(async () => {
      // Feedback for an upstream is stored, whether it answers or not.
      const upstream = { UPSTREAM_URL: 'http://127.0.0.1:9', ALLOW_PRIVATE_UPSTREAM: '1' };
      host = await startHostProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...upstream });
    });
    afterEach(() => host.stop());

    test('answers reads, answers writes with 503, takes them again when there is room, and ends in peace', async () => {
      const key = (JSON.parse((await run('keys', 'create', '--name', 'Ada', '--json')).stdout) as { key: string }).key;
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const source = 'https://school.example.org';
      const feedback = { source, url: 'https://example.org/1', request_id: 'r', email: 'a@example.org' };
      const give = async () => {
        const body = JSON.stringify(feedback);
        return (await fetch(`${host.url}/learningobject/v2/feedback`, { method: 'POST', headers, body })).status;
      };
      expect(await give()).toBe(200);
      fill();
      // The log of the store may have some room in it.
      let refused = 0;
      for (let i = 0; i < 200 && refused === 0; i++) if ((await give()) === 503) refused++;
      expect(refused).toBe(1);
      const statusOf = async (path: string) => (await fetch(host.url + path)).status;
      for (const path of ['/', '/docs', '/healthz']) expect([path, await statusOf(path)]).toEqual([path, 200]);
      // A balancer sends requests elsewhere.
      expect(await statusOf('/readyz')).toBe(503);
      makeRoom();
      expect(await statusOf('/readyz')).toBe(200);
      expect(await give()).toBe(200);
      fill();
      expect(await host.stop()).toBe(0);
    });
  });
});
