import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decodeVersionCatalog } from '../../src/adapters/local/versions/version-files.ts';
import { openVersionFolders } from '../../src/adapters/local/versions/version-folders.ts';
import { objectPart, openImports } from '../adapters/local/imported.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

// Over two seconds of CPU: a real host process is started.
test('a host that waits for its index is alive, not ready, and stops on request', async () => {
  const dataDir = makeTempDir();
  const env = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: `${await findFreePort()}`, LOG_LEVEL: 'silent' };
  await buildForEver(dataDir);
  const child = spawn(process.execPath, ['bin/skilldock.js', 'serve'], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${env.PORT}${path}`).then(
      ({ status }) => status,
      () => null,
    );
  await expect.poll(() => ask('/healthz')).toBe(200);
  expect(await ask('/readyz')).toBe(503);
  const page = await fetch(`http://127.0.0.1:${env.PORT}/admin`, { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('refresh')]).toEqual([503, '1']);
  expect(await page.text()).toContain('This page opens by itself');
  const ended = new Promise((done) => child.once('close', done));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(output).toBe('');
});

test('an error of the system is printed without a stack', () => {
  const dataDir = makeTempDir();
  writeFileSync(join(dataDir, 'catalog'), '');
  const env = { ...process.env, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' };
  const { status, stderr } = spawnSync(process.execPath, ['bin/skilldock.js', 'serve'], { env });
  expect(stderr.toString()).toMatch(/^The system refuses it: ENOTDIR.*catalog.* and try again\.\n$/);
  expect(status).toBe(3);
});

/** Something is imported, and somebody is making the index of it. */
async function buildForEver(dataDir: string): Promise<void> {
  const imports = openImports(join(dataDir, 'skilldock.db'));
  await imports.put('courses', [objectPart({ url: 'https://courses.example.org/1', title: 'Weaving' })]);
  const built = decodeVersionCatalog(readFileSync('dist/index/catalog.index')).summary.fingerprint;
  const key = { base: built.replace(/:$/, ''), imported: await imports.catalog.version() };
  const { path } = openVersionFolders(dataDir).createDraft(key);
  const later = Date.now() / 1_000 + 600;
  utimesSync(path, later, later);
  await imports.close();
}
