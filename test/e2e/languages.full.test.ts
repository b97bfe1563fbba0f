import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFound, gradedItem, openPicker, toolOf } from '../demo/demo-in-browser.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { type HostProcess, startHostProcess } from '../helpers/host-process.ts';
import { expectGoodLook, sizes } from '../helpers/looks.ts';
import { setUp } from './admin-journey.ts';

const publicPaths = [
  '/',
  '/?q=python',
  '/?q=qqqqqq',
  '/browse',
  '/browse?topic=0613',
  '/tags',
  '/connect',
  '/docs',
  '/docs/guides',
  '/docs/guides/moodle',
  '/styleguide',
  '/nowhere',
  '/skills?uri=skilldock%3Apython-programming',
  '/privacy',
  'OBJECT',
  '/demo',
  '/demo/slack',
  '/lti/launch',
];

/** English in both themes, every other language in one: what differs between languages is words. */
const looks = [
  { locale: 'en', colorScheme: 'light', viewport: sizes.desktop },
  { locale: 'en', colorScheme: 'dark', viewport: sizes.phone },
  { locale: 'fr', colorScheme: 'light', viewport: sizes.phone },
  { locale: 'de', colorScheme: 'dark', viewport: sizes.phone },
  { locale: 'es', colorScheme: 'light', viewport: sizes.phone },
] as const;

describe.skipIf(!hasBrowser())('every page, in four languages', () => {
  let host: HostProcess;
  let browser: Browser;
  /** Where somebody has signed in. */
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
  let object: string;

  beforeAll(async () => {
    [host, browser] = await Promise.all([startHostProcess({ INDEXABLE: '1' }), launchBrowser()]);
    const context = await browser.newContext({ locale: 'en', viewport: sizes.desktop });
    const page = await context.newPage();
    await setUp(page, host);
    signedIn = await context.storageState();
    const sitemap = await (await fetch(`${host.url}/sitemaps/A.xml`)).text();
    object = /\/objects\/[^<]+/.exec(sitemap)?.[0] ?? '';
    expect(object).not.toBe('');
    await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  /** Another site than the tool, as a platform is. */
  const demoAddress = (path: string) => host.url.replace('127.0.0.1', 'localhost') + path;

  test('a resource is chosen for the demo course', async () => {
    const page = await browser.newPage({ viewport: sizes.desktop });
    await page.goto(demoAddress('/demo?lang=en'));
    const picker = await openPicker(page, 'statistics');
    await addFound(picker, 'statistics', 2);
    await picker.getByText('Settings for all').click();
    await picker.getByLabel(/All graded/).check();
    await picker.locator('[data-tray-choose]').click();
    await page.locator('#statistics .item').first().waitFor();
    await page.close();
  });

  describe.each(looks)('$locale, $colorScheme', ({ locale, colorScheme, viewport }) => {
    let context: BrowserContext;
    let page: Page;

    beforeAll(async () => {
      context = await browser.newContext({ locale, colorScheme, viewport, storageState: signedIn });
      page = await context.newPage();
    });
    afterAll(() => context?.close());

    test.each(publicPaths)('axe finds nothing, and nothing is wider than the window: %s', async (path) => {
      await page.goto(host.url + (path === 'OBJECT' ? object : path));
      expect(await page.locator('html').getAttribute('lang')).toBe(locale);
      await expectGoodLook(page);
    });

    test('nor on any page of the administration', async () => {
      await page.goto(`${host.url}/admin`);
      const paths = await page
        .locator('nav a[href^="/admin"]')
        .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href')!))]);
      expect(paths.length).toBeGreaterThan(12);
      for (const path of [...paths, '/admin/registrations/new', '/admin/imports/new', '/admin/account']) {
        await page.goto(host.url + path);
        await expectGoodLook(page);
      }
    });

    test('nor in the picker, in an object in a course, in the overview of the course, or in My data', async () => {
      await page.goto(demoAddress(`/demo?as=ines&lang=${locale}`));
      const picker = await openPicker(page, 'statistics');
      await expectGoodLook(page, picker);
      for (const tab of ['plan', 'shelf', 'own']) {
        await picker.locator(`#tab-${tab}`).click();
        await expectGoodLook(page, picker);
      }
      await page.goto(demoAddress(`/demo?as=ines&lang=${locale}`));
      await gradedItem(page).getByRole('link').first().click();
      const tool = await toolOf(page, 'iframe.tool');
      await expectGoodLook(page, tool);
      await tool.locator('a[href^="/lti/course?"]').click();
      await tool.locator('.course-table').waitFor();
      await expectGoodLook(page, tool);
      const opened = context.waitForEvent('page');
      await tool.locator('a[href*="/my-data"]').click();
      const myData = await opened;
      await myData.locator('.person-kind').first().waitFor();
      await myData
        .locator('.person-kind, .person-kind details')
        .evaluateAll((kinds) => kinds.map((kind) => kind.toggleAttribute('open', true)));
      await expectGoodLook(myData);
      await myData.close();
    });
  });
});
