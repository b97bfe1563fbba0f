import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeLearningService } from '../../fakes/learning-service.ts';
import { type Home, startHome } from './start-home.ts';

const [youtube] = await createFakeLearningService().ask('listProviders', {});

let home: Home;
beforeAll(async () => {
  home = await startHome({
    learning: {
      listProviders: async () => [youtube!, { ...youtube!, id: 'odd', name: `<b a="1">R&D</b> 'x'` }],
    },
  });
});
afterAll(() => home.close());

test.each([
  ['dark', 'landscape', 240],
  ['light', 'landscape', 240],
  ['dark', 'square', 64],
  ['light', 'square', 64],
])('%s and %s', async (scheme, ratio, width) => {
  const response = await home.get(`/logos/youtube/${scheme}-${ratio}.svg`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const svg = await response.text();
  expect(svg).toContain(`width="${width}" height="64"`);
  expect(svg).toContain('aria-label="YouTube"');
  expect(svg).toContain(ratio === 'square' ? '>Yo</text>' : '>YouTube</text>');
});

test('dark and light differ', async () => {
  const [dark, light] = await Promise.all(
    ['dark', 'light'].map((scheme) => home.page(`/logos/youtube/${scheme}-square.svg`)),
  );
  expect(dark).not.toBe(light);
});

test('a name is text, not markup', async () => {
  const svg = await home.page('/logos/odd/light-landscape.svg');
  expect(svg).not.toMatch(/<b|a="1"|&D/);
  expect(svg).toContain('&lt;b a=&quot;1&quot;&gt;R&amp;D');
});

test.each([
  '/logos/nobody/dark-square.svg',
  '/logos/youtube/dark-round.svg',
  '/logos/youtube/dark-square.png',
  '/logos/youtube/xdark-square.svg',
  '/logos/__proto__/dark-square.svg',
  '/logos/youtube',
])('%s is not found', async (path) => {
  await home.page(path, 404);
});
