import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assets } from '../../../src/faces/views.ts';
import type { RunningApp } from '../../helpers/app.ts';
import { bothWays } from '../../helpers/both-ways.ts';
import { draw, isFullRun } from '../../helpers/draw.ts';
import { sendRaw } from '../../helpers/send-raw.ts';

describe.each(bothWays)('found by $name:', (way) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await way.startApp();
  });
  afterAll(() => app.close());

  const get = (path: string) => fetch(app.url + path, { redirect: 'manual' });
  const pageOf = async (path: string) => (await get(path)).text();

  describe('the starter catalogue on the page', () => {
    test('results, with the words marked and the options counted', async () => {
      const page = await pageOf('/?q=python');
      expect(page).toMatch(/\d+ resources for “python”/);
      expect(page).toContain('<mark>Python</mark>');
      expect(page).toMatch(/<option value="fr"[^>]*>French \(\d+\)<\/option>/);
    });

    test('a filter keeps to it', async () => {
      const languages = [...(await pageOf('/?q=python&lang=fr')).matchAll(/<h3 lang="(\w+)">/g)].map(([, l]) => l);
      expect(languages.length).toBeGreaterThan(0);
      expect(new Set(languages)).toEqual(new Set(['fr']));
    });

    test('Walk U1: accounting for beginners in French is about accounting', async () => {
      const page = await pageOf('/?q=initiation+%C3%A0+la+comptabilit%C3%A9&lang=fr');
      const first = page.split('<article class="card">').slice(1, 11);
      expect(first.filter((card) => /compta|expert-compta/i.test(card)).length).toBeGreaterThanOrEqual(8);
      expect(first.join('')).not.toMatch(/Jeu de nombres|mot de passe|Apache Pulsar/);
    });

    test('Walk U2: a French business school has twenty resources for each of its large subjects', async () => {
      const french = 'comptabilité vente paie droit marketing excel gestion+de+projet sécurité soins'.split(' ');
      for (const query of [...french.map((words) => `${encodeURI(words)}&lang=fr`), 'anglais']) {
        const [, count] = /([\d,]+) resources for/.exec(await pageOf(`/?q=${query}`)) ?? [];
        expect(Number(count?.replace(',', '')), query).toBeGreaterThanOrEqual(20);
      }
    });

    test('a word that is misspelt is helped', async () => {
      const page = await pageOf('/?q=photograhy&type=safety+sheet');
      expect(page).toContain('No results for “photograhy”');
      expect(page).toMatch(/Try instead:\s+<a class="chip" href="\/\?q=photograph/);
    });

    test('where a word is misspelt and still found, the right one is offered as well', async () => {
      const page = await pageOf('/?q=photograhy');
      expect(page).toMatch(/resources? for “photograhy”/);
      expect(page).toMatch(/Or try\s+<a class="chip" href="\/\?q=photography"/);
    });

    test('every page up to the last has results; one further leads back to it', async () => {
      const pages = Number(/Page 1 of (\d+)/.exec(await pageOf('/?q=python'))?.[1]);
      expect(pages).toBeGreaterThan(1);
      const numbers = Array.from({ length: pages }, (_, page) => page);
      for (const page of [...draw(numbers, 'pages of results', 2), pages - 1])
        expect(await pageOf(`/?q=python&page=${page}`)).toContain('class="card"');
      const beyond = await get('/?q=python&page=500');
      expect(beyond.status).toBe(302);
      expect(beyond.headers.get('location')).toBe(`/?q=python&page=${pages - 1}`);
    });

    test('the address of the API is a link', async () => {
      expect(await pageOf('/connect')).toContain(
        `<a class="button second small" href="${app.url}/docs">Open the reference</a>`,
      );
    });

    test('odd words are no error', async () => {
      for (const q of ['%00', '%ff', '%ud800', '__proto__', '""', '🎓', '%0d%0a', 'a'.repeat(5_000)])
        expect((await get(`/?q=${q}`)).status, q).toBe(200);
    });

    test('a page takes few requests: its script, its style sheet, its pictures', async () => {
      const files = (await pageOf('/')).matchAll(/<(?:script|link|img|use)\b[^>]*\s(?:src|href)="([^"#]+)/g);
      const addresses = new Set([...files].map(([, address]) => address!));
      for (const address of addresses) expect((await get(address)).status, address).toBe(200);
      expect(addresses.size).toBeLessThan(12);
    });

    test('logos of the provider list are all there', async () => {
      const answer = await (await get('/learningobject/v2/provider')).json();
      const logos = (answer as { response: { logo: { url: string }[] }[] }).response.flatMap(({ logo }) => logo);
      expect(logos.length).toBeGreaterThanOrEqual(4 * 14);
      for (const { url } of draw(logos, 'logos', 6)) expect((await fetch(url)).status, url).toBe(200);
    });
  });

  // They are the same whoever searches.
  const hasFiles = isFullRun || way.isOwnEngine;

  describe.runIf(hasFiles)('headers', () => {
    test.each(['/', '/?q=python', '/nowhere', '/tags', '/complete?q=a'])('%s is safe', async (path) => {
      const { headers } = await get(path);
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('x-powered-by')).toBeNull();
    });

    test('pages tell how long they took in development, answers of the API do not', async () => {
      expect((await get('/')).headers.get('server-timing')).toMatch(/^total;dur=\d+\.\d$/);
      expect((await get('/learningobject/v2/type')).headers.get('server-timing')).toBeNull();
    });

    test('nothing on a page is inline', async () => {
      for (const path of ['/', '/?q=python', '/nowhere'])
        expect(await pageOf(path)).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+="|\sstyle="|javascript:/);
    });

    test.each([
      ['/', 'no-cache'],
      ['/?q=python', 'no-cache'],
      ['/assets/icon.svg', 'public, max-age=3600'],
      [assets.addressOf('home.css'), 'public, max-age=31536000, immutable'],
      [assets.addressOf('home/home.js'), 'public, max-age=31536000, immutable'],
      ['/docs/viewer/swagger-ui.css', 'public, max-age=86400'],
      ['/nowhere', 'no-store'],
    ])('%s may be kept: %s', async (path, expected) => {
      expect((await get(path)).headers.get('cache-control')).toBe(expected);
    });

    test.each([
      '/',
      '/?q=python',
      '/logos/edx/dark-square.svg',
      '/complete?q=py',
      assets.addressOf('home.css'),
      '/docs',
    ])('HEAD of %s is GET without its body', async (path) => {
      const asked = { path, headers: { 'accept-encoding': 'identity' } };
      const [head, full] = await Promise.all([
        sendRaw(app.url, { ...asked, method: 'HEAD' }),
        sendRaw(app.url, { ...asked, method: 'GET' }),
      ]);
      expect(head.text).toBe('');
      expect(head.status).toBe(full.status);
      expect(head.headers['content-type']).toBe(full.headers['content-type']);
      expect(head.headers['content-length']).toBe(full.headers['content-length']);
    });
  });

  describe.runIf(hasFiles)('files', () => {
    test.each([
      '/docs/viewer/package.json',
      '/docs/viewer/index.html',
      '/docs/viewer/swagger-ui.js',
      '/docs/viewer/swagger-ui-bundle.js.map',
      '/docs/viewer/oauth2-redirect.html',
      '/docs/viewer/',
      '/assets/',
      '/assets.json',
      '/assets/home/home.js',
      '/assets/../layout.eta',
      '/assets/..%2flayout.eta',
    ])('%s is not served', async (path) => {
      const answer = await sendRaw(app.url, { method: 'GET', path, headers: {} });
      expect(answer.status).toBe(404);
    });
  });

  test('other sites may show the icon, and no page', async () => {
    const policyOf = async (path: string) => (await fetch(app.url + path)).headers.get('cross-origin-resource-policy');
    expect(await policyOf('/assets/icon.svg')).toBe('cross-origin');
    expect(await policyOf('/')).toBe('same-origin');
  });
});
