#!/usr/bin/env node
// `npm pack` runs this before it packs, and with --clean afterwards. It makes two things that the package needs and the
// repository does not: the index, compressed, as 47 MB would more than double the package; and the lock of its
// dependencies, so that `npx skilldock` installs the versions that were tested.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const packedIndex = join(root, 'dist', 'packed-index');
const shrinkwrap = join(root, 'npm-shrinkwrap.json');

rmSync(packedIndex, { recursive: true, force: true });
rmSync(shrinkwrap, { force: true });
if (!process.argv.includes('--clean')) {
  packIndex();
  writeFileSync(shrinkwrap, `${JSON.stringify(readProductionLock(), null, 2)}\n`);
}

function packIndex() {
  const index = join(root, 'dist', 'index');
  mkdirSync(packedIndex, { recursive: true });
  for (const name of readdirSync(index)) {
    writeFileSync(join(packedIndex, `${name}.gz`), gzipSync(readFileSync(join(index, name)), { level: 9 }));
  }
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
