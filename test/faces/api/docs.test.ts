import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, startApi } from './start-api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('the page has a title and a language, and nothing inline', async () => {
  const response = await fetch(`${api.url}/docs`);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain('unsafe');
  const page = await response.text();
  expect(page).toContain('<html lang="en">');
  expect(page).toMatch(/<title>.+<\/title>/);
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
});

test('everything it loads is of this host, and the viewer is there', async () => {
  const page = await (await fetch(`${api.url}/docs`)).text();
  const loaded = [...page.matchAll(/<(?:script|link|img)[^>]*\b(?:src|href)="([^"]+)"/g)].map(([, url]) => url!);
  expect(loaded.length).toBeGreaterThan(3);
  for (const url of loaded) expect(url).toMatch(/^\/(?!\/)/);
  const viewer = loaded.filter((url) => url.startsWith('/docs/viewer/'));
  expect(viewer).toHaveLength(2);
  for (const url of viewer) expect((await fetch(api.url + url)).status).toBe(200);
});

test('it shows how to connect assistants, and what to ask them', async () => {
  const page = await (await fetch(`${api.url}/docs`)).text();
  const copied = [...page.matchAll(/data-copy="([^"]+)"/g)].map(([, text]) => text!);
  const [addresses, questions] = [true, false].map((is) => copied.filter((text) => /\/mcp\b/.test(text) === is));
  expect(addresses).not.toEqual([]);
  expect(questions).toHaveLength(3);
});

