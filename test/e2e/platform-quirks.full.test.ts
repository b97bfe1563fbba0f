/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getToolIcon } from '../../src/faces/lti/tool-addresses.ts';
import { search } from '../faces/lti/picker/open-picker.ts';
import { type RunningProtocol, startProtocol } from '../faces/lti/protocol/start-protocol.ts';
import { bareObject } from '../fakes/learning-service.ts';
import type { FakePlatformMode } from '../fakes/lti/modes.ts';
import { hasBrowser, launchOwnBrowser } from '../helpers/browser.ts';
import { draw } from '../helpers/draw.ts';
import { openInCourse, toolOf } from './lti-journey.ts';

/** What products were seen to do otherwise than others; how each does it is in
 *  `test/fakes/lti/modes.ts`. Moodle on a phone gives a small dialog, on a laptop a low one,
 *  heights that are asked for are ignored, and it tells of courses that were copied, not of links.
 *  Open edX gives all items of a block one id, makes no line items and tells nothing of copies. */
const products = [
  {
    mode: 'moodle',
    dialogs: [
      { width: 340, height: 255 },
      { width: 1366, height: 575 },
    ],
    iconFilter: 'brightness(0) invert(1)',
  },
  { mode: 'canvas', dialogs: [{ width: 900, height: 700 }], iconFilter: null },
  { mode: 'edx', dialogs: [{ width: 390, height: 600 }], iconFilter: null },
] as const;

/** Each in one of the languages of people, unless the run is a full one. */
const walks = products.flatMap(({ mode, dialogs }) =>
  dialogs.flatMap((dialog) =>
    draw(['en', 'fr'], `language in the manner of ${mode}, ${dialog.width} wide`).map((locale) => {
      return { mode, dialog, locale };
    }),
  ),
);

describe.skipIf(!hasBrowser())('in the manner of', () => {
  let browser: Browser;
  let page: Page;
  let running: RunningProtocol;
  beforeAll(async () => {
    browser = await launchOwnBrowser(['--test-third-party-cookie-phaseout']);
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await page?.close();
    await running?.close();
  });

  /** Anew for each try: a second one must not find what the first has placed. */
  async function start(mode: FakePlatformMode): Promise<void> {
    running = await startProtocol({ mode, hasSharedIssuer: false });
    Object.assign(running.lti.services.local, { searchMany: search, searchProvider: search });
  }

  describe.each(walks)('$mode, $dialog.width×$dialog.height, in $locale', ({ mode, dialog, locale }) => {
    beforeEach(() => start(mode));

    /** The title that a learner sees, in a window of their own: the last one may still be on its
     *  way to another page. */
    async function titleOf(link: string, person = 'lea'): Promise<string> {
      await page.close();
      page = await browser.newPage();
      const tool = await openInCourse(page, running.platform, {
        link,
        person,
        locale,
        width: 340,
        height: 255,
      });
      return (await tool.locator('h1').textContent())!.trim();
    }

    /** Puts another object behind a link, as its teacher. */
    async function replace(link: string, title: string): Promise<void> {
      const { placements, launches } = running.lti.deps;
      const { location } = await running.platform.launch({ link, person: 'ines' });
      const launch = await launches.getLaunch(location!.searchParams.get('launch')!, 'resource-link');
      const object = { ...bareObject, url: 'https://example.org/other', title };
      await placements.replace(launch, { object, requestId: null, title, completion: 'marked', points: 10 });
    }

    test('what is chosen opens as it was meant, in its course and in a copy, and is graded there', async () => {
      const { platform, lti } = running;
      const services = lti.services;
      const outbox = services.createScoreOutbox(lti.deps.platforms, { pollMs: 100 });
      outbox.start();
      page = await browser.newPage();
      const picker = await openInCourse(page, platform, { ...dialog, locale });
      expect(await picker.locator('html').getAttribute('lang')).toBe(locale);
      await picker.fill('#q', 'Weaving');
      await picker.press('#q', 'Enter');
      for (const letter of ['a', 'b'])
        await picker.locator(`#results [data-title="Weaving ${letter}"] [data-add]`).click();
      if (await picker.locator('#tray-toggle').isVisible()) await picker.locator('#tray-toggle').click();
      for (const item of await picker.locator('.tray-item').all()) {
        await item.locator('.tray-more > summary').click();
        await item.locator('[data-field="graded"]').check();
        await page.keyboard.press('Escape');
      }
      await toolOf(page).locator('[data-tray-choose]:visible').click();
      await expect.poll(() => platform.links.size).toBe(2);
      const [first, second] = [...platform.links.values()].map(({ id }) => id) as [string, string];

      expect([await titleOf(second), await titleOf(first)]).toEqual(['Weaving b', 'Weaving a']);
      await replace(first, 'Dyeing');
      expect([await titleOf(first), await titleOf(second)]).toEqual(['Dyeing', 'Weaving b']);

      const [copyOfFirst, copyOfSecond] = platform.copyCourse('course-1');
      expect(await titleOf(copyOfSecond!.id, 'liam')).toBe('Weaving b');
      expect(await titleOf(copyOfFirst!.id, 'liam')).toBe('Dyeing');
      await toolOf(page).locator('.done-form button').click();
      const scored = () => [...platform.scores.values()].map(({ userId, scoreGiven }) => [userId, scoreGiven]);
      await expect.poll(scored).toEqual([['liam', 10]]);
      await outbox.close();
      expect(platform.refusals).toEqual([]);
    });
  });

  test.each(products)('$mode, the icon is a shape, whatever is done to its colours', async ({ mode, iconFilter }) => {
    await start(mode);
    page = await browser.newPage({ viewport: { width: 48, height: 48 } });
    const icon = getToolIcon(running.lti.url, { tintsIcons: iconFilter !== null });
    const style = iconFilter === null ? '' : `filter: ${iconFilter}`;
    await page.setContent(`<body style="margin:0;background:#808080"><img src="${icon}" width="48" style="${style}">`);
    await page.locator('img').evaluate((image: HTMLImageElement) => image.decode());
    const { data } = await sharp(await page.screenshot())
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const changed = data.filter((grey) => Math.abs(grey - 0x80) > 16).length / data.length;
    expect(changed).toBeGreaterThan(0.1);
    // A square of one colour says nothing.
    if (iconFilter !== null) expect(changed).toBeLessThan(0.7);
  });
});
