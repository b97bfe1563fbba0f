/// <reference lib="dom" />
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPicker } from '../demo/demo-in-browser.ts';
import { PUBLIC_ORIGIN, standAtPublicOrigin, startWebSite, type WebSite } from '../fakes/web-site.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { type HostProcess, runProgram, startHostProcess } from '../helpers/host-process.ts';
import { expectGoodLooks } from '../helpers/looks.ts';

/** What sites of others would show in a frame. */
const PLAYER = '<!doctype html><title>Player</title><p>It plays</p>';

describe.skipIf(!hasBrowser())('pictures, and a look inside', () => {
  let site: WebSite;
  let host: HostProcess;
  let browser: Browser;
  let page: Page;
  /** Hosts that the browser asked for anything. */
  let asked: Set<string>;

  beforeAll(async () => {
    site = await startWebSite();
    [host, browser] = await Promise.all([
      startHostProcess({ PICTURES: '1', ...standAtPublicOrigin(site) }),
      launchBrowser(),
    ]);
    const photo = await sharp({ create: { width: 1_280, height: 720, channels: 3, background: '#246' } })
      .jpeg()
      .toBuffer();
    site.put('/photo.jpg', (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo),
    );
    site.put('/never.jpg', () => undefined);
    const file = join(host.dataDir, 'knots.jsonl');
    writeFileSync(file, objects.map((object) => JSON.stringify(object)).join('\n'));
    const { code, stderr } = await runProgram(['import', 'objects', file], { DATA_DIR: host.dataDir });
    if (code !== 0) throw new Error(stderr);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
    await site?.close();
  });
  beforeEach(() => openPage());
  afterEach(() => page?.context().close());

  async function openPage(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<void> {
    await page?.context().close();
    const context = await browser.newContext(options);
    page = await context.newPage();
    asked = new Set();
    page.on('request', (request) => asked.add(new URL(request.url()).hostname));
    await context.route(/^https:/, (route) => route.fulfill({ contentType: 'text/html', body: PLAYER }));
  }

  /** The host takes an import over within seconds. */
  async function openResults(): Promise<void> {
    await expect
      .poll(async () => {
        await page.goto(`${host.url}/?q=bowline`);
        return page.locator('.results .card').count();
      })
      .toBe(5);
  }

  const cardOf = (title: string) => page.locator('.results .card', { hasText: title });
  /** In CSS pixels of its place: a missing one has a single pixel. */
  const widthOf = (title: string) =>
    cardOf(title)
      .locator('.thumb img')
      .evaluate(async (image: HTMLImageElement) => {
        image.loading = 'eager';
        await image.decode().catch(() => undefined);
        return image.naturalWidth;
      });
  const look = (title: string) => page.getByRole('button', { name: new RegExp(`^(Preview|Details) ${title}`) }).click();

  test('cards show pictures that this host has fetched, and the drawing of the kind where there is none', async () => {
    // Its first fetch may take longer than a page waits for it.
    await expect
      .poll(async () => {
        await openResults();
        return widthOf('Bowline on film');
      })
      .toBeGreaterThan(100);
    await expect.poll(() => widthOf('Bowline in a book')).toBeLessThanOrEqual(1);
    expect(await cardOf('Bowline for two').locator('.thumb img').count()).toBe(0);
    for (const title of ['Bowline in a book', 'Bowline for two'])
      expect(await cardOf(title).locator('.thumb svg').isVisible()).toBe(true);
    // One that never comes holds nothing up.
    expect(await widthOf('Bowline, a simulation')).toBeLessThanOrEqual(1);
    expect([...asked]).toEqual([new URL(host.url).hostname]);
    await expectGoodLooks(page);
  });

  test('the preview plays the film, runs the simulation and opens the article, each in a frame of its site', async () => {
    await openResults();
    for (const [title, src] of [
      ['Bowline on film', 'https://www.youtube-nocookie.com/embed/BSaF8KxnoLY?rel=0'],
      ['Bowline, a simulation', 'https://phet.colorado.edu/sims/html/ropes/latest/ropes_en.html'],
      ['Bowline, the article', 'https://en.wikipedia.org/wiki/Bowline'],
    ] as const) {
      await look(title);
      const frame = page.frameLocator('#preview iframe');
      await frame.getByText('It plays').waitFor();
      expect(await page.locator('#preview iframe').getAttribute('src')).toBe(src);
      await page.keyboard.press('Escape');
      await page.locator('#preview').waitFor({ state: 'hidden' });
      expect(await page.locator('#preview iframe').count()).toBe(0);
    }
  });

  test('the preview says what one learns, who made it, and what cannot be framed; others like it can be looked at', async () => {
    await openResults();
    await look('Bowline in a book');
    const preview = page.locator('#preview');
    for (const said of ['books.example.org opens in a new tab', 'Ada Lovelace', 'What you learn', '25 min', 'Beginner'])
      await preview.getByText(said).first().waitFor();
    await preview.locator('.like li').first().waitFor();
    await expectGoodLooks(page);
    const other = preview.locator('.like-title').first();
    const title = await other.textContent();
    await other.click();
    await expect.poll(() => preview.locator('#preview-title').textContent()).toBe(title);
    await page.locator('.preview-bar button').click();
    await preview.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('?q=bowline');
  });

  test('without scripts the look is a page', async () => {
    await openPage({ javaScriptEnabled: false });
    await openResults();
    await look('Bowline on film');
    await page.locator('.like li').first().waitFor();
    expect(await page.locator('iframe').getAttribute('src')).toContain('youtube-nocookie.com');
    expect(await page.getByRole('heading', { level: 2, name: 'Bowline on film' }).isVisible()).toBe(true);
  });

  test('the picker shows the same, with others like it', async () => {
    await openResults();
    await page.goto(`${host.url}/demo`);
    const picker: Frame = await openPicker(page, 'statistics');
    await picker.fill('#q', 'bowline');
    await picker.press('#q', 'Enter');
    const card = picker.locator('#results .card', { hasText: 'Bowline on film' });
    await card.waitFor();
    const image = card.locator('.thumb img');
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(100);
    await card.locator('[data-preview]').click();
    await picker.frameLocator('#preview iframe').getByText('It plays').waitFor();
    await picker.locator('#preview .like li').first().waitFor();
    await expectGoodLooks(page, picker);
    // The demo course has the host's other name.
    const others = [...asked].filter((name) => !['127.0.0.1', 'localhost'].includes(name));
    expect(others).toEqual(['www.youtube-nocookie.com']);
  });
});

const objects = [
  {
    url: 'https://www.youtube.com/watch?v=BSaF8KxnoLY',
    title: 'Bowline on film',
    type: ['video'],
    picture: `${PUBLIC_ORIGIN}/photo.jpg`,
  },
  {
    url: 'https://books.example.org/bowline',
    title: 'Bowline in a book',
    type: ['ebook'],
    picture: `${PUBLIC_ORIGIN}/gone.jpg`,
  },
  {
    url: 'https://phet.colorado.edu/sims/html/ropes/latest/ropes_en.html',
    title: 'Bowline, a simulation',
    type: ['app'],
    picture: `${PUBLIC_ORIGIN}/never.jpg`,
  },
  {
    url: 'https://en.wikipedia.org/wiki/Bowline',
    title: 'Bowline, the article',
    type: ['article'],
    picture: `${PUBLIC_ORIGIN}/photo.jpg`,
  },
  { url: 'https://knots.example.org/two', title: 'Bowline for two', type: ['training'] },
].map((object) => ({
  description: 'How this knot holds in project management and Python, step by step.',
  provider: 'Knot School',
  lang: 'en',
  author: ['Ada Lovelace'],
  learningTime: '25 min',
  level: 'beginner',
  ...object,
}));
