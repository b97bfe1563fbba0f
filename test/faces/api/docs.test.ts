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

test('it shows how to connect four assistants', async () => {
  const page = await (await fetch(`${api.url}/docs`)).text();
  const copied = [...page.matchAll(/data-copy="([^"]+)"/g)].map(([, text]) => text!);
  expect(copied).toHaveLength(4);
  for (const text of copied) expect(text).toMatch(/\/mcp\b/);
});

test('pages of other origins may read the document', async () => {
  const response = await fetch(`${api.url}/openapi.json`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});

describe('guides', () => {
  const page = async (name: string) => (await fetch(`${api.url}/docs/guides${name}`)).text();

  test('are listed, and all of them are there', async () => {
    const names = [...(await page('')).matchAll(/href="\/docs\/guides\/([\w-]+)"/g)].map(([, name]) => name!);
    expect(names).toEqual(expect.arrayContaining(['admin', 'api', 'moodle', 'slack', 'errors', 'configuration']));
    for (const name of names) {
      const response = await fetch(`${api.url}/docs/guides/${name}`);
      expect(response.status).toBe(200);
      const html = await response.text();
      expect(html).toMatch(/<h1 id="[\w-]+">/);
      expect(html).not.toMatch(/<script|\son\w+=|\sstyle=|javascript:/);
    }
  });

  test('lead to each other, to places and to pictures that exist', async () => {
    const own = [...(await page('')).matchAll(/href="(\/docs\/guides\/[\w-]+)"/g)].map(([, path]) => path!);
    const places = new Map<string, string>();
    for (const path of own) places.set(path, await (await fetch(api.url + path)).text());
    for (const [path, html] of places) {
      for (const [, href] of html.matchAll(/<a href="((?:\/docs\/guides\/)?[^":]*#[^"]+|\/docs\/guides[^"]*)"/g)) {
        if (href!.startsWith('/#') || href === '#main') continue;
        const [to, place] = href!.split('#');
        const target = places.get(to || path);
        if (to !== '/docs/guides') expect(target, href).toBeDefined();
        if (place) expect(target).toContain(`id="${decodeURIComponent(place)}"`);
      }
      for (const [, src] of html.matchAll(/<img src="(\/docs\/[^"]+)"/g)) {
        const image = await fetch(api.url + src);
        expect([src, image.status]).toEqual([src, 200]);
      }
    }
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
      /<(?!\/?(?:!doctype|html|head|meta|title|link|body|a|header|nav|img|form|input|button|div|ul|li|main|h[1-6]|p|pre|code|table|thead|tbody|tr|th|td|em|strong|ol|br|hr|blockquote|del)\b)[a-z]/i,
    );
  });
});

test('the page has the demo key, which the Competency API takes', async () => {
  const html = await (await fetch(`${api.url}/docs`)).text();
  const [, key = ''] = /data-demo-key="([^"]+)"/.exec(html) ?? [];
  const tried = `${api.url}/domcomp/v1/similar?keywords=python&lang=en`;
  expect((await fetch(tried, { headers: { 'x-api-key': key } })).status).toBe(200);
});
