/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '../helpers/app.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { expectGoodLooks } from '../helpers/looks.ts';
import { addFound, gradedItem, openPicker, toolOf } from './demo-in-browser.ts';

describe.skipIf(!hasBrowser())('the demo course in a browser', () => {
  let app: RunningApp;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), launchBrowser()]);
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const courseUrl = () => `${app.url.replace('127.0.0.1', 'localhost')}/demo`;

  test('the front page leads there, to another site than the tool', async () => {
    await page.goto(app.url);
    await page.getByRole('link', { name: 'See it in a course' }).click();
    await page.getByRole('heading', { name: 'Introduction to data analysis' }).waitFor();
    expect(page.url()).toBe(`${courseUrl()}?lang=en`);
    await expectGoodLooks(page);
  });

  test('objects that are chosen stand in the course', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const picker = await openPicker(page, 'statistics');
    // U24: in a frame of another site, too.
    await expect.poll(() => picker.evaluate(() => document.activeElement?.id)).toBe('q');
    await addFound(picker, 'statistics', 3);
    await picker.getByText('Settings for all').click();
    await picker.getByLabel(/All graded/).check();
    await picker.locator('[data-tray-choose]').click();
    await page.getByText('3 items were added.').waitFor();
    expect(await page.locator('#statistics .item').count()).toBe(3);
    expect(await page.locator('#statistics .points').count()).toBe(3);
    await expectGoodLooks(page);
  });

  test('a learner opens one, marks it as done, and the score arrives by itself', async () => {
    const instructor = await browser.newPage();
    await instructor.goto(courseUrl());
    await page.getByRole('link', { name: /Léa Martin/ }).click();
    await gradedItem(page).getByRole('link').click();
    const object = await toolOf(page, 'iframe.tool');
    await expectGoodLooks(page);
    await object
      .getByRole('button', { name: /^Mark as done/ })
      .first()
      .click();
    const cell = instructor.getByRole('row', { name: /Léa Martin/ }).locator('.score');
    await expect.poll(() => cell.allTextContents()).toEqual(['10 of 10']);
    expect(await instructor.locator('[data-news]').textContent()).toMatch(/^Léa Martin, /);
    await instructor.close();
  });

  test('what is not wanted any more is removed, and the course is reset', async () => {
    await page.goto(courseUrl());
    await page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await page.getByText('Item removed.').waitFor();
    await page.getByRole('button', { name: 'Reset the course' }).click();
    await page.getByText('The course is empty again').waitFor();
    expect(await page.locator('.item').count()).toBe(0);
  });

  test('it speaks French, and is dark for those who want it', async () => {
    const french = await browser.newPage({ colorScheme: 'dark', locale: 'fr-CA' });
    await french.goto(courseUrl());
    await french.getByRole('heading', { name: 'Carnet de notes' }).waitFor();
    await expectGoodLooks(french);
    await french.close();
  });
});

test('a host with a public address has no such page', async () => {
  const host = await startApp(undefined, { PUBLIC_URL: 'https://skills.example.org' });
  for (const path of ['/demo', '/demo/lti/keys', '/demo/gradebook'])
    expect((await fetch(host.url + path)).status).toBe(404);
  expect(await (await fetch(host.url)).text()).not.toContain('/demo');
  await host.close();
});
