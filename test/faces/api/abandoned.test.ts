import { expect, onTestFinished, test, vi } from 'vitest';
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
  await vi.waitFor(() => expect(endless.isAsked()).toBe(true), { timeout: 5_000 });
  expect(endless.isGivenUp()).toBe(false);
  caller.abort();
  await vi.waitFor(() => expect(endless.isGivenUp()).toBe(true), { timeout: 5_000 });
  await vi.waitFor(() => expect(api.log.join('')).toContain('request abandoned'), { timeout: 5_000 });
  expect(api.log.filter((line) => line.includes('"level":50'))).toEqual([]);
});
