/// <reference lib="dom" />
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../helpers/browser.ts';
import { type HostProcess, startHostProcess } from '../helpers/host-process.ts';
import { expectGoodLooks, sizes } from '../helpers/looks.ts';

interface Need {
  /** What is clicked, from the front page on. */
  readonly path: readonly string[];
  /** Three cards of the first page and more say so, in the reader's language. */
  readonly says: RegExp;
}

/** Of the needs that `bench/needs` judges by, ten that are common, in both languages. */
const needs: Readonly<Record<'en' | 'fr', Readonly<Record<string, Need>>>> = {
  en: {
    python: {
      path: ['Computing and digital skills', 'Programming and software', 'Python'],
      says: /python/i,
    },
    'excel formulas': {
      path: ['Computing and digital skills', 'Using computers and office software', 'Use spreadsheets'],
      says: /excel|spreadsheet|sheets/i,
    },
    'machine learning': {
      path: ['Computing and digital skills', 'Data and artificial intelligence', 'Machine learning'],
      says: /learning|network|model/i,
    },
    'cyber security awareness': {
      path: ['Computing and digital skills', 'Networks, databases and security', 'Cybersecurity'],
      says: /secur|attack|hack|crypt/i,
    },
    'project management': {
      path: ['Business, administration and law', 'Business and management', 'Project management'],
      says: /project|agile|scrum/i,
    },
    leadership: {
      path: ['Business, administration and law', 'Business and management', 'Leadership'],
      says: /lead|manag|team|boss|crisis|executive|inspire/i,
    },
    'accounting basics': {
      path: ['Business, administration and law', 'Business and management', 'Accounting'],
      says: /account|book|financ|audit|tax/i,
    },
    'intro to statistics': {
      path: ['Science and mathematics', 'Mathematics and statistics', 'Statistics'],
      says: /stat|data/i,
    },
    'mental health at work': {
      path: ['Health and social care', 'Health and care', 'Mental health'],
      says: /mental|stress|anxi|depress|psych|well-being|suicid|mind|health/i,
    },
    'how to write a resume': {
      path: ['Everyday skills and personal growth', 'Personal skills and career', 'Look for a job'],
      says: /job|career|cv|resume|interview|hire|work/i,
    },
  },
  fr: {
    'python débutant': {
      path: ['Informatique et numérique', 'Programmation et logiciels', 'Python'],
      says: /python/i,
    },
    'formation excel': {
      path: ['Informatique et numérique', 'Utiliser un ordinateur, bureautique', 'Utiliser un tableur'],
      says: /excel|tableur|calc|sheets/i,
    },
    'intelligence artificielle générative': {
      path: ['Informatique et numérique', 'Données et intelligence artificielle', 'IA générative'],
      says: /ia|gpt|génér|langage|intelligence/i,
    },
    cybersécurité: {
      path: ['Informatique et numérique', 'Réseaux, bases de données et sécurité', 'Cybersécurité'],
      says: /cyber|sécur|attaque|crypt|pirat|vulnér|anssi/i,
    },
    'mooc gestion de projet': {
      path: ['Gestion, commerce et droit', 'Gestion et commerce', 'Gestion de projet'],
      says: /projet|agile|scrum/i,
    },
    'créer son entreprise': {
      path: ['Gestion, commerce et droit', 'Gestion et commerce', 'Entrepreneuriat'],
      says: /entrepr|start-?up|créer|fond/i,
    },
    comptabilité: {
      path: ['Gestion, commerce et droit', 'Gestion et commerce', 'Comptabilité'],
      says: /compta|compte|financ|bilan/i,
    },
    statistiques: {
      path: ['Sciences et mathématiques', 'Mathématiques et statistiques', 'Statistique'],
      says: /statist|données|paradoxe|probab/i,
    },
    sst: {
      path: ['Santé et action sociale', 'Santé et soins', 'Premiers secours'],
      says: /secour|urgence|sst|gestes/i,
    },
    'développeur web': {
      path: ['Informatique et numérique', 'Programmation et logiciels', 'Développement web'],
      says: /web|html|css|javascript|site|php|react|angular|vue|front/i,
    },
  },
};

