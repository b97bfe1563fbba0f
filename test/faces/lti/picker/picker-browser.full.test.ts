/// <reference lib="dom" />
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import type { LearningObjectQuery } from '../../../../src/domain/learning-object-query.ts';
import type { SearchAnswer } from '../../../../src/ports/learning-service.ts';
import { fullObject, KNOWN_REQUEST_ID } from '../../../fakes/learning-service.ts';
import { hasBrowser, launchBrowser } from '../../../helpers/browser.ts';
import { expectGoodLooks, sizes } from '../../../helpers/looks.ts';
import { type RunningLti, startLti } from '../start-lti.ts';

const TOTAL = 75;

/** As many as there are for any words; those that are free are every second one. */
function search(query: LearningObjectQuery): SearchAnswer {
  const all = Array.from({ length: TOTAL }, (_, i) => objectAt(i));
  const fitting = query.free === undefined ? all : all.filter((_, i) => i % 2 === 0);
  const from = query.page * query.max;
  return {
    requestId: KNOWN_REQUEST_ID,
    content: query.keywords === 'nothing' ? [] : fitting.slice(from, from + query.max),
    page: query.page,
    itemsPerPage: query.max,
    totalItems: query.keywords === 'nothing' ? 0 : fitting.length,
    hasMore: query.keywords !== 'nothing' && from + query.max < fitting.length,
    quality: 'A00',
    facets: {
      provider: new Map([['youtube', fitting.length]]),
      type: new Map([['mooc', fitting.length]]),
      bloom: new Map(),
      lang: new Map(),
    },
  };
}

function objectAt(i: number): LearningObject {
  const { picture: _, ...rest } = fullObject;
  return { ...rest, title: `Object ${i + 1}`, url: `https://example.org/${i + 1}` };
}