test('pages of other origins may read the document', async () => {
  const response = await fetch(`${api.url}/openapi.json`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});

test('assistants find a list of the guides', async () => {
  const response = await fetch(`${api.url}/llms.txt`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const links = [...(await response.text()).matchAll(/^- \[.+\]\(https:\/\/skills\.example\.org(\/\S+)\)/gm)];
  const paths = links.map(([, path]) => path!).filter((path) => path !== '/mcp');
  expect(paths).toEqual(expect.arrayContaining(['/openapi.json', '/docs/guides/operators', '/docs/guides/api']));
  for (const path of paths) expect((await fetch(api.url + path)).status, path).toBe(200);
});

describe('guides', () => {
  const page = async (name: string, language = 'en') =>
    (await fetch(`${api.url}/docs/guides${name}`, { headers: { 'accept-language': language } })).text();

  test('are listed, and all of them are there', async () => {
    const names = [...(await page('')).matchAll(/href="\/docs\/guides\/([\w-]+)"/g)].map(([, name]) => name!);
    const files = readdirSync('docs/guides').filter((file) => file.endsWith('.md'));
    expect(names).toEqual(expect.arrayContaining(files.map((file) => file.slice(0, -3))));
    expect(names).toEqual(expect.arrayContaining(['errors', 'configuration', 'contributing']));
    for (const name of names) {
      const response = await fetch(`${api.url}/docs/guides/${name}`);
      expect(response.status).toBe(200);
      const html = await response.text();
      expect(html).toMatch(/<h1 id="[\w-]+">/);
      expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/)|\son\w+=|\sstyle=|javascript:/);
    }
  });

  test.each(['en', 'fr'])('lead to each other, to places and to pictures that exist: %s', async (language) => {
    const start = await page('', language);
    const paths = [...start.matchAll(/href="(\/docs\/guides\/[\w-]+)"/g)].map(([, path]) => path!);
    const places = new Map([['/docs/guides', start]]);
    for (const path of paths) places.set(path, await page(path.slice('/docs/guides'.length), language));
    for (const [path, html] of places) {
      for (const [, href] of html.matchAll(/<a href="((?:\/docs\/guides\/)?[^":]*#[^"]+|\/docs\/guides[^"]*)"/g)) {
        if (href!.startsWith('/#') || href === '#main') continue;
        const [to, place] = href!.split('#');
        const target = places.get(to || path);
        expect(target, href).toBeDefined();
        if (place) expect(target).toContain(`id="${decodeURIComponent(place)}"`);
      }
      for (const [, src] of html.matchAll(/<img src="(\/docs\/[^"]+)"/g)) {
        const image = await fetch(api.url + src);
        expect([src, image.status]).toEqual([src, 200]);
      }
    }
  });

  test('the first page has a card for each kind of person', async () => {
    const headings = [...(await page('')).matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, text]) => text);
    expect(headings.slice(0, 7)).toEqual([
      'Instructors',
      'Learners',
      'Slack users',
      'Administrators',
      'Operators',
      'Developers',
      'Contributors',
    ]);
    expect(await page('', 'fr')).toMatch(/<h2>Enseignants<\/h2>/);
  });

  test('a search names guide, heading and the sentence, whatever the word’s case or number', async () => {
    for (const words of ['client id canvas', 'CANVAS Clients ID']) {
      const html = await page(`?q=${encodeURIComponent(words)}`);
      expect(html).toMatch(/<a href="\/docs\/guides\/canvas#[\w-]+">Canvas in ten minutes › [^<]+<\/a>/);
      expect(html).toMatch(/<p>[^\n]*<strong>client<\/strong> <strong>ID<\/strong>[^\n]*<\/p>/);
    }
    expect(await page('?q=autorisations+canvas', 'fr')).toMatch(
      /canvas#[\w-]+">Canvas en dix minutes › Autorisations</,
    );
  });

  test.each([
    '?q=zzzz',
    `?q=${'%F0%9F%92%A9'.repeat(50)}`,
    '?q=%22%3E%3Cscript%3E',
    `?q=${'a+'.repeat(5000)}`,
    '?q=%ff',
  ])('a search for anything is a page: %#', async (query) => {
    const html = await page(query);
    expect(html).toMatch(/<p role="status">/);
    expect(html).not.toMatch(/<script>/);
    expect(html.split('<li').length).toBeLessThan(60);
  });

  test('Walk U20: a guide lists its headings, and leads to the previous and the next one', async () => {
    const html = await page('/canvas');
    expect(html).toContain('<a href="#permissions">Permissions</a>');
    expect(html).toMatch(/href="\/docs\/guides\/moodle" rel="prev"/);
    expect(html).toMatch(/href="\/docs\/guides\/open-edx" rel="next"/);
  });

  test('readers of French have a French text, or read that there is none', async () => {
    expect(await page('/moodle', 'fr')).toContain('<h1 id="moodle-en-dix-minutes">');
    expect(await page('/moodle', 'fr')).not.toContain('n’existe qu’en anglais');
    expect(await page('/operators', 'fr')).toContain('n’existe qu’en anglais');
    expect(await page('/operators')).not.toContain('n’existe qu’en anglais');
  });

  const translated = readdirSync('docs/guides/fr');
  test('Walk U20: Moodle, Canvas, Slack and the admin page have French guides', () => {
    expect(translated).toEqual(expect.arrayContaining(['admin.md', 'canvas.md', 'moodle.md', 'slack.md']));
  });

  test.each(translated)('the French guide has the headings, code and pictures of the English one: %s', (file) => {
    const [english, french] = ['docs/guides', 'docs/guides/fr'].map((folder) => {
      const text = readFileSync(`${folder}/${file}`, 'utf8');
      const spans = [
        ...text
          .replaceAll(/^```[\s\S]*?^```/gm, '')
          .matchAll(/`([^`]+)`|!\[[^\]]*\]\((?:\.\.\/)+([^)]+)\)|<(https:[^>]+)>/g),
      ];
      return {
        headings: [...text.matchAll(/^(#+) /gm)].map(([, level]) => level),
        // The example of a search is in the reader's language.
        code: spans
          .map(([, code, picture, address]) => code?.replace(/^(\/learn) .*/, '$1') ?? picture ?? address)
          .sort(),
      };
    });
    expect(french).toEqual(english);
  });

  test.each(['/nowhere', '/..%2f..%2fpackage.json', '/../../package', '/%2e%2e/configuration.md'])(
    'there is none other: %s',
    async (path) => {
      expect((await fetch(`${api.url}/docs/guides${path}`)).status).not.toBe(200);
    },
  );

  test('markup that is meant as text stays text', async () => {
    const html = await page('/operators');
    expect(html).not.toMatch(
      /<(?!\/?(?:!doctype|html|head|meta|title|link|body|a|header|footer|nav|img|form|label|input|select|option|details|summary|button|div|ul|li|main|h[1-6]|p|pre|code|table|thead|tbody|tr|th|td|em|strong|ol|span|script|br|hr|blockquote|del|svg|use)\b)[a-z]/i,
    );
  });
});

test('the page has the demo key, which the Competency API takes', async () => {
  const html = await (await fetch(`${api.url}/docs`)).text();
  const [, key = ''] = /data-demo-key="([^"]+)"/.exec(html) ?? [];
  const tried = `${api.url}/domcomp/v1/similar?keywords=python&lang=en`;
  expect((await fetch(tried, { headers: { 'x-api-key': key } })).status).toBe(200);
});
