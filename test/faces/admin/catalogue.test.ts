import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Provider } from '../../../src/domain/catalog.ts';
import { type RunningAdmin, startAdmin } from './start-admin.ts';

const provider = (id: string, name: string, more: Partial<Provider> = {}): Provider => ({
  id,
  name,
  logos: [],
  url: `https://${id}.example.org`,
  ...more,
});

const providers = [
  provider('youtube', 'YouTube', { license: 'https://youtube.example.org/licence' }),
  provider('openlearn', 'OpenLearn'),
  provider('hostile', '<script>alert(1)</script>', {
    url: 'javascript:alert(1)',
    license: 'javascript:alert(2)',
  }),
  ...Array.from({ length: 30 }, (_, n) => provider(`small-${n}`, `Small ${String(n).padStart(2, '0')}`)),
];

let admin: RunningAdmin;
beforeAll(async () => {
  admin = await startAdmin({ learning: { listProviders: async () => providers } });
});
afterAll(() => admin.close());

/** Ids of the listed providers. */
const idsOf = (page: string) => [...page.matchAll(/<span class="quiet">([\w-]+)<\/span><\/span>/g)].map(([, id]) => id);

describe('catalogue', () => {
  test('sizes, and how much there is of each kind', async () => {
    const page = await (await admin.signInAs('viewer', ['default'])).page('/catalogue');
    for (const size of ['1,234', '56', '78']) expect(page).toContain(`<dd>${size}</dd>`);
    expect(page).toMatch(/<th scope="row">French<\/th><td class="number">234</);
    expect(page).toMatch(/<th scope="row">MOOC<\/th><td class="number">1,234</);
    expect(page).toMatch(/<th scope="row">Skilldock<\/th><td class="number">56</);
    expect(page).toContain('data/README.md');
  });

  test('providers: the largest first, by name, in pages, searched', async () => {
    const viewer = await admin.signInAs('viewer');
    const first = await viewer.page('/catalogue');
    expect(idsOf(first).slice(0, 2)).toEqual(['youtube', 'openlearn']);
    expect(first).toMatch(/youtube[\s\S]*?<td class="number">1,000</);
    expect(first).toContain('1–25 of 33');
    expect(idsOf(await viewer.page('/catalogue?page=1'))).toHaveLength(8);
    expect(idsOf(await viewer.page('/catalogue?sort=name&dir=desc'))[0]).toBe('youtube');
    expect(idsOf(await viewer.page('/catalogue?sort=objects&dir=asc')).slice(-1)).not.toEqual(['youtube']);
    expect(idsOf(await viewer.page('/catalogue?q=OPEN'))).toEqual(['openlearn']);
    expect(await viewer.page('/catalogue?q=nobody')).toContain('No provider has this name.');
  });

  test('logos come from this host, by paths that any of its addresses has', async () => {
    const logosAt = (base: string) =>
      (['light', 'dark'] as const).map((colorScheme) => ({
        url: `${base}/logos/${colorScheme}.svg`,
        colorScheme,
        aspectRatio: 'square' as const,
      }));
    const listed = [
      provider('here', 'Here', { logos: logosAt('https://skills.example.org') }),
      provider('there', 'There', { logos: logosAt('https://elsewhere.example.org') }),
    ];
    const other = await startAdmin({
      publicUrl: 'https://skills.example.org',
      learning: { listProviders: async () => listed },
    });
    const page = await (await other.signInAs('viewer')).page('/catalogue');
    await other.close();
    expect(page).toContain('srcset="/logos/dark.svg"');
    expect(page.match(/<img src="\/logos\/light.svg"/g)).toHaveLength(1);
    expect(page).not.toContain('elsewhere.example.org');
  });

  test('what a provider calls itself is text, and only web addresses are links', async () => {
    const page = await (await admin.signInAs('viewer')).page('/catalogue?q=script');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/<script>alert|href="javascript:/);
  });

  test('in French', async () => {
    const page = await (await admin.signInAs('viewer', null, { language: 'fr' })).page('/catalogue');
    expect(page).toMatch(/<th scope="row">Français<\/th>/);
    expect(page).not.toMatch(/\bcatalogue\.\w+</);
  });
});
