/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deadLink } from '../../../contract/store/link-check-records.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { hasBrowser, launchBrowser } from '../../../helpers/browser.ts';
import { expectGoodLooks } from '../../../helpers/looks.ts';
import { type OpenedObject, openObject } from './open-object.ts';

const object = { ...fullObject, url: 'https://example.org/dead' };

describe.skipIf(!hasBrowser())('a dead link in a browser', () => {
  let browser: Browser;
  let opened: OpenedObject;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    opened = await openObject({ object });
    await opened.services.store.linkChecks.saveLinkChecks([deadLink(object.url, { reason: 'gone' })]);
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    await opened.close();
  });
  const go = (path: string, launch: string) => page.goto(`${opened.url}/lti${path}?${new URLSearchParams({ launch })}`);

  test('shows learners the reason and similar objects', async () => {
    await go('/object', await opened.launch());
    await page.getByText('This resource no longer opens').waitFor();
    await page.getByRole('link', { name: 'Python for everybody' }).waitFor();
    await expectGoodLooks(page);
  });

  test('lets teachers replace the object, and undo that', async () => {
    await go('/object', await opened.teach());
    await page.getByRole('button', { name: 'Use this instead Python for everybody' }).click();
    await page.getByText('Resource replaced.').waitFor();
    await expectGoodLooks(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The previous resource is back.').waitFor();
    expect((await opened.find()).placement.object).toEqual(object);
  });

  test('is listed in the picker, and can be replaced there', async () => {
    await opened.page('/object', await opened.launch());
    await go('/picker', await opened.launchToken());
    const told = page.getByText('1 broken link in this course');
    await told.click();
    await expectGoodLooks(page);
    await page.getByRole('button', { name: 'Use this instead Python for everybody' }).click();
    await expect.poll(async () => (await opened.find()).placement.object).toEqual(fullObject);
    await page.waitForLoadState('networkidle');
    expect(await told.count()).toBe(0);
  });

  test('takes one line in the small dialog of a phone', async () => {
    await page.setViewportSize({ width: 340, height: 255 });
    await opened.page('/object', await opened.launch());
    await go('/picker', await opened.launchToken());
    const told = page.getByText('1 broken link in this course');
    await told.waitFor();
    const { y, height } = (await told.boundingBox())!;
    expect(height).toBeLessThan(32);
    expect(y + height).toBeLessThan(255 / 2);
    await page.fill('#q', 'python');
    await page.press('#q', 'Enter');
    await page.locator('#results .card').first().waitFor();
    expect(await told.isVisible()).toBe(false);
    expect((await page.locator('#results .card').first().boundingBox())!.y).toBeLessThan(255 / 3);
  });
});
