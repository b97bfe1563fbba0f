import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPictureTokens } from '../../../src/services/catalogue/pictures/pictures.ts';
import { PUBLIC_ORIGIN, standAtPublicOriginHere, startWebSite, type WebSite } from '../../fakes/web-site.ts';
import { type RunningApp, startApp } from '../../helpers/app.ts';

const SECRET_KEY = 'a secret of this test, long enough for it';
const tokens = createPictureTokens([Buffer.from(SECRET_KEY)]);

let site: WebSite;
let app: RunningApp;
let off: RunningApp;

beforeAll(async () => {
  site = await startWebSite();
  await standAtPublicOriginHere(site);
  // One after the other: the second takes the index of the first.
  app = await startApp(undefined, { PICTURES: '1', SECRET_KEY });
  off = await startApp(undefined, { PICTURES: '0', SECRET_KEY });
  const photo = await sharp({ create: { width: 800, height: 450, channels: 3, background: '#246' } })
    .png()
    .toBuffer();
  site.put('/a.png', (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(photo));
});
afterAll(() => Promise.all([app?.close(), off?.close(), site?.close()]));

const pathOf = (path: string, form = '320.webp') => `/pictures/${tokens.write(PUBLIC_ORIGIN + path)}/${form}`;
const get = (path: string, from = app) => fetch(from.url + path, { headers: { accept: 'text/html' } });

test.each([
  ['320.webp', 'image/webp', 'webp', 320],
  ['640.webp', 'image/webp', 'webp', 640],
  ['320.jpg', 'image/jpeg', 'jpeg', 320],
])('%s is given to whoever has its address, wherever it is shown', async (form, type, format, width) => {
  // While its first picture is encoded, an address answers that it is coming.
  await expect.poll(async () => (await get(pathOf('/a.png', form))).status).toBe(200);
  const answer = await get(pathOf('/a.png', form));
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=604800');
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({ format, width });
});

test('one that cannot be had is a transparent pixel, and says that it is none', async () => {
  const answer = await get(pathOf('/gone.png'));
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toBe('image/gif');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  const { width, hasAlpha } = await sharp(await answer.arrayBuffer()).metadata();
  expect([width, hasAlpha]).toEqual([1, true]);
});

test('nothing else can be fetched through this host', async () => {
  const asked = site.requests.length;
  const own = createPictureTokens([Buffer.from('another secret')]).write(`${PUBLIC_ORIGIN}/b.png`);
  const named = Buffer.from(`${PUBLIC_ORIGIN}/b.png`).toString('base64url');
  for (const path of [
    `/pictures/${own}/320.webp`,
    `/pictures/${named}/320.webp`,
    `/pictures/${encodeURIComponent(`${PUBLIC_ORIGIN}/b.png`)}/320.webp`,
    pathOf('/b.png', '2000.webp'),
    pathOf('/b.png', '..%2fsecret.key'),
    `${pathOf('/b.png')}/`,
  ])
    expect((await get(path)).status, path).toBe(404);
  expect(site.requests).toHaveLength(asked);
});

test('where pictures are off, none is fetched, and no page links to one', async () => {
  const asked = site.requests.length;
  expect((await get(pathOf('/b.png'), off)).status).toBe(404);
  expect(site.requests).toHaveLength(asked);
  const page = await (await get('/?q=python', off)).text();
  expect(page).not.toContain('/pictures/');
  expect(page).toContain('class="thumb"');
});

test('pages show no pictures of others, and frame only the players of known sites', async () => {
  const page = await get('/?q=python');
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toMatch(/(?:^|;)img-src 'self' data:(?:;|$)/);
  expect(policy).toMatch(/;frame-src https:\/\/www\.youtube-nocookie\.com /);
  expect(await page.text()).not.toMatch(/<img[^>]*src(?:set)?="https?:/);
  expect((await get('/docs')).headers.get('content-security-policy')).not.toContain('youtube');
});
