import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Home, startHome } from './start-home.ts';

const COOKIE = '__Host-skilldock_language';
const french = { headers: { 'accept-language': 'fr-CA,fr;q=0.9,en;q=0.5' } };

let home: Home;
beforeAll(async () => {
  home = await startHome();
});
afterAll(() => home.close());

const textOf = async (path: string, init?: RequestInit) => (await home.get(path, init)).text();
const choose = (fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
  home.get('/language', { method: 'POST', body: new URLSearchParams(fields), headers });

describe('the language of the page', () => {
  test('is what the browser prefers', async () => {
    const response = await home.get('/', french);
    expect(response.headers.get('vary')).toMatch(/Accept-Language.*Cookie/);
    const page = await response.text();
    expect(page).toContain('<html lang="fr">');
    expect(page).toContain('Trouvez des compétences et des ressources pour apprendre</h1>');
    expect(page).toContain('lang="en">English</button>');
    expect(await textOf('/')).toContain('<html lang="en">');
  });

  test('is that of results and of what is said about them', async () => {
    const page = await textOf('/?q=python', french);
    expect(page).toContain('2 ressources pour « python »'.replaceAll(/(?<=«) | (?=»)/g, '\u00a0'));
    for (const fact of ['Gratuit', 'Anglais']) expect(page).toMatch(new RegExp(`<li[^>]*>${fact}</li>`));
    expect(await textOf('/?q=qqqq&provider=gone', french)).toContain('Aucun résultat pour');
  });

  test('is that of pages that say what went wrong', async () => {
    const page = await textOf('/nowhere', french);
    expect(page).toContain('<html lang="fr">');
    expect(page).toContain('Cette page n’existe pas.');
  });

  test('is what was chosen, whatever the browser prefers', async () => {
    const chosen = { headers: { ...french.headers, cookie: `${COOKIE}=en` } };
    expect(await textOf('/', chosen)).toContain('<html lang="en">');
    expect(await textOf('/nowhere', chosen)).toContain('<html lang="en">');
  });
});

describe('choosing it', () => {
  test('is kept, and leads back', async () => {
    const page = await textOf('/?q=python&type=mooc');
    expect(page).toContain('name="next" id="language-next" value="/?q=python&amp;type=mooc"');
    const response = await choose({ language: 'fr', next: '/?q=python&type=mooc' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/?q=python&type=mooc');
    expect(response.headers.get('set-cookie')).toMatch(new RegExp(`^${COOKIE}=fr; Path=/; Expires=.*Secure`));
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '',
  ])('leads to no other site: %s', async (next) => {
    const location = (await choose({ language: 'fr', next })).headers.get('location') ?? '';
    expect(new URL(location, 'http://own.example').host).toBe('own.example');
  });

  test.each(['cross-site', 'same-site'])('by a form of another site (%s) changes nothing', async (site) => {
    const response = await choose({ language: 'fr', next: '/?q=a' }, { 'sec-fetch-site': site });
    expect(response.status).toBe(303);
    expect(response.headers.get('set-cookie')).toBeNull();
    const own = await choose({ language: 'fr', next: '/?q=a' }, { 'sec-fetch-site': 'same-origin' });
    expect(own.headers.get('set-cookie')).toContain(`${COOKIE}=fr`);
  });

  test('by a form of another origin changes nothing either, where that is all the browser says', async () => {
    const byForm = async (origin: string) =>
      (await choose({ language: 'fr', next: '/' }, { origin })).headers.get('set-cookie');
    for (const other of ['https://evil.example', 'https://skills.example.org.evil.example', 'null'])
      expect(await byForm(other), other).toBeNull();
    for (const own of ['https://skills.example.org', new URL(home.url).origin])
      expect(await byForm(own), own).toContain(`${COOKIE}=fr`);
  });

  test('of one that we do not have changes nothing', async () => {
    expect((await choose({ language: 'it', next: '/' })).headers.get('set-cookie')).toBeNull();
  });
});
