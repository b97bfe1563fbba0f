/// <reference lib="dom" />
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { grading, type OpenedObject, openObject } from '../faces/lti/object/open-object.ts';
import { type PickerHost, startPicker } from '../faces/lti/picker/open-picker.ts';
import { fullObject } from '../fakes/learning-service.ts';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { draw } from '../helpers/draw.ts';
import { expectGoodLooks } from '../helpers/looks.ts';

/** Frames that platforms were seen to give, in CSS pixels: Moodle's dialog on a phone and beside a
 *  course, an activity on a phone, a small laptop, a desktop. */
const frames = [
  { width: 340, height: 255 },
  { width: 390, height: 600 },
  { width: 770, height: 578 },
  { width: 844, height: 390 },
  { width: 1366, height: 575 },
  { width: 1280, height: 900 },
];

/** Each frame in one of the languages, unless the run is a full one. */
const drawLooks = (what: string) =>
  frames.flatMap((frame) =>
    draw(['en', 'fr'], `${what} in ${frame.width}×${frame.height}`).map((locale) => ({ ...frame, locale })),
  );

const place = async (seen: Locator) => {
  const box = await seen.boundingBox();
  if (box === null) throw new Error(`${seen} is not shown`);
  return { ...box, bottom: box.y + box.height, right: box.x + box.width };
};

