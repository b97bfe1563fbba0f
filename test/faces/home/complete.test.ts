import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Home, startHome } from './start-home.ts';

let home: Home;
beforeAll(async () => {
  home = await startHome();
});
afterAll(() => home.close());

test('gives labels, and may be kept for a while', async () => {
  const response = await home.get('/complete?q=py');
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  expect(await response.json()).toEqual(['python course']);
});

test.each(['/complete', '/complete?q=', '/complete?q=%20'])('%s has nothing to complete', async (path) => {
  expect(await (await home.get(path)).json()).toEqual([]);
});
