import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import {
  explainJobEnd,
  type IndexJob,
  runIndexJob,
  runIndexJobApart,
} from '../../../../src/adapters/local/versions/index-jobs.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { anObject, writeCatalog } from '../services.ts';

function prepareBuild(): IndexJob {
  const catalogDir = makeTempDir();
  writeCatalog(catalogDir, { objects: [anObject('a', { title: 'Python' }), anObject('b', { title: 'Rust' })] });
  const key = { base: 'base', imported: 'imported', imports: 'imports' };
  return { kind: 'build', catalogDir, folder: makeTempDir(), linesPath: null, ...key };
}

const never = new AbortController().signal;

test('a process builds the same version as this one', async () => {
  const job = prepareBuild();
  const apart = await runIndexJobApart(job, never);
  expect(apart).not.toBeNull();
  expect(apart).toEqual(runIndexJob({ ...job, folder: makeTempDir() }));
});

test('the error of a build in a process has its code', async () => {
  const job = { ...prepareBuild(), catalogDir: makeTempDir() };
  const codeOf = (error: unknown) => (error as { readonly code?: unknown }).code;
  const [apart, here] = await Promise.all([
    runIndexJobApart(job, never).catch(codeOf),
    Promise.resolve(job).then(runIndexJob).catch(codeOf),
  ]);
  expect(apart).toBe('CATALOG_INVALID');
  expect(here).toBe(apart);
});

test('an aborted build ends', async () => {
  const stop = new AbortController();
  const build = runIndexJobApart(prepareBuild(), stop.signal);
  stop.abort(new Error('no longer needed'));
  await expect(build).rejects.toThrow('no longer needed');
});

test('explains that a catalogue is too large for the memory', async () => {
  const fill = 'const all = []; for (;;) all.push({ text: String(Math.random()) });';
  const full = spawn(process.execPath, ['--max-old-space-size=8', '-e', fill], { stdio: 'ignore' });
  const [code, killed] = (await once(full, 'exit')) as [number | null, NodeJS.Signals | null];
  expect(explainJobEnd(killed ?? code)).toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('--max-old-space-size'),
  });
  expect(explainJobEnd(1).message).toContain('ended with 1');
});