/** What the browser code makes of the picker. */
describe.skipIf(!hasBrowser())('the picker in a browser', () => {
  let browser: Browser;
  let context: BrowserContext;
  let lti: RunningLti;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    complaints.length = 0;
    lti = await startLti();
    const { listProviders } = lti.services.local;
    Object.assign(lti.services.local, {
      searchMany: async (query: LearningObjectQuery) => {
        lti.services.local.calls.searches.push(query);
        return search(query);
      },
      // Their logos are nowhere.
      listProviders: async () => (await listProviders({}, {})).map((provider) => ({ ...provider, logos: [] })),
      listTypes: async () => ['mooc', 'training'].map((value) => ({ value, description: value })),
    });
    context = await browser.newContext({ viewport: sizes.dialog, locale: 'en' });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });
  afterEach(async () => {
    await context.close();
    await lti.close();
  });

  async function open(locale = 'en'): Promise<void> {
    await page.goto(`${lti.url}/lti/picker?launch=${await lti.launchToken({ locale })}`);
  }

  const searchFor = async (words: string) => {
    await page.fill('#q', words);
    await page.press('#q', 'Enter');
    await page.waitForSelector('#results[aria-busy="false"] #results-title');
  };
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
  const said = (words: RegExp) =>
    page.waitForFunction(
      ([source]) => new RegExp(source!).test(document.querySelector('#status')?.textContent ?? ''),
      [words.source],
    );
  const shown = () => page.locator('#cards .group > ol > li').count();
  const lastSearch = () => lti.services.local.calls.searches.at(-1)!;

  test('completes words, searches and previews by keyboard alone', async () => {
    await open();
    await page.focus('#q');
    await page.keyboard.type('pyth');
    await page.waitForSelector('#completions option', { state: 'attached' });
    expect(await page.getAttribute('#completions option', 'value')).toBe('python course');
    await page.keyboard.type('on course');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#results-title');
    expect(await page.inputValue('#q')).toBe('python course');
    expect(await focused()).toBe('75 resources for “python course”');

    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Object 1');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#preview-title');
    expect(await focused()).toBe('Object 1');
    expect(await page.textContent('#preview .details')).toContain('1 h 30 min');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#preview', { state: 'hidden' });
    await expect.poll(focused).toBe('Object 1');
    await expect.poll(() => page.locator('#preview article').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('searches at once when a filter changes, counts filters, and removes them with one button', async () => {
    await open();
    await searchFor('python');
    await page.click('#filter-box > summary');
    await page.focus('#price');
    await page.selectOption('#price', 'free');
    await said(/^38 resources/);
    expect(lastSearch().free).toBe(true);
    expect(await page.textContent('#filter-count')).toBe('1');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('price');

    expect(await page.isVisible('#address')).toBe(false);
    await page.selectOption('#type', 'training');
    expect(await page.isVisible('#address')).toBe(true);
    await page.click('.filter-more > summary');
    await page.check('[name="bloom"][value="Understand"]');
    await expect.poll(() => lastSearch().blooms).toEqual(['Understand']);
    expect(await page.textContent('#filter-count')).toBe('3');

    await page.click('#filter-reset');
    await page.waitForFunction(() => document.querySelector('#results-title')?.textContent?.startsWith('75 '));
    expect(await page.inputValue('#q')).toBe('python');
    expect(await page.isVisible('#filter-count')).toBe(false);
    expect(lastSearch()).not.toHaveProperty('free');
  });

  test('shows the number of objects of each choice, and hides empty ones', async () => {
    await open();
    const option = (value: string) =>
      page.$eval(`#provider [value="${value}"]`, (element) => {
        const { text, hidden } = element as HTMLOptionElement;
        return { text, hidden };
      });
    expect(await option('openlearn')).toEqual({ text: 'OpenLearn', hidden: false });
    await searchFor('python');
    expect(await option('openlearn')).toEqual({ text: 'OpenLearn (0)', hidden: true });
    expect(await option('youtube')).toEqual({ text: 'YouTube (75)', hidden: false });
    await page.click('#filter-box > summary');
    await page.selectOption('#provider', 'youtube');
    await expect.poll(() => lastSearch().providers).toEqual(['youtube']);
    expect(lastSearch().important).toEqual(new Set(['provider']));
  });

  test('loads more results near the end, then by the button', async () => {
    await open();
    await searchFor('python');
    expect(await shown()).toBe(10);
    for (let i = 0; i < 4; i++) {
      const before = await shown();
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await page.waitForFunction(
        (count) => document.querySelectorAll('#cards .group > ol > li').length > count,
        before,
      );
    }
    await expect.poll(shown).toBe(50);
    await page.focus('[data-more]');
    await page.keyboard.press('Enter');
    await expect.poll(shown).toBe(60);
    await said(/10 more loaded, 60 in total/);
    expect(await focused()).toBe('Object 51');
    await page.click('[data-more]');
    await expect.poll(shown).toBe(70);
    await page.click('[data-more]');
    await page.waitForSelector('#more:has-text("No more results")');
    expect(await shown()).toBe(TOTAL);
  });

  test('shows a problem in place, and keeps what was typed', async () => {
    await open();
    await searchFor('python');
    await context.setOffline(true);
    await page.fill('#q', 'java');
    await page.press('#q', 'Enter');
    await page.waitForSelector('#results .problem');
    await said(/cannot be reached/);
    expect(await page.inputValue('#q')).toBe('java');
    await context.setOffline(false);
    await searchFor('java');
    expect(await shown()).toBe(10);
    await page.fill('#q', '');
    await page.press('#q', 'Enter');
    await page.waitForSelector('#q[aria-invalid="true"]');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
  });

  test('begins a search with the course title, and changes it with similar terms', async () => {
    await open();
    await page.click('#start [data-search="Introduction to Python"]');
    await page.waitForSelector('#results-title');
    expect(await page.inputValue('#q')).toBe('Introduction to Python');
    expect(await page.isVisible('#start')).toBe(false);
    await page.click('#similar [data-narrow="Snakes"]');
    await expect.poll(() => lastSearch().keywords).toBe('Introduction to Python Snakes');
    await page.click('#similar [data-search="Python"]');
    await expect.poll(() => lastSearch().keywords).toBe('Python');
  });

  test.each(['en', 'fr', 'de', 'es'])('no tab lies below the corner, however wide the window: %s', async (locale) => {
    await open(locale);
    const findHidden = () =>
      page.evaluate(() => {
        const listShown = (selector: string) =>
          [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
        const corner = Math.min(...listShown('.picker-corner > *').map((each) => each.getBoundingClientRect().left));
        return listShown('.tabs [role="tab"]')
          .filter((tab) => tab.getBoundingClientRect().right > corner)
          .map((tab) => tab.textContent);
      });
    for (let width = 320; width <= 1_400; width += 20) {
      await page.setViewportSize({ width, height: 800 });
      expect({ width, hidden: await findHidden() }).toEqual({ width, hidden: [] });
    }
  });

  test('has no accessibility problems and no horizontal scrolling in any size, light or dark', async () => {
    await open('fr');
    await expectGoodLooks(page);
    await searchFor('python');
    await page.click('#filter-box > summary');
    await page.click('.filter-more > summary');
    await page.selectOption('#type', 'training');
    await expect.poll(() => lastSearch().types).toEqual(['training']);
    await page.waitForSelector('#results[aria-busy="false"]');
    await page.waitForSelector('#similar .terms');
    await expectGoodLooks(page);
    await page.click('#filter-box > summary');
    await searchFor('nothing');
    await expectGoodLooks(page);
    await searchFor('python');
    await page.locator('[data-preview]').first().click();
    await page.waitForSelector('#preview-title');
    await expectGoodLooks(page);
    expect(complaints).toEqual([]);
  });
});
