import { expect, onTestFinished, test } from 'vitest';
import type { CallOptions } from '../../../src/ports/learning-service.ts';
import { startApi } from './start-api.ts';

/** An operation that answers nobody, and whether its caller gave up. */
function createEndless() {
  let signal: AbortSignal | undefined;
  return {
    isAsked: () => signal !== undefined,
    isGivenUp: () => signal?.aborted === true,
    operation: (_request: unknown, options: CallOptions = {}): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal = options.signal;
        signal?.addEventListener('abort', () => reject(signal?.reason));
      }),
  };
}

test.each([
  ['/domcomp/v1/similar?keywords=a', 'similar'],
  ['/domcomp/v1/suggest?keywords=a', 'suggest'],
  ['/learningobject/v2/search-provider?keywords=a', 'searchProvider'],
  ['/learningobject/v2/search?keywords=a', 'searchMany'],
])('%s is given up once nobody waits for it, and that is no failure', async (path, name) => {
  const endless = createEndless();
  const api = await startApi({ learning: { [name]: endless.operation } });
  onTestFinished(() => api.close());
  const caller = new AbortController();
  const answer = fetch(api.url + path, { headers: { 'x-api-key': api.key }, signal: caller.signal });
  answer.catch(() => {});
  await expect.poll(() => endless.isAsked()).toBe(true);
  expect(endless.isGivenUp()).toBe(false);
  caller.abort();
  await expect.poll(() => endless.isGivenUp()).toBe(true);
  await expect.poll(() => api.log.join('')).toContain('request abandoned');
  expect(api.log.filter((line) => line.includes('"level":50'))).toEqual([]);
});
