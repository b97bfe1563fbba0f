import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { makeTempDir } from './helpers/temp-dir.ts';

const run = promisify(execFile);
interface Bill {
  readonly components: readonly { readonly name: string }[];
}

const MAX_UNPACKED_BYTES = 45_000_000;

// Ten seconds of CPU: the package is packed, and installed with its dependencies.
test('the npm package installs into an empty folder without a build, starts, searches and imports', async () => {
  const packed = makeTempDir();
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', packed]);
  const [summary] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ unpackedSize: number; filename: string }];
  expect(summary.unpackedSize).toBeLessThan(MAX_UNPACKED_BYTES);

  const folder = makeTempDir();
  const registry = await serveRegistry(join(packed, summary.filename));
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', [...install, `--registry=${registry}`, 'skilldock'], { cwd: folder });
  // npm installs the versions of the lock in the package, and no development dependency.
  const locked = readVersions('package-lock.json', 'node_modules/');
  const installed = readVersions(
    join(folder, 'node_modules/.package-lock.json'),
    'node_modules/skilldock/node_modules/',
  );
  expect(locked).toMatchObject(installed);
  expect(installed).toHaveProperty('express');
  expect(installed).not.toHaveProperty('vitest');

  await compileClient(folder);
  // Scanners find its libraries in it.
  const bill = JSON.parse(readFileSync(join(folder, 'node_modules/skilldock/sbom.cdx.json'), 'utf8')) as Bill;
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX' });
  expect(bill.components.map(({ name }) => name)).toContain('express');
  expect(bill.components.map(({ name }) => name)).not.toContain('vitest');

  const env = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    PICTURES: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: join(folder, 'var'),
  };
  const program = join(folder, 'node_modules/.bin/skilldock');
  const host = spawn(program, ['serve', '--verbose'], { cwd: folder, env });
  onTestFinished(() => void host.kill('SIGKILL'));
  let output = '';
  let errors = '';
  host.stdout.on('data', (chunk) => {
    output += chunk;
  });
  host.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  await expect.poll(() => output + errors).toMatch(/Demo key[^:]*: \S+/);
  // The package contains the index, which the host only unpacks.
  expect(errors).toBe('');
  const url = /ready at (\S+)/.exec(output)![1]!;
  const { key } = JSON.parse(
    (await run(program, ['keys', 'create', '--name', 'test', '--json'], { cwd: folder, env })).stdout,
  );
  const search = async (keywords: string) => {
    const response = await fetch(`${url}/learningobject/v2/search?keywords=${keywords}&lang=en`, {
      headers: { 'x-api-key': key },
    });
    return response.text();
  };
  expect(await search('python')).toMatch(/python/i);

  writeFileSync(
    join(folder, 'courses.csv'),
    'title,url,language\nBookbinding for xylophonists,https://courses.example.org/1,en\n',
  );
  await run(program, ['import', 'objects', 'courses.csv'], { cwd: folder, env });
  await expect.poll(() => search('xylophonists')).toMatch('Bookbinding for xylophonists');

  const ended = new Promise((done) => host.once('close', done));
  host.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(readdirSync(resolve('.'))).not.toContain('npm-shrinkwrap.json');
  expect(readdirSync(resolve('.'))).not.toContain('sbom.cdx.json');
});

/** Compiles a module that uses the types of the API. */
async function compileClient(folder: string): Promise<void> {
  const module = `import type { paths } from 'skilldock/openapi';
type Similar = paths['/domcomp/v1/similar']['get']['responses'][200]['content']['application/json'];
export const readLabel = (answer: Similar): string => answer.response[0]!.label;
// @ts-expect-error: a label is a text
export const readNumber = (answer: Similar): number => answer.response[0]!.label;
`;
  writeFileSync(join(folder, 'client.ts'), module);
  const options = '--strict --noEmit --module nodenext --target es2023 --types'.split(' ');
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...options, '', 'client.ts'], {
    cwd: folder,
  });
}

/** A registry with this package; for all others it redirects to the real one.
 *  @returns its address */
async function serveRegistry(tarball: string): Promise<string> {
  const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim().replace(/\/$/, '');
  const content = readFileSync(tarball);
  const server = createServer(({ url = '' }, response) => {
    if (url.endsWith('.tgz') && url.startsWith('/skilldock/')) return void response.end(content);
    if (url !== '/skilldock') return void response.writeHead(302, { location: upstream + url }).end();
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const dist = {
      tarball: `http://127.0.0.1:${port}/skilldock/skilldock.tgz`,
      integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
    };
    // What a registry adds to a package with npm-shrinkwrap.json.
    const version = { ...manifest, dist, _hasShrinkwrap: true };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name: 'skilldock',
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: version },
      }),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function readVersions(lock: string, root: string): Record<string, string> {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, { version: string }> };
  return Object.fromEntries(
    Object.entries(packages)
      .filter(([path]) => path.startsWith(root))
      .map(([path, { version }]) => [path.slice(root.length), version]),
  );
}
