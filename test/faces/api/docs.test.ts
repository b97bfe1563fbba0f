import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const loaded = [...page.matchAll(/<(?:script|link|img)[^>]*\b(?:src|href)="([^"]+)"/g)].map(
    ([, url]) => url!,
  );
  expect(loaded.length).toBeGreaterThan(3);
  for (const url of loaded) expect(url).toMatch(/^\/(?!\/)/);
  const viewer = loaded.filter((url) => url.startsWith('/docs/viewer/'));
  expect(viewer).toHaveLength(2);
  for (const url of viewer) expect((await fetch(api.url + url)).status).toBe(200);
});

test('pages of other origins may read the document', async () => {
  const response = await fetch(`${api.url}/openapi.json`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});
