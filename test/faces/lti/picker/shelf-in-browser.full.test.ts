/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bareObject } from '../../../fakes/learning-service.ts';
import { hasBrowser, launchBrowser } from '../../../helpers/browser.ts';
import { expectGoodLooks } from '../../../helpers/looks.ts';
import { acme } from '../../../services/people/slack-samples.ts';
import { type PickerHost, said, searchFor, startPicker, titlesOf } from './open-picker.ts';

describe.skipIf(!hasBrowser())('the shelf in a browser', () => {
  let browser: Browser;
  let host: PickerHost;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
    host = await startPicker();
    await host.services.slackInstallations.install(acme, null);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });
  afterEach(() => page?.close());

  const cardsOnShelf = () => page.locator('#shelf-panel [data-handle]');

  test('lists saved objects, which can be chosen there and removed everywhere', async () => {
    page = await host.open(browser);
    await searchFor(page, 'Go');
    const save = page.locator('#results [data-title="Go b"] [data-save]');
    await save.click();
    await page.waitForSelector('#status:text("Saved: Go b.")');
    expect(await save.getAttribute('aria-pressed')).toBe('true');
    await page.click('#tab-shelf');
    await cardsOnShelf().first().waitFor();
    expect(await cardsOnShelf().count()).toBe(1);
    await cardsOnShelf().locator('[data-add]').click();
    expect(await titlesOf(page)).toEqual(['Go b']);
    await cardsOnShelf().locator('[data-save]').click();
    await page.waitForSelector('#status:text("Removed from your shelf: Go b.")');
    // It stays in sight, so that it can be saved again.
    expect(await cardsOnShelf().count()).toBe(1);
    expect(await save.getAttribute('aria-pressed')).toBe('false');
  });

  test('has lists that the keyboard reaches, with an explanation when they are empty', async () => {
    page = await host.open(browser, { context: { id: 'empty', label: null, title: null } });
    await page.click('#tab-shelf');
    await page.waitForSelector('#shelf-panel .shelf-empty');
    await page.focus('#shelf-tab-saved');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('#shelf-panel:has-text("Nothing has been added to this course")');
    expect(await page.getAttribute('#shelf-panel', 'aria-labelledby')).toBe('shelf-tab-recent');
    await page.keyboard.press('End');
    await page.waitForSelector('#shelf-panel:has-text("Nobody else at your institution")');
    expect(await said(page)).toContain('Nobody else at your institution');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('shelf-tab-colleagues');
  });

  test('requests a list again that could not be loaded', async () => {
    page = await host.open(browser);
    await page.route('**/lti/picker/shelf*', (route) => route.abort());
    await page.click('#tab-shelf');
    await page.waitForSelector('#shelf-panel .problem');
    await page.unroute('**/lti/picker/shelf*');
    await page.click('#tab-search');
    await page.click('#tab-shelf');
    await page.waitForSelector('#shelf-panel :is(.shelf-empty, .results)');
  });

  test('continues a long list', async () => {
    const person = `lti:${host.registration.id}:collector`;
    for (let i = 0; i < 25; i++)
      await host.services.shelf.save(
        { tenantId: 'default', person },
        {
          object: {
            title: `Object ${i}`,
            url: `https://example.org/${i}`,
            bloom: [],
            type: [],
            publisher: [],
            author: [],
          },
          requestId: null,
        },
      );
    page = await host.open(browser, { user: { id: 'collector', name: null, email: null } });
    await page.click('#tab-shelf');
    await page.locator('[data-shelf-next]').press('Enter');
    await expect.poll(() => cardsOnShelf().count()).toBe(25);
    expect(await page.locator('[data-shelf-next]').count()).toBe(0);
    const focused = await page.evaluate(
      () => document.activeElement?.closest<HTMLElement>('[data-title]')?.dataset.title,
    );
    expect(focused).toMatch(/^Object \d+$/);
  });

  test('is linked with Slack, and unlinked, by keyboard alone', async () => {
    const { people, shelf } = host.services;
    const inSlack = { tenantId: 'default', person: 'slack:T1:U1' };
    const url = 'https://example.org/from-slack';
    await shelf.save(inSlack, { object: { ...bareObject, url }, requestId: null });
    page = await host.open(browser, { user: { id: 'linker', name: null, email: null } });
    await page.click('#tab-shelf');
    await page.locator('.shelf-link summary').press('Enter');
    await page.fill('#shelf-code', 'AAAA-AAAA');
    await page.press('#shelf-code', 'Enter');
    await page.waitForSelector('#shelf-code[aria-invalid]');
    expect(await said(page)).toContain('This code is not valid');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('shelf-code');
    await page.fill('#shelf-code', (await people.createLinkCode(inSlack)).code);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.shelf-link summary:has-text("Shared with your other accounts")');
    await page.waitForSelector('#status:text("Linked.")');
    expect(await cardsOnShelf().count()).toBe(1);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('notice');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#status:text("Unlinked.")');
    expect(await cardsOnShelf().count()).toBe(0);
    await page.locator('.shelf-link button', { hasText: 'Get a code' }).press('Enter');
    const code = await page.locator('.shelf-code code').textContent();
    expect(await said(page)).toContain(code);
    await people.link(inSlack, code ?? '');
    expect(await people.countLinked(inSlack)).toBe(1);
  });

  test('has no accessibility problems', async () => {
    page = await host.open(browser, { locale: 'fr' });
    await page.click('#tab-shelf');
    await page.waitForSelector('#shelf-panel .shelf-empty');
    await page.click('.shelf-link summary');
    await page.press('#shelf-code', 'Enter');
    await page.waitForSelector('#shelf-code-problem');
    await expectGoodLooks(page);
  });
});
