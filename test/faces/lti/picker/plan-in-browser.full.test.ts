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

  const cardsOf = (skill: number) => page.locator(`#plan-skill-${skill} [data-handle]`);

  test('is made from the text of the course, and can be chosen whole or by skill', async () => {
    await openPlan();
    await page.click('[data-plan-course]');
    expect(await page.inputValue('#plan-text')).toBe('Introduction to Python');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#status:text("The plan is ready:")');
    expect(await said(page)).toBe('The plan is ready: 9 resources for 3 skills.');
    expect(await page.isVisible('[data-plan-stop]')).toBe(false);
    expect(await page.textContent('#plan-skills-title')).toBe('3 skills found');
    expect(await page.locator('#plan-skill-0 .plan-quote').textContent()).toBe('Introduction to Python');
    expect(await page.locator('.plan-quote mark').allTextContents()).toEqual(['Python']);
    await page.click('#plan-skill-1 [data-take]');
    expect(await said(page)).toBe('Added: 3. Selected: 3.');
    expect(await titlesOf(page)).toEqual(['Teaching a', 'Teaching b', 'Teaching c']);
    expect(await cardsOf(1).locator('[data-add][aria-pressed=true]').count()).toBe(3);
    await page.click('#plan-skill-1 [data-take]');
    expect(await said(page)).toBe('You have already selected all of these.');
    await page.click('[data-take-all]');
    expect(await titlesOf(page)).toHaveLength(9);
  });

  test('can be chosen for one week of a syllabus', async () => {
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
    await page.waitForSelector('#status:text("The plan is ready:")');
    await page.getByRole('button', { name: 'Add this week (Week 2: Tables)' }).click();
    expect(await titlesOf(page)).toEqual(['Tables a', 'Tables b', 'Tables c']);
    await page.getByRole('button', { name: 'Add these (Lists)' }).click();
    expect(await titlesOf(page)).toHaveLength(6);
    await page.getByRole('button', { name: 'Remove Tables' }).click();
    expect(await page.locator('.plan-week').count()).toBe(1);
    await expectGoodLooks(page);
    // As in the next section of the course.
    const launch = await host.launchToken();
    await page.goto(`${host.url}/lti/picker?${new URLSearchParams({ launch })}`);
    await page.click('#tab-plan');
    await page.locator('[data-stored-plans] [data-plan-open]').first().click();
    await page.waitForSelector('[data-stored-plan]');
    expect(await page.locator('[data-section] h3').allTextContents()).toEqual(['Week 1: Python', 'Week 2: Tables']);
  });

  test('leaves out a removed skill, and keeps the focus among the skills', async () => {
    await openPlan();
    await page.fill('#plan-text', 'We teach statistics with Python.');
    await page.click('[data-plan-make]');
    await page.waitForSelector('#status:text("The plan is ready:")');
    await page.getByRole('button', { name: 'Remove Teaching' }).press('Enter');
    expect(await said(page)).toBe('Removed: Teaching.');
    expect(await page.locator('#plan-skill-1').count()).toBe(0);
    const next = page.getByRole('button', { name: 'Remove Statistics' });
    expect(await next.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.click('[data-take-all]');
    expect(await titlesOf(page)).toHaveLength(6);
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
    await cardsOf(0).first().waitFor();
    expect(await page.textContent('#plan-skill-1')).toContain('Searching for resources');
    await page.click('[data-plan-stop]');
    await page.waitForSelector('#plan-skill-1:has-text("Not searched.")');
    expect(await page.textContent('.plan-note')).toBe('Stopped. The results so far are kept.');
    expect(await cardsOf(0).count()).toBe(3);
    expect(await page.isVisible('[data-plan-stop]')).toBe(false);
    await expect.poll(() => aborted).toBe(true);
  });

  test('is replaced by another plan while it is made', async () => {
    tagWith(['Python'], () => new Promise(() => undefined));
    await openPlan();
    await page.fill('#plan-text', 'We teach Python.');
    await page.click('[data-plan-make]');
    await page.waitForSelector('#plan-skill-0');
    tagWith(['Statistics']);
    await page.fill('#plan-text', 'We teach statistics.');
    await page.click('[data-plan-make]');
    await cardsOf(0).first().waitFor();
    await page.waitForSelector('#status:text("The plan is ready:")');
    expect(await page.textContent('#plan-skill-title-0')).toBe('Statistics');
    expect(await page.locator('.plan-note').count()).toBe(0);
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
    await page.waitForSelector('#status:text("Le plan est prêt")');
    expect(await page.textContent('#plan-skill-0')).toContain('est indisponible');
    expect(await page.isVisible('#plan-skill-0 [data-take]')).toBe(false);
    expect(await cardsOf(1).count()).toBe(3);
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
    expect(await page.locator('[data-skill]').count()).toBe(0);
  });

  test.each([
    ['en', 'Week 1: Python\nWe learn Python together.\nWeek 2: Exam\nBring your notes.', 'Week 2: Exam'],
    [
      'fr',
      'Semaine 1 : Python\nNous apprenons Python ensemble.\nSemaine 2 : Examen\nApportez vos notes.',
      'Semaine 2 : Examen',
    ],
  ])('nothing is in the way of anyone, with quotes and a week that is empty (%s)', async (locale, text, empty) => {
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
    await page.waitForSelector('#plan-skill-0 [data-handle]');
    expect(await page.locator('#plan-skill-0 .plan-quote mark').allTextContents()).toEqual(['Python']);
    const week = page.locator(`.plan-week[aria-label="${empty}"]`);
    expect(await week.locator('p.quiet').count()).toBe(1);
    expect(await week.locator('button').count()).toBe(0);
    await expectGoodLooks(page);
  });
});
