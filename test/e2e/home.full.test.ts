/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hashObjectAddress } from '../../src/domain/learning-object.ts';
import { bothWays } from '../helpers/both-ways.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { draw } from '../helpers/draw.ts';
import type { HostProcess } from '../helpers/host-process.ts';
import { expectGoodLooks, sizes } from '../helpers/looks.ts';
import { expectLightLoad } from '../helpers/page-load.ts';

/** Of the starter catalogue. */
const RESOURCE = 'https://youtube.com/playlist?list=PLiH_qbTmMNfhcZazOxjK9hFdtRfq_NLld';

describe.skipIf(!hasBrowser()).each(bothWays)('front page, found by $name', (way) => {
  let host: HostProcess;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [host, browser] = await Promise.all([way.startHostProcess(), launchBrowser()]);
    // One for all that want nothing special: it is their making that takes a browser long.
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.unrouteAll();
    await page.setViewportSize(sizes.desktop);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  const open = (path: string) => page.goto(host.url + path);

  const paths = [
    '/',
    '/?q=python',
    '/?q=photograhy',
    '/?q=qqqqqq&type=video',
    '/?q=soudure&type=video&lang=fr',
    '/nowhere',
    '/tags',
    '/connect',
    '/browse',
    '/styleguide',
    '/docs',
  ];
  // The pages of both ways are drawn by the same views.
  test.each(way.isOwnEngine ? paths : draw(paths, 'paths of an upstream'))(
    'axe finds nothing, and nothing is wider than the window: %s',
    async (path) => {
      await open(path);
      await page.waitForLoadState('networkidle');
      await expectGoodLooks(page);
    },
  );

  test('axe finds nothing where the reference has not come yet', async () => {
    await page.route('**/assets/docs-*.js', (route) => route.abort());
    await open('/docs');
    await page.getByText('Loading the reference').waitFor();
    await expectGoodLooks(page);
  });

  test('axe finds nothing in tags and in a problem', async () => {
    for (const text of ['We look for a nurse who gives first aid.', ' ']) {
      await open('/tags');
      await page.locator('#text').fill(text);
      await page.getByRole('button', { name: 'Find skills' }).click();
      await page.locator('#tag .chip, #tag .problem').first().waitFor();
      await expectGoodLooks(page);
    }
  });

  test('by keyboard alone: search, filter, next page, back', async () => {
    await open('/');
    await page.keyboard.type('python');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=python/);
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
    const first = await page.locator('.card h3').first().textContent();
    expect(first?.toLowerCase()).toContain('python');
    await page.getByLabel('Language', { exact: true }).focus();
    await page.getByLabel('Language', { exact: true }).selectOption('fr');
    await page.waitForURL(/lang=fr/);
    await page.waitForFunction(() => /resource/.test(document.querySelector('#announcement')!.textContent));
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('lang');
    const languages = await page
      .locator('.card h3')
      .evaluateAll((titles) => titles.map((title) => title.getAttribute('lang')));
    expect(new Set(languages)).toEqual(new Set(['fr']));
    expect(await page.getByRole('link', { name: 'Reset filters' }).getAttribute('href')).toBe('/?q=python');
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('lang=fr'));
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL(/page=1/);
    await page.locator('.card').first().waitFor();
  });

  test('words are completed while typing', async () => {
    await open('/');
    await page.locator('#q').pressSequentially('photogr', { delay: 20 });
    await page.waitForFunction(() => document.querySelectorAll('#completions option').length > 0);
    const labels = await page
      .locator('#completions option')
      .evaluateAll((options) => options.map((o) => o.getAttribute('value')));
    expect(labels.some((label) => label?.toLowerCase().startsWith('photogr'))).toBe(true);
  });

  test('everything works without JavaScript', async () => {
    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(host.url);
    await plain.locator('#q').fill('first aid');
    await plain.getByRole('button', { name: 'Search' }).click();
    await plain.locator('.card').first().waitFor();
    await plain.locator('.terms li').first().waitFor();
    await plain.goto(`${host.url}/tags`);
    await plain
      .locator('#text')
      .fill('We look for a nurse who cares for patients, gives first aid and writes reports.');
    await plain.getByRole('button', { name: 'Find skills' }).click();
    await plain.locator('#tag .chip').first().waitFor();
    await plain.goto(`${host.url}/docs`);
    await plain.locator('noscript a[href="/openapi.json"]').waitFor();
    const scripted = await plain.locator('.scripted').all();
    expect(await Promise.all(scripted.map((text) => text.isVisible()))).toEqual([false, false]);
    await plain.close();
  });

  test('nothing found says so and proposes', async () => {
    await open('/?q=photograhy&type=safety+sheet&free=1');
    expect(await page.locator('#results-title').textContent()).toBe('No results for “photograhy”');
    const chips = await page.locator('.nothing .chip').allTextContents();
    // The words as they are find nothing good, whatever the filters are.
    expect(chips[0]).toMatch(/^photography \(\d+\)$/);
    for (const label of chips) expect(label).toMatch(/ \(\d+\)$/);
    await page.locator('.nothing .chip').first().click();
    await page.locator('.card').first().waitFor();
    await open('/?q=python&type=safety+sheet');
    await page.getByRole('link', { name: /^all types \(\d+\)$/ }).click();
    await page.waitForURL((url) => !url.search.includes('type='));
    await page.locator('.card').first().waitFor();
    await open('/?q=qqqqqqq');
    expect(await page.locator('#results-title').textContent()).toBe('No results for “qqqqqqq”');
    expect(await page.locator('.nothing .chip').count()).toBe(0);
    expect(await page.locator('.nothing').textContent()).toContain('Try fewer or more common words');
  });

  test('of two quick choices the last one is shown, whichever answer comes first', async () => {
    await open('/?q=python');
    let letGo = () => {};
    const held = new Promise<void>((done) => {
      letGo = done;
    });
    await page.route(/lang=de/, async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await page.locator('#lang').selectOption('de');
    await page.locator('#lang').selectOption('fr');
    await page.waitForURL(/lang=fr/);
    letGo();
    await page.waitForLoadState('networkidle');
    expect(page.url()).toContain('lang=fr');
    expect(await page.locator('.card h3[lang="fr"]').count()).toBe(await page.locator('.card').count());
    await expect.poll(() => page.locator('[aria-busy]').count()).toBe(0);
  });

  test('that something is on its way can be seen and heard', async () => {
    await open('/?q=python');
    let letGo = () => {};
    const held = new Promise<void>((done) => {
      letGo = done;
    });
    await page.route(/lang=fr/, async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('#lang').selectOption('fr');
    await page.waitForFunction(() => {
      const shape = getComputedStyle(document.querySelector('#results .card')!, '::before');
      const title = getComputedStyle(document.querySelector('#results .card-text')!);
      return shape.visibility === 'visible' && Number.parseFloat(shape.height) > 0 && title.visibility === 'hidden';
    });
    expect(await page.locator('#announcement').textContent()).toBe('Searching…');
    letGo();
    await page.waitForURL(/lang=fr/);
    await expect.poll(() => page.locator('[aria-busy]').count()).toBe(0);
  });

  test('the language is switched, results and choice stay', async () => {
    const own = await browser.newPage();
    await own.goto(`${host.url}/?q=python`);
    await own.locator('#lang').selectOption('en');
    await own.waitForURL(/lang=en/);
    await own.locator('.language summary').click();
    await own.getByRole('button', { name: 'Français' }).click();
    await own.getByRole('heading', { name: /ressources? pour/ }).waitFor();
    expect(own.url()).toContain('/?q=python&lang=en');
    await own.goto(`${host.url}/docs`);
    expect(await own.locator('html').getAttribute('lang')).toBe('fr');
    await own.close();
  });

  test('links from before texts and connections had pages of their own lead there', async () => {
    for (const [from, to] of [
      ['/#tag', '/tags'],
      ['/#connect', '/connect'],
    ]) {
      await open('/docs');
      await open(from!);
      await page.waitForURL(`**${to}`);
    }
  });

  test.each([
    ['the front page', '/', 25],
    ['results', '/?q=python', 40],
    ...(way.isOwnEngine ? [['the page of a resource', `/objects/${hashObjectAddress(RESOURCE)}`, 40] as const] : []),
  ] as const)('%s stays light, and nothing in it moves', async (_, path, kilobytes) => {
    const watched = await browser.newPage();
    await expectLightLoad(watched, host.url + path, { requests: 6, kilobytes });
    await watched.close();
  });

  test('what people type is shown as text', async () => {
    await open(`/?q=${encodeURIComponent('"><script>document.title="x"</script><b>bold')}`);
    expect(await page.title()).toContain('<script>');
    expect(await page.locator('main b').count()).toBe(0);
  });

  test('no console error, nothing from elsewhere', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    const foreign: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('request', (request) => !request.url().startsWith(host.url) && foreign.push(request.url()));
    for (const path of ['/', '/?q=python', '/docs']) await page.goto(host.url + path, { waitUntil: 'networkidle' });
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] });
    await page.close();
  });
});
