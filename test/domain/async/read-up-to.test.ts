import { expect, test } from 'vitest';
import { readUpTo } from '../../../src/domain/async/read-up-to.ts';

async function* give(chunks: readonly string[], report: { ended?: boolean } = {}) {
  try {
    for (const chunk of chunks) yield Buffer.from(chunk);
  } finally {
    report.ended = true;
  }
}

test('a stream within the limit is read as a whole', async () => {
  expect(await readUpTo(give(['ab', 'c']), 3)).toEqual({ bytes: Buffer.from('abc'), isLonger: false });
  expect(await readUpTo(give([]), 3)).toEqual({ bytes: Buffer.from(''), isLonger: false });
});

test('a longer stream is cut and ended', async () => {
  const report = { ended: false };
  expect(await readUpTo(give(['ab', 'cd', 'ef'], report), 3)).toEqual({ bytes: Buffer.from('abc'), isLonger: true });
  expect(report.ended).toBe(true);
});
