/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMongoStore } from '../../src/adapters/store/mongo/mongo-store.ts';
import { type PickerHost, startPicker, titlesOf } from '../faces/lti/picker/open-picker.ts';
import { readCartridge } from '../faces/plan-view/read-cartridge.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { expectGoodLooks } from '../helpers/looks.ts';
import { startMongoServer } from '../helpers/mongo-server.ts';
import type { OpenTestStore } from '../helpers/open-services.ts';

const server = await startMongoServer();
afterAll(() => server?.stop());

const stores: readonly { readonly store: string; readonly openStore?: OpenTestStore }[] = [
  { store: 'SQLite' },
  ...(server === null ? [] : [{ store: 'MongoDB', openStore: () => createMongoStore(server.newUri()) }]),
];

const syllabus = 'Databases\n\nWeek 1: Python\nLists and loops\n\nWeek 2: Statistics\nMeans and medians';

describe.skipIf(!hasBrowser()).each(stores)('plans in a browser on $store', ({ openStore }) => {
  let browser: Browser;
  let host: PickerHost;
  beforeAll(async () => {
    browser = await launchBrowser();
    host = await startPicker(openStore && { openStore });
    host.services.local.tagger = async ({ text, lang }) => ({
      tokenizedText: '',
      lang,
      tags: ['Python', 'Statistics'].filter((tag) => text.includes(tag)),
    });
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });

  const openPlans = async (id: string, locale: string): Promise<Page> => {
    const page = await host.open(
      browser,
      { locale, user: { id, name: null, email: null } },
      { width: 1180, height: 800 },
    );
    await page.click('#tab-plan');
    await page.waitForSelector('[data-stored-plans] h2');
    return page;
  };
  const cardsOf = (page: Page) =>
    page.$$eval('[data-stored-plans] .card', (cards) => cards.map((card) => (card as HTMLElement).dataset.title!));

  test.each(['en', 'fr'])('from a syllabus to a colleague’s course and a cartridge: %s', async (locale) => {
    const page = await openPlans(`ada-${locale}`, locale);
    await page.fill('#plan-text', syllabus);
    await page.click('[data-plan-make]');
    await page.click('[data-plan-result] [data-plan-open]');
    await page.waitForSelector('[data-stored-plan]');
    expect(await page.locator('[data-section]').count()).toBe(2);
    const made = await cardsOf(page);
    expect(made.length).toBeGreaterThan(3);
    await expectGoodLooks(page);
    // By its button, which has the focus afterwards.
    const first = await page.locator('[data-item]').first().getAttribute('data-item');
    await page.focus(`#down-${first}`);
    await page.keyboard.press('Enter');
    await expect.poll(() => cardsOf(page)).toEqual([made[1], made[0], ...made.slice(2)]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`down-${first}`);
    await page.focus(`#up-${first}`);
    await page.keyboard.press('Enter');
    await expect.poll(() => cardsOf(page)).toEqual(made);
    // By dragging: downwards to the next one, then upwards.
    for (const [from, to, titles] of [
      [0, 1, [made[1], made[0], ...made.slice(2)]],
      [1, 0, made],
    ] as const) {
      const item = (place: number) => page.locator('[data-item]').nth(place);
      const corner = { x: 6, y: 6 };
      await item(from).dragTo(item(to), { sourcePosition: corner, targetPosition: corner });
      await expect.poll(() => cardsOf(page)).toEqual(titles);
    }
    await page.click('#plan-share');
    const link = await page.inputValue('#plan-link');

    const colleague = await openPlans(`ben-${locale}`, locale);
    await colleague.click('.plan-new summary');
    await colleague.fill('#plan-copy-link', link);
    await colleague.press('#plan-copy-link', 'Enter');
    await colleague.waitForSelector('[data-stored-plan]');
    expect(await cardsOf(colleague)).toEqual(made);
    const href = await colleague.getAttribute('a[download]', 'href');
    const file = await fetch(new URL(href!, host.url));
    const sections = await readCartridge(new Uint8Array(await file.arrayBuffer()), '1.3');
    expect(sections.flatMap(({ links }) => links.map(({ title }) => title))).toEqual(made);
    await colleague.click('[data-take-all]:visible');
    expect(await titlesOf(colleague)).toEqual([...new Set(made)]);
    await colleague.click('[data-tray-choose]');
    await expect.poll(() => host.received.at(-1)?.map(({ title }) => title)).toEqual([...new Set(made)]);
    for (const each of [page, colleague]) await each.close();
  });
});
