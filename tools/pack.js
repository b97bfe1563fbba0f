#!/usr/bin/env node
// `npm pack` runs this after the build, and with --clean afterwards. It makes what only the package
// needs: the index, compressed from 47 MB to 21; the lock of its dependencies, so that
// `npx skilldock` installs the tested versions; their list for scanners (SBOM, CycloneDX); and the
// types of its HTTP API.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const packedIndex = join(root, 'dist', 'packed-index');
const shrinkwrap = join(root, 'npm-shrinkwrap.json');
const billOfMaterials = join(root, 'sbom.cdx.json');
const types = join(root, 'dist', 'openapi.d.ts');

rmSync(packedIndex, { recursive: true, force: true });
for (const file of [shrinkwrap, billOfMaterials, types]) rmSync(file, { force: true });
if (!process.argv.includes('--clean')) {
  packIndex();
  // Before the shrinkwrap is there, which npm would read instead of the lock.
  writeFileSync(billOfMaterials, listComponents());
  writeFileSync(shrinkwrap, `${JSON.stringify(readProductionLock(), null, 2)}\n`);
  writeFileSync(types, await makeTypes());
}

function packIndex() {
  const index = join(root, 'dist', 'index');
  mkdirSync(packedIndex, { recursive: true });
  for (const name of readdirSync(index)) {
    writeFileSync(join(packedIndex, `${name}.gz`), gzipSync(readFileSync(join(index, name)), { level: 9 }));
  }
}

function listComponents() {
  const options = ['--package-lock-only', '--sbom-format', 'cyclonedx', '--omit', 'dev'];
  return execFileSync('npm', ['sbom', ...options], { cwd: root, shell: process.platform === 'win32' });
}

/** The lock without what only development and the optional peers need. */
function readProductionLock() {
  const { packages, ...lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { devDependencies, ...project } = packages[''];
  const others = Object.entries(packages).filter(
    ([path, { dev, peer, devOptional }]) => path !== '' && !dev && !peer && !devOptional,
  );
  return { ...lock, packages: Object.fromEntries([['', project], ...others]) };
}

/** The types of the OpenAPI document, for clients in TypeScript. */
async function makeTypes() {
  const folder = join(import.meta.dirname, 'openapi');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const { createOpenApi } = await import('../dist/src/faces/api/openapi.js');
  const { default: openapi, astToString } = await import('./openapi/node_modules/openapi-typescript/dist/index.mjs');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return astToString(await openapi(createOpenApi('http://localhost:3000', version)));
}
