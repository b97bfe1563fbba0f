/// <reference lib="dom" />
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import type { OperationHandlers } from '../../../../src/ports/learning-service.ts';
import { hasBrowser, launchBrowser } from '../../../helpers/browser.ts';
import { expectGoodLooks } from '../../../helpers/looks.ts';
import { type PickerHost, said, search, startPicker, titlesOf } from './open-picker.ts';

/** As `search`, with objects for a French course. */
const searchFrench: typeof search = async (query) => {
  const { content, ...found } = await search(query);
  return { ...found, content: content.map((object) => ({ ...object, lang: 'fr' })) };
};

describe.skipIf(!hasBrowser())('a plan in a browser', () => {
  let browser: Browser;
  let host: PickerHost;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
    host = await startPicker();
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });
  beforeEach(() => tagWith(['Python', 'Teaching', 'Statistics']));
  afterEach(() => page?.close());

  function tagWith(tags: readonly string[], searchMany: OperationHandlers['searchMany'] = search): void {
    Object.assign(host.services.local, {
      tagger: async ({ text, lang }: { text: string; lang: string }) => {
        const at = text.indexOf('Python');
        const spans = tags.map((tag) => (tag === 'Python' && at >= 0 ? [at, at + tag.length] : null));
        return { tokenizedText: '', lang, tags, spans };
      },
      searchMany,
    });
  }

  async function openPlan(overrides?: Parameters<PickerHost['open']>[1]): Promise<void> {
    page = await host.open(browser, overrides);
    await page.click('#tab-plan');
  }

  const sectionOf = (title: string) => page.locator('[data-section]', { has: page.locator('h3', { hasText: title }) });
  const titlesOfSections = () => page.locator('[data-section] > .plan-head h3').allTextContents();
  const isStored = () => page.waitForSelector('#plan-share');

  test('is made from the text of the course, and can be chosen whole or by section', async () => {
    await openPlan();
    await page.click('[data-plan-course]');
    expect(await page.inputValue('#plan-text')).toBe('Introduction to Python');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await isStored();
    expect(await said(page)).toBe('The plan is ready and saved. Resources: 9; sections: 3.');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('stored-plan-title');
    expect(await page.isVisible('[data-plan-stop]')).toBe(false);
    expect(await page.isVisible('#plan-text')).toBe(false);
    expect(await titlesOfSections()).toEqual(['Python', 'Teaching', 'Statistics']);
    expect(await sectionOf('Python').locator('> p').first().textContent()).toBe('Introduction to Python');
    await sectionOf('Teaching').locator('[data-take]').click();
    expect(await said(page)).toBe('Added: 3. Selected: 3.');
    expect(await titlesOf(page)).toEqual(['Teaching a', 'Teaching b', 'Teaching c']);
    expect(await sectionOf('Teaching').locator('[data-add][aria-pressed=true]').count()).toBe(3);
    await sectionOf('Teaching').locator('[data-take]').click();
    expect(await said(page)).toBe('You have already selected all of these.');
    await page.click('[data-take-all]');
    expect(await titlesOf(page)).toHaveLength(9);
  });

  test('has the weeks of a syllabus, and is there in the next section of the course', async () => {
    Object.assign(host.services.local, {
      tagger: async ({ text, lang }: { text: string; lang: string }) => ({
        tokenizedText: '',
        lang,
        tags: text.includes('Python') ? ['Python', 'Lists'] : [text.includes('Lists') ? 'Lists' : 'Tables'],
      }),
    });
    await openPlan();
    await page.fill('#plan-text', 'Week 1: Python\nWeek 2: Tables');
    await page.click('[data-plan-make]');
    await isStored();
    await page.getByRole('button', { name: 'Add this section Week 2: Tables' }).click();
    expect(await titlesOf(page)).toEqual(['Tables a', 'Tables b', 'Tables c']);
    await expectGoodLooks(page);
    const launch = await host.launchToken();
    await page.goto(`${host.url}/lti/picker?${new URLSearchParams({ launch })}`);
    await page.click('#tab-plan');
    await page.locator('[data-stored-plans] [data-plan-open]').first().click();
    await isStored();
    expect(await titlesOfSections()).toEqual(['Week 1: Python', 'Week 2: Tables']);
  });

  test('shows cards while it is made, and can be stopped', async () => {
    let aborted = false;
    tagWith(['Python', 'Teaching'], (query, options) =>
      query.keywords === 'Python'
        ? search(query)
        : new Promise((_, reject) => {
            options?.signal?.addEventListener('abort', () => {
              aborted = true;
              reject(options.signal?.reason);
            });
          }),
    );
    await openPlan();
    await page.fill('#plan-text', 'We teach Python.');
    await page.click('[data-plan-make]');
    await sectionOf('Python').locator('[data-handle]').first().waitFor();
    expect(await sectionOf('Teaching').textContent()).toContain('Searching for resources');
    await expectGoodLooks(page);
    await page.click('[data-plan-stop]');
    await page.waitForSelector('[data-section]:has-text("Not searched.")');
    expect(await page.textContent('.plan-note')).toBe('Stopped. The results so far are kept.');
    expect(await sectionOf('Python').locator('[data-handle]').count()).toBe(3);
    expect(await page.isVisible('[data-plan-stop]')).toBe(false);
    await expect.poll(() => aborted).toBe(true);
  });

  test('is left for another plan while it is made', async () => {
    tagWith(['Python'], () => new Promise(() => undefined));
    await openPlan();
    await page.fill('#plan-text', 'We teach Python.');
    await page.click('[data-plan-make]');
    await sectionOf('Python').waitFor();
    await page.click('[data-plan-list]');
    tagWith(['Statistics']);
    await page.fill('#plan-text', 'We teach statistics.');
    await page.click('[data-plan-make]');
    await isStored();
    expect(await titlesOfSections()).toEqual(['Statistics']);
    expect(await page.textContent('.plan-note')).toContain('The plan is ready');
    expect(await page.isVisible('[data-plan-stop]')).toBe(false);
  });

  test('shows which skill failed, and the other skills', async () => {
    tagWith(['Python', 'Teaching'], async (query) => {
      if (query.keywords === 'Python') throw new AppError('UPSTREAM_TIMEOUT', 'Too late.');
      return searchFrench(query);
    });
    await openPlan({ locale: 'fr' });
    await page.fill('#plan-text', 'Nous enseignons Python.');
    await page.click('[data-plan-make]');
    await isStored();
    expect(await said(page)).toContain('Python: Le service de recherche est indisponible.');
    expect(await sectionOf('Python').locator('[data-take]').count()).toBe(0);
    expect(await sectionOf('Teaching').locator('[data-handle]').count()).toBe(3);
    await page.selectOption('[data-stored-plan] select[name=wish] >> nth=0', 'language');
    expect(await page.isVisible('[data-stored-plan] select[name=lang] >> nth=0')).toBe(true);
    expect(await page.isVisible('[data-stored-plan] select[name=lang] >> nth=1')).toBe(false);
  });

  test('does not send an empty text or one that is too long', async () => {
    await openPlan();
    await page.click('[data-plan-make]');
    expect(await said(page)).toBe('Paste a text first.');
    await page.fill('#plan-text', 'x'.repeat(20_001));
    expect(await page.textContent('#plan-length')).toBe(
      '20,001 characters; the limit is 20,000. Please shorten the text.',
    );
    await page.click('[data-plan-make]');
    expect(await page.getAttribute('#plan-text', 'aria-invalid')).toBe('true');
    expect(await page.locator('[data-section]').count()).toBe(0);
  });

  test.each([
    ['en', 'Week 1: Python\nWe learn Python together.\nWeek 2: Exam\nBring your notes.', 'Week 2: Exam'],
    [
      'fr',
      'Semaine 1 : Python\nNous apprenons Python ensemble.\nSemaine 2 : Examen\nApportez vos notes.',
      'Semaine 2 : Examen',
    ],
  ])('nothing is in the way of anyone, with a week that is empty (%s)', async (locale, text, empty) => {
    await openPlan({ locale });
    await expectGoodLooks(page);
    Object.assign(host.services.local, {
      tagger: async ({ text: week, lang }: { text: string; lang: string }) => {
        const at = week.indexOf('Python', week.indexOf('\n'));
        const tags = at < 0 ? [] : ['Python'];
        return { tokenizedText: '', lang, tags, spans: tags.map(() => [at, at + 'Python'.length]) };
      },
      searchMany: locale === 'fr' ? searchFrench : search,
    });
    await page.fill('#plan-text', text);
    await page.click('[data-plan-make]');
    await isStored();
    expect(await sectionOf(empty).locator('[data-take]').count()).toBe(0);
    await expectGoodLooks(page);
  });
});
