/// <reference lib="dom" />
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMongoStore } from '../../src/adapters/store/mongo/mongo-store.ts';
import { mountPages } from '../faces/home/start-home.ts';
import { settings } from '../faces/lti/picker/choose.ts';
import { type PickerHost, startPicker, titlesOf } from '../faces/lti/picker/open-picker.ts';
import { readCartridge } from '../faces/plan-view/read-cartridge.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { expectGoodLooks, sizes } from '../helpers/looks.ts';
import { startMongoServer } from '../helpers/mongo-server.ts';
import type { OpenTestStore } from '../helpers/open-services.ts';
import { expectLightLoad } from '../helpers/page-load.ts';

const server = await startMongoServer();
afterAll(() => server?.stop());

const stores: readonly { readonly store: string; readonly openStore?: OpenTestStore }[] = [
  { store: 'SQLite' },
  ...(server === null ? [] : [{ store: 'MongoDB', openStore: () => createMongoStore(server.newUri()) }]),
];

const openAll = { en: 'Open your plans in a new window', fr: 'Ouvrir vos plans dans une nouvelle fenêtre' };
const syllabus = 'Databases\n\nWeek 1: Python\nLists and loops\n\nWeek 2: Statistics\nMeans and medians';

describe.skipIf(!hasBrowser()).each(stores)('plans in a browser on $store', ({ openStore }) => {
  let browser: Browser;
  let host: PickerHost;
  beforeAll(async () => {
    browser = await launchBrowser();
    host = await startPicker({ ...(openStore && { openStore }), mount: mountPages });
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

  /** The pages are the same on both stores. */
  const expectLooks = async (page: Page) => (openStore === undefined ? expectGoodLooks(page) : undefined);
  /** A course of their language, so that nobody finds what others chose. */
  const launchOf = (id: string, locale: 'en' | 'fr') => ({
    locale,
    user: { id, name: null, email: null },
    context: { id: `course-${locale}`, label: null, title: 'Course' },
  });
  const openPlans = async <T extends Page | Frame>(page: T): Promise<T> => {
    await page.click('#tab-plan');
    await page.waitForSelector('[data-stored-plans] h2');
    return page;
  };
  /** As platforms show it: in a frame of another site, in which the browser drops our cookies. */
  const openInFrame = async (page: Page, id: string, locale: 'en' | 'fr'): Promise<Frame> => {
    const deepLinking = { ...settings, returnUrl: host.returnUrl };
    const launch = await host.launchToken({ ...launchOf(id, locale), deepLinking });
    await page.goto(host.returnUrl);
    const source = `${host.url}/lti/picker?${new URLSearchParams({ launch })}`;
    const attributes = { width: '1180', height: '800', src: source };
    await page.evaluate(
      (all) => document.body.append(Object.assign(document.createElement('iframe'), all)),
      attributes,
    );
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame!.waitForURL(/\/lti\/picker$/);
    return openPlans(frame!);
  };
  const popupOf = async (page: Page, open: () => Promise<unknown>): Promise<Page> => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), open()]);
    await popup.waitForLoadState();
    return popup;
  };
  const cardsOf = (page: Page | Frame) =>
    page.$$eval('[data-stored-plans] .card', (cards) => cards.map((card) => (card as HTMLElement).dataset.title!));

  test.each(['en', 'fr'] as const)('from a syllabus to a colleague’s course and a cartridge: %s', async (locale) => {
    const page = await openPlans(
      await host.open(browser, launchOf(`ada-${locale}`, locale), { width: 1180, height: 800 }),
    );
    await expectLooks(page);
    await page.fill('#plan-text', syllabus);
    await page.click('[data-plan-make]');
    await page.waitForSelector('#plan-share');
    expect(await page.locator('[data-section]').count()).toBe(2);
    const made = await cardsOf(page);
    expect(made.length).toBeGreaterThan(3);
    await expectLooks(page);
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

    const window = await browser.newPage({ viewport: sizes.desktop, locale });
    const colleague = await openInFrame(window, `ben-${locale}`, locale);
    const stranger = await popupOf(window, () => window.evaluate((address) => void open(address), link));
    expect(await stranger.textContent('main')).toContain(openAll[locale]);
    await expectLooks(stranger);
    // Once their plans were opened from the course, the link works in this browser.
    await colleague.click('.plan-new summary');
    const list = await popupOf(window, () => colleague.click('[data-stored-plans] a[target=_blank]'));
    expect(new URL(list.url()).pathname + new URL(list.url()).search).toBe('/plans');
    await expectLooks(list);
    await expectLightLoad(stranger, link, { requests: 6, kilobytes: 40 });
    expect(await stranger.locator('.plan-page ol a').allTextContents()).toEqual(made);
    await expectLooks(stranger);

    await colleague.fill('#plan-copy-link', stranger.url());
    await colleague.press('#plan-copy-link', 'Enter');
    await colleague.waitForSelector('[data-stored-plan]');
    expect(await cardsOf(colleague)).toEqual(made);
    await stranger.goto(`${host.url}/plans`);
    expect(await stranger.locator('.plan-list a').count()).toBe(1);
    const href = await colleague.getAttribute('a[download]', 'href');
    const file = await fetch(new URL(href!, host.url));
    const sections = await readCartridge(new Uint8Array(await file.arrayBuffer()), '1.3');
    expect(sections.flatMap(({ links }) => links.map(({ title }) => title))).toEqual(made);
    await colleague.click('[data-take-all]:visible');
    expect(await titlesOf(colleague)).toEqual([...new Set(made)]);
    await colleague.click('[data-tray-choose]');
    await expect.poll(() => host.received.at(-1)?.map(({ title }) => title)).toEqual([...new Set(made)]);
    for (const each of [page, stranger, list, window]) await each.close();
  });
});
