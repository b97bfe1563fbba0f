import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { explainVersionBuildError } from '../../../../src/adapters/local/versions/build-version.ts';

test('explains that a catalogue is too large for the memory', async () => {
  const fill = 'const all = []; for (;;) all.push({ text: String(Math.random()) });';
  const worker = new Worker(fill, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } });
  const [error] = (await once(worker, 'error')) as [unknown];
  expect(explainVersionBuildError(error)).toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('--max-old-space-size'),
  });
  const other = new Error('another');
  expect(explainVersionBuildError(other)).toBe(other);
});
