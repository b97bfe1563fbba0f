import { expect, test } from 'vitest';
import type { Logo } from '../../../src/domain/catalog.ts';
import { toPageLogo } from '../../../src/faces/home/logos.ts';
import { createFakeLearningService } from '../../fakes/learning-service.ts';
import { createFakePictures } from '../../fakes/pictures.ts';
import { startHome } from './start-home.ts';

const HOST = 'http://skills.example.org';
const pictures = createFakePictures(HOST);
const shown = (url: string) => pictures.linkTo(url)!.small;
const [youtube] = await createFakeLearningService().ask('listProviders', {});

const wide = (colorScheme: Logo['colorScheme'], url: string): Logo => ({
  url,
  colorScheme,
  aspectRatio: 'landscape',
});
const square = (colorScheme: Logo['colorScheme']): Logo => ({
  url: `https://cdn.example.org/${colorScheme}-square.png`,
  colorScheme,
  aspectRatio: 'square',
});
const logoOf = (...logos: readonly Logo[]) => toPageLogo({ ...youtube!, logos }, pictures).logo;

test('the wide logos of the list are shown, one for each background', () => {
  const [light, dark] = ['https://cdn.example.org/l.png', 'https://cdn.example.org/d.png'];
  const logos = [square('light'), wide('dark', dark), square('dark'), wide('light', light)];
  expect(logoOf(...logos)).toEqual({ light: shown(light), dark: shown(dark) });
});

test('those that this host draws are part of the page, in the colours of both backgrounds', () => {
  const logos = [wide('light', `${HOST}/logos/a/l.svg`), wide('dark', `${HOST}/logos/a/d.svg`)];
  const { logo, drawing } = toPageLogo({ ...youtube!, name: 'A <b> & Co', logos }, pictures);
  expect(logo).toBeNull();
  expect(drawing).toMatch(/^<svg .*fill="light-dark\(hsl\(.*\), hsl\(.*\)\)"/);
  expect(drawing).toContain('aria-label="A &lt;b&gt; &amp; Co"');
  expect(drawing).not.toContain('<b>');
});

test.each([
  ['there is none', []],
  ['there are only square ones', [square('light'), square('dark')]],
  ['there is none for a dark page', [wide('light', 'https://cdn.example.org/l.png')]],
  [
    'the page may not show it',
    [wide('light', 'ftp://cdn.example.org/l.png'), wide('dark', 'data:image/png;base64,AA')],
  ],
])('the name is shown where %s', (_, logos) => {
  expect(logoOf(...logos)).toBeNull();
});

test('the page shows both, each leading to its provider', async () => {
  const logos = [wide('light', 'https://cdn.example.org/l.png'), wide('dark', 'https://cdn.example.org/d.png')];
  const home = await startHome({
    learning: {
      listProviders: async () => [
        { ...youtube!, logos },
        { ...youtube!, id: 'a&b', name: 'A & B' },
      ],
    },
  });
  const page = await home.page('/');
  const [light, dark] = logos.map(({ url }) => shown(url));
  expect(page).toContain(`<source media="(prefers-color-scheme: dark)" srcset="${dark}">`);
  expect(page).toContain(`<img src="${light}" alt="YouTube"`);
  expect(page).not.toContain('https://cdn.example.org/');
  expect(page).toContain('<a href="/browse?provider=a%26b" title="A &amp; B">');
  expect(page).toContain('<span class="wordmark">A &amp; B</span>');
  await home.close();
});