describe.skipIf(!hasBrowser())('a newcomer finds by browsing alone', () => {
  let host: HostProcess;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    [host, browser] = await Promise.all([startHostProcess(), launchBrowser()]);
  });
  afterEach(() => context?.close());
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });

  async function open(locale: string, path: string): Promise<void> {
    context = await browser.newContext({ locale });
    page = await context.newPage();
    await page.goto(host.url + path);
  }

  test.each(['en', 'fr'] as const)('three objects for each of ten needs: %s', async (locale) => {
    await open(locale, '/');
    const found: Record<string, readonly string[]> = {};
    for (const [need, { path, says }] of Object.entries(needs[locale])) {
      await page.goto(`${host.url}/`);
      for (const name of path) {
        const link = page
          .locator('main a')
          .filter({ hasText: new RegExp(`^\\s*${name}\\s*[\\d\\s,.]*$`), visible: true })
          .first();
        await page.waitForLoadState();
        // Among all skills, where it is none of the first.
        if ((await link.count()) === 0) await page.locator('.topic-skills summary').click();
        await link.click();
      }
      const cards = await page.locator('ol.results > li').evaluateAll((items) =>
        items.map((item) => ({
          text: item.textContent ?? '',
          title: item.querySelector('h3')?.textContent ?? '',
          lang: item.querySelector('h3')?.lang,
        })),
      );
      const fitting = cards.filter(({ text, lang }) => says.test(text) && lang === locale);
      found[need] = cards.map(({ title }) => title.trim());
      expect(fitting.length, `${need}: ${found[need].join(' | ')}`).toBeGreaterThanOrEqual(3);
    }
  });

  test.each([
    '/browse',
    '/browse?topic=0613&lang=fr',
    '/browse?topic=041',
    '/browse?provider=openlearn&page=1',
    '/browse?topic=none',
  ])('axe finds nothing, and nothing is wider than the window: %s', async (path) => {
    await open('fr', path);
    await page.locator('.topic-skills details').evaluateAll((all) => {
      for (const skills of all) (skills as HTMLDetailsElement).open = true;
    });
    await expectGoodLooks(page);
  });

  test('by filters and pages, and the address is the place', async () => {
    await open('en', '/browse?topic=06');
    expect(await page.getByRole('button', { name: 'Apply' }).count()).toBe(0);
    await page.getByLabel('Language', { exact: true }).focus();
    await page.getByLabel('Language', { exact: true }).selectOption('fr');
    await page.waitForURL(/topic=06.*lang=fr/);
    // The page is the same one: the list, its skills and the heading follow the choice.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('lang');
    expect(await page.locator('h1').textContent()).toBe('Computing and digital skills · French');
    await expect.poll(() => page.locator('#announcement').textContent()).toMatch(/^[\d,]+ resources$/);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL(/page=1/);
    const shown = await page.locator('.card h3').allTextContents();
    await page.goto(page.url());
    expect(await page.locator('.card h3').allTextContents()).toEqual(shown);
    const languages = await page
      .locator('.card h3')
      .evaluateAll((titles) => titles.map((title) => (title as HTMLElement).lang));
    expect(new Set(languages)).toEqual(new Set(['fr']));
  });

  test('without JavaScript all skills are there, and the filters wait for “Show”', async () => {
    context = await browser.newContext({ locale: 'en', javaScriptEnabled: false });
    page = await context.newPage();
    await page.goto(`${host.url}/browse?topic=041`);
    const team = page.locator('.topic-skills').getByRole('link', { name: /^Manage teams/ });
    expect(await team.isVisible()).toBe(false);
    await page.getByText(/^All \d+ skills$/).click();
    expect(await team.isVisible()).toBe(true);
    await page.getByLabel('Language', { exact: true }).selectOption('fr');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/topic=041.*lang=fr/);
  });

  test.each(Object.entries(sizes))('skills are whole, and leave room for the list: %s', async (_, size) => {
    await open('fr', '/browse?topic=0611');
    await page.setViewportSize(size);
    await page.reload();
    const cut = await page.locator('.topic-skills').evaluate((nav) => nav.scrollHeight - nav.clientHeight);
    expect(cut).toBe(0);
    const place = await page.locator('#results-title').boundingBox();
    expect(place!.y + place!.height).toBeLessThan(size.height);
  });

  test('a skill counts what is in the reader’s language', async () => {
    await open('en', '/browse?topic=0611');
    const chip = page.locator('.topic-skills a').first();
    const count = Number((await chip.locator('.quiet').textContent())?.replace(',', ''));
    await chip.click();
    await page.waitForURL(/topic=0611&topic=/);
    expect(await page.locator('#results-title').textContent()).toContain(`, ${count} in English`);
  });

  test('where filters leave nothing, one of them can be dropped', async () => {
    await open('en', '/browse?topic=0611&topic=skilldock%3Ause-spreadsheets&level=advanced&lang=fr');
    expect(await page.locator('#results-title').textContent()).toBe('Nothing here yet');
    expect(await page.locator('.topic-skills a').count()).toBeGreaterThan(3);
    await expectGoodLooks(page);
    const link = page.getByRole('link', { name: /^all levels \(\d+\)$/ });
    const count = (await link.textContent())?.match(/\d+/)?.[0];
    await link.click();
    await page.waitForURL((url) => !url.search.includes('level='));
    expect(await page.locator('#results-title').textContent()).toBe(`${count} resources`);
  });

  test('a provider’s tile leads to what it offers', async () => {
    await open('en', '/browse');
    await page.locator('.logos a[title="OpenLearn"]').click();
    await page.waitForURL(/\/browse\?provider=openlearn/);
    const makers = await page.locator('.card .by strong').allTextContents();
    expect(new Set(makers)).toEqual(new Set(['OpenLearn']));
  });
});
