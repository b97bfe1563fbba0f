/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { type HostProcess, startHostProcess } from '../helpers/host-process.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const sizes = [
  { width: 770, height: 578 },
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

describe.skipIf(!hasBrowser())('front page', () => {
  let host: HostProcess;
  let browser: Browser;
  beforeAll(async () => {
    [host, browser] = await Promise.all([startHostProcess(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(host.url + path);
    return page;
  }

  const paths = ['/', '/?q=python', '/?q=qqqqqq', '/?q=soudure&type=video&lang=fr', '/nowhere', '/docs'];
  const appearances = paths.flatMap((path) =>
    (['light', 'dark'] as const).map((scheme) => ({ path, scheme })),
  );

  test.each(appearances)('axe finds nothing: $path, $scheme', async ({ path, scheme }) => {
    for (const viewport of sizes) {
      const page = await open(path, { colorScheme: scheme, viewport });
      await page.waitForLoadState('networkidle');
      expect({ viewport, violations: await findViolations(page) }).toEqual({ viewport, violations: [] });
      await page.close();
    }
  });

  test('nothing is wider than the window', async () => {
    for (const viewport of sizes) {
      for (const path of ['/', '/?q=python']) {
        const page = await open(path, { viewport });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          viewport.width,
        );
        await page.close();
      }
    }
  });

  test('by keyboard alone: search, filter, next page, back', async () => {
    const page = await open('/');
    await page.keyboard.press('/');
    await page.keyboard.type('python');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=python/);
    const first = await page.locator('.card h3').first().textContent();
    expect(first?.toLowerCase()).toContain('python');
    await page.getByLabel('Language', { exact: true }).selectOption('fr');
    await page.waitForURL(/lang=fr/);
    await page.waitForFunction(() => document.activeElement?.id === 'results-title');
    const languages = await page
      .locator('.card h3')
      .evaluateAll((titles) => titles.map((title) => title.getAttribute('lang')));
    expect(new Set(languages)).toEqual(new Set(['fr']));
    await page.goBack();
    await page.waitForURL((url) => !url.search.includes('lang=fr'));
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL(/page=1/);
    expect(await page.locator('.card').count()).toBeGreaterThan(0);
    await page.close();
  });

  test('words are completed while typing', async () => {
    const page = await open('/');
    await page.locator('#q').pressSequentially('photogr', { delay: 20 });
    await page.waitForFunction(() => document.querySelectorAll('#completions option').length > 0);
    const labels = await page
      .locator('#completions option')
      .evaluateAll((options) => options.map((o) => o.getAttribute('value')));
    expect(labels.some((label) => label?.toLowerCase().startsWith('photogr'))).toBe(true);
    await page.close();
  });

  test('everything works without JavaScript', async () => {
    const page = await open('/', { javaScriptEnabled: false });
    await page.locator('#q').fill('first aid');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.locator('.card').count()).toBeGreaterThan(0);
    expect(await page.locator('.terms li').count()).toBeGreaterThan(0);
    await page
      .locator('#text')
      .fill('We look for a nurse who cares for patients, gives first aid and writes reports.');
    await page.getByRole('button', { name: 'Find tags' }).click();
    expect(await page.locator('#tag .chip').count()).toBeGreaterThan(0);
    await page.close();
  });

  test('nothing found says so and proposes', async () => {
    const page = await open('/?q=pyhton&type=safety+sheet&free=1');
    const text = await page.locator('main').textContent();
    expect(text).toMatch(/Nothing found for “pyhton”|learning object/);
    const none = await open('/?q=qqqqqqq');
    expect(await none.locator('#results-title').textContent()).toBe('Nothing found for “qqqqqqq”');
    await page.close();
    await none.close();
  });

  test('what people type is shown as text', async () => {
    const page = await open(`/?q=${encodeURIComponent('"><script>document.title="x"</script><b>bold')}`);
    expect(await page.title()).toContain('<script>');
    expect(await page.locator('main b').count()).toBe(0);
    await page.close();
  });

  test('no console error, nothing from elsewhere', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    const foreign: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('request', (request) => !request.url().startsWith(host.url) && foreign.push(request.url()));
    for (const path of ['/', '/?q=python', '/docs'])
      await page.goto(host.url + path, { waitUntil: 'networkidle' });
    expect({ errors, foreign }).toEqual({ errors: [], foreign: [] });
    await page.close();
  });
});

async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}