describe.skipIf(!hasBrowser())('in the frames that platforms give', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(() => page?.close());

  describe('the picker', () => {
    let host: PickerHost;
    beforeAll(async () => {
      host = await startPicker();
    });
    afterAll(() => host?.close());

    const search = async (within: Page | Frame) => {
      await within.fill('#q', 'Go');
      await within.press('#q', 'Enter');
      await within.waitForSelector('#results .card');
    };

    test.each(drawLooks('results'))(
      'shows a whole result and what to add, in $width×$height, $locale',
      async ({ locale, ...size }) => {
        page = await host.open(browser, { locale }, size);
        const add = page.locator('[data-tray-choose]');
        expect(await add.isDisabled()).toBe(true);
        await search(page);
        const [tray, button, card] = [page.locator('.tray-bar'), add, page.locator('#results .card').first()];
        const [bar, shown, result] = await Promise.all([tray, button, card].map(place));
        const isBeside = bar!.x > result!.right;
        expect(result!.y).toBeGreaterThan(0);
        expect(result!.bottom).toBeLessThanOrEqual(isBeside ? size.height : bar!.y);
        // As wide as there is room.
        expect(result!.right).toBeGreaterThan((isBeside ? bar!.x : size.width) - 32);
        expect(shown!.bottom).toBeLessThanOrEqual(size.height);
        expect(shown!.right).toBeLessThanOrEqual(size.width);
        if (size.height < 500) expect(result!.y).toBeLessThanOrEqual(size.height / 3);

        for (const letter of ['a', 'b', 'c'])
          await page.locator(`#results [data-title="Go ${letter}"] [data-add]`).click();
        expect(await add.textContent()).toBe(locale === 'fr' ? 'Ajouter 3 au cours' : 'Add 3 to the course');
        expect(await add.isEnabled()).toBe(true);
        // One line, with all of its buttons in it.
        const inBar = await Promise.all(
          (await page.locator('.tray-bar > button:visible').all()).map((each) => place(each)),
        );
        expect(new Set(inBar.map(({ y, height }) => Math.round(y + height / 2))).size).toBe(1);
        expect(Math.max(...inBar.map(({ height }) => height))).toBeLessThanOrEqual(45);
        expect(Math.max(...inBar.map(({ right }) => right))).toBeLessThanOrEqual(size.width);
        await expectGoodLooks(page, page, [size]);
      },
    );

    test.each(['en', 'fr'])('has one line for what replaces an object, in %s', async (locale) => {
      const resourceLink = { id: 'link', title: null, description: null };
      const size = { width: 340, height: 255 };
      page = await host.open(browser, { locale, deepLinking: null, resourceLink }, size);
      const buttons = await page.locator('.tray-bar > button').all();
      for (const { right, height } of await Promise.all(buttons.map(place))) {
        expect(right).toBeLessThanOrEqual(size.width);
        expect(height).toBeLessThanOrEqual(45);
      }
    });

    test('has a menu in place of tabs where the frame is low', async () => {
      page = await host.open(browser, {}, { width: 340, height: 255 });
      expect(await page.isVisible('[role=tablist][aria-label="Ways to choose"]')).toBe(false);
      await page.getByRole('combobox', { name: 'Ways to choose' }).selectOption('Plans');
      expect(await page.isVisible('#plan-text')).toBe(true);
      await page.setViewportSize({ width: 770, height: 578 });
      expect(await page.getByRole('tab', { selected: true }).first().textContent()).toBe('Plans');
      await page.getByRole('tab', { name: 'Search' }).click();
      await page.setViewportSize({ width: 340, height: 255 });
      expect(await page.inputValue('.tabs-menu')).toBe('tab-search');
    });

    test('can be filtered where the frame is low', async () => {
      page = await host.open(browser, {}, { width: 340, height: 255 });
      await search(page);
      expect(await page.isVisible('#provider')).toBe(false);
      await page.click('#filter-box > summary');
      expect(await page.isVisible('#provider')).toBe(true);
      await page.locator('#price').scrollIntoViewIfNeeded();
      const [field, bar] = [await place(page.locator('#price')), await place(page.locator('.tray-bar'))];
      expect(field.bottom).toBeLessThanOrEqual(bar.y);
    });

    test.each([{ width: 770 }, { width: 1100 }])(
      'keeps what adds in sight where a dialog shows only a part of it, $width wide',
      async ({ width }) => {
        const course = await startCourse(`
          <div id="dialog" style="width:${width}px;height:400px;overflow:auto">
            <h1 style="height:60px">Select content</h1>
            <iframe style="width:${width - 20}px;height:578px;border:0" src="FRAME"></iframe>
          </div>`);
        const launch = await host.launchToken({ platformOrigin: course.url });
        page = await browser.newPage({ viewport: { width: 1366, height: 650 } });
        const address = `${host.url}/lti/picker?launch=${launch}`;
        await page.goto(`${course.url}/?${new URLSearchParams({ frame: address })}`);
        const picker = page.frame({ url: /\/lti\/picker/ })!;
        await search(picker);
        const add = picker.locator('[data-tray-choose]');
        const dialog = await place(page.locator('#dialog'));
        const isInSight = async () => {
          const { y, bottom } = await place(add);
          return y >= dialog.y && bottom <= dialog.bottom;
        };
        await expect.poll(isInSight).toBe(true);
        await page.locator('#dialog').evaluate((element) => element.scrollTo(0, 120));
        await expect.poll(isInSight).toBe(true);
        course.server.close();
      },
    );
  });

  describe('an object', () => {
    let video: OpenedObject;
    let elsewhere: OpenedObject;
    beforeAll(async () => {
      const url = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
      [video, elsewhere] = await Promise.all([
        openObject({ object: { ...fullObject, url } }),
        openObject({ title: 'Week 1: a title that is long enough to need a second line on a phone' }),
      ]);
    });
    afterAll(async () => {
      await Promise.all([video?.close(), elsewhere?.close()]);
    });

    async function open(
      opened: OpenedObject,
      { locale, ...viewport }: (typeof frames)[number] & { readonly locale: string },
    ) {
      const user = { id: `${viewport.width}-${locale}`, name: null, email: null };
      const launch = await opened.launch({ locale, grading, user });
      page = await browser.newPage({ viewport });
      await page.context().route('https://**', (route) => route.fulfill({ body: '' }));
      // It would say above all else that the search of the tests does not find the object.
      await page.route('**/lti/object/similar', (route) => route.abort());
      await page.goto(`${opened.url}/lti/object?launch=${launch}`);
      return place(page.locator('.done-form button'));
    }

    test.each(drawLooks('a video'))('is shown with what ends it, in $width×$height, $locale', async (look) => {
      await open(video, look);
      const bottom = async (selector: string) => (await place(page.locator(selector))).bottom;
      await expect.poll(() => bottom('.done-form button')).toBeLessThanOrEqual(look.height);
      const player = await place(page.locator('.object-frame iframe'));
      expect(player.height).toBeLessThanOrEqual((player.width * 9) / 16 + 1);
      expect(player.height).toBeGreaterThanOrEqual(100);
      await page.click('.done-form button');
      await page.locator('.done-mark').waitFor();
      await expect.poll(() => bottom('.done-state')).toBeLessThanOrEqual(look.height);
      await expectGoodLooks(page, page, [look]);
    });

    test.each(drawLooks('a link'))(
      'of another site has its two buttons in sight, in $width×$height, $locale',
      async (look) => {
        const { bottom } = await open(elsewhere, look);
        expect(bottom).toBeLessThanOrEqual(look.height);
        const door = await place(page.locator('.object-door .button'));
        expect(door.bottom).toBeLessThan(bottom);
      },
    );

    test('takes the height that a platform gives it for the asking, and asks no more', async () => {
      const course = await startCourse(`
        <iframe id="tool" style="width:770px;height:300px;border:0" src="FRAME"></iframe>
        <script>addEventListener('message', ({ data }) => {
          if (data.subject !== 'lti.frameResize') return;
          (window.asked ??= []).push(data.height);
          tool.style.height = data.height + 'px';
        })</script>`);
      const launch = await video.launch({ platformOrigin: course.url });
      page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
      await page.context().route('https://**', (route) => route.fulfill({ body: '' }));
      const address = `${video.url}/lti/object?launch=${launch}`;
      await page.goto(`${course.url}/?${new URLSearchParams({ frame: address })}`);
      const player = page.frameLocator('#tool').locator('.object-frame iframe');
      const isWhole = async () => {
        const { width, height } = await place(player);
        return Math.abs(height - (width * 9) / 16) <= 1;
      };
      await expect.poll(isWhole).toBe(true);
      await page.waitForLoadState('networkidle');
      const asked = await page.evaluate(() => (window as unknown as { asked: number[] }).asked);
      expect(asked.length).toBeLessThan(8);
      course.server.close();
    });
  });
});

/** A page of a platform, with the frame that the address asks for. */
async function startCourse(body: string): Promise<{ url: string; server: Server }> {
  const server = createServer(({ url }, response) => {
    const address = new URL(url ?? '', 'http://course').searchParams.get('frame') ?? '';
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Course</title>${body.replace('FRAME', address.replaceAll('&', '&amp;'))}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
