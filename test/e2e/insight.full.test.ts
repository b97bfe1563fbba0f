/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { type HostProcess, startHostProcess } from '../helpers/host-process.ts';
import { expectGoodLooks, sizes } from '../helpers/looks.ts';
import * as journey from './admin-journey.ts';

/** Of no taxonomy and no object. */
const UNKNOWN = 'zorblax';

describe.skipIf(!hasBrowser())('insight and the reference', () => {
  let host: HostProcess;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    // So that three people can come from one machine.
    [host, browser] = await Promise.all([startHostProcess({ TRUST_PROXY: '1' }), launchBrowser()]);
    page = await browser.newPage({ viewport: sizes.desktop, locale: 'en' });
    await journey.setUp(page, host);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  const search = async (person: number, words: string) => {
    const from = { 'x-forwarded-for': `192.0.2.${person}` };
    return (await fetch(`${host.url}/?q=${encodeURIComponent(words)}`, { headers: from })).text();
  };

  test('what three people did not find gets a name that the search knows', async () => {
    for (const person of [1, 2]) await search(person, UNKNOWN);
    for (const person of [1, 2, 3]) await search(person, 'python');
    await journey.chooseInMenu(page, 'Insight');
    await page.getByRole('cell', { name: 'python' }).first().waitFor();
    expect(await page.content()).not.toContain(UNKNOWN);
    await search(3, UNKNOWN);
    await page.reload();
    const row = page.getByRole('region', { name: 'Searches with poor results' }).getByRole('row', { name: UNKNOWN });
    await row.waitFor();
    await expectGoodLooks(page);

    await row.getByRole('link', { name: 'Repeat this search' }).click();
    await page.getByRole('heading', { name: new RegExp(`No results for .*${UNKNOWN}`) }).waitFor();
    await page.goBack();
    await row.getByRole('link', { name: 'Add a synonym' }).click();
    await page.getByLabel('What they mean').fill('python');
    await page.getByRole('button', { name: 'Search' }).click();
    const python = page.getByRole('radio', { name: /^Python/ }).first();
    await python.check();
    await expectGoodLooks(page);
    await page.getByRole('button', { name: 'Add the synonym' }).click();
    await page.locator('.notice[role="status"]', { hasText: 'Synonym added' }).waitFor();
    await expect.poll(() => search(1, UNKNOWN), { interval: 500 }).toMatch(/class="card|Python/);
  });

  test('the file of a table is saved', async () => {
    await page.goto(`${host.url}/admin/insight`);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV (Top searches)' }).click();
    expect((await download).suggestedFilename()).toMatch(/^insight-searches-[\d-]+\.csv$/);
  });

  test('in the reference, the Competency API is tried out without a key of one’s own', async () => {
    await page.goto(`${host.url}/docs`, { waitUntil: 'networkidle' });
    const similar = page.locator('.opblock', { hasText: '/domcomp/v1/similar' });
    await similar.locator('.opblock-summary-control').click();
    await similar.getByRole('button', { name: 'Try it out' }).click();
    await similar.getByRole('button', { name: 'Execute' }).click();
    const status = similar.locator('.live-responses-table .response-col_status').last();
    await expect.poll(() => status.textContent()).toContain('200');
    expect(await similar.locator('.curl-command').textContent()).toContain(host.demoKey);
    await expectGoodLooks(page);
  });

  test('it is dark on a dark screen', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    const brightness = () =>
      page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.querySelector('.swagger-ui')!).color)?.[0]));
    await expect.poll(brightness).toBeGreaterThan(200);
    await page.emulateMedia({ colorScheme: null });
  });

  test.each(['', '/moodle', '/api', '/operators'])('a guide is a page of the host: %s', async (path) => {
    await page.goto(`${host.url}/docs/guides${path}`, { waitUntil: 'networkidle' });
    const broken = await page
      .locator('.guide img')
      .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth === 0).length);
    expect(broken).toBe(0);
    await expectGoodLooks(page);
  });

  test('the page of connections names settings to nobody but the administrator', async () => {
    await page.goto(`${host.url}/connect`);
    expect(await page.locator('#connect').textContent()).toContain('SLACK_CLIENT_ID');
    await expectGoodLooks(page);
    const stranger = await browser.newPage();
    await stranger.goto(`${host.url}/connect`);
    expect(await stranger.locator('#connect').textContent()).not.toContain('SLACK_');
    await stranger
      .locator('#connect')
      .getByRole('link', { name: /How it works/ })
      .click();
    await stranger.getByRole('heading', { level: 1, name: /Slack/ }).waitFor();
    await stranger.context().close();
  });
});
