import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_TENANT, initialDefaults } from '../../../../src/domain/tenant.ts';
import type { Browsing } from '../../../../src/services/searching/browsing.ts';
import { aConcept, anObject, openService, writeCatalog } from '../../../adapters/local/services.ts';
import { fullObject, handlersOf } from '../../../fakes/learning-service.ts';
import { hasBrowser, launchBrowser } from '../../../helpers/browser.ts';
import { expectGoodLooks } from '../../../helpers/looks.ts';
import { tester } from '../../../helpers/open-services.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { type RunningLti, startLti } from '../start-lti.ts';

let lti: RunningLti;
beforeEach(async () => {
  lti = await startLti();
});
afterEach(() => lti.close());

/** A real engine over a small catalogue, in place of the one that knows only words. */
function browseShop(): void {
  const folder = makeTempDir();
  const about = (id: string, keyword: string, more: object = {}) =>
    anObject(id, { title: `Lesson ${id}`, keywords: [keyword], ...more });
  writeCatalog(folder, {
    objects: [
      ...Array.from({ length: 12 }, (_, i) => about(`p${i}`, 'python')),
      about('fr', 'python', { lang: 'fr', popularity: 0.1 }),
      about('law', 'contracts', { title: 'Lesson law: contracts', type: ['video'] }),
      about('odd', 'oddities'),
    ],
    concepts: [aConcept('own:python', 'Python'), aConcept('own:contracts', 'contracts')],
    fields: [
      { id: '04', labels: { en: 'Business', fr: 'Gestion' }, concepts: [] },
      { id: '042', labels: { en: 'Law', fr: 'Droit' }, concepts: ['own:contracts'] },
      { id: '06', labels: { en: 'Computing', fr: 'Informatique' }, concepts: ['own:python'] },
      { id: '99', labels: { en: 'Other', fr: 'Autres' }, concepts: [] },
    ],
  });
  const service = openService(folder, makeTempDir());
  onTestFinished(() => service.close());
  const names = ['searchMany', 'browse', 'listProviders', 'listTypes', 'listLanguages'] as const;
  Object.assign(lti.services.local, handlersOf(service.learning, ...names));
}

async function text(path: string, overrides = {}): Promise<string> {
  const token = await lti.launchToken(overrides);
  const response = await fetch(`${lti.url}/lti${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return response.text();
}

const titlesOf = (html: string) => [...html.matchAll(/data-title="([^"]*)"/g)].map(([, title]) => title);

describe('an empty search field', () => {
  test('offers fields and skills, in the language of the launch', async () => {
    browseShop();
    const page = await text('/picker', { locale: 'fr' });
    expect(page).toContain('data-topic="06">Informatique <span class="facet">13</span>');
    expect(page).toContain('data-topic="own:python">Python <span class="facet">1</span>');
    expect(page.indexOf('data-topic="99"')).toBeGreaterThan(page.indexOf('data-topic="06"'));
  });

  test('offers what the defaults of the tenant leave', async () => {
    browseShop();
    const { version } = await lti.services.tenants.getTenant(DEFAULT_TENANT);
    const defaults = { ...initialDefaults, lang: 'fr' };
    await lti.services.tenants.changeTenant(tester, DEFAULT_TENANT, { version, defaults });
    expect(await text('/picker')).toContain('data-topic="06">Computing <span class="facet">1</span>');
  });

  test('offers the objects that are in most courses', async () => {
    const { browsingOf } = lti.deps;
    const listUsed: Browsing['listUsed'] = async () => [{ object: fullObject, courses: 3 }];
    Object.assign(lti.deps, { browsingOf: (id: string) => ({ ...browsingOf(id), listUsed }) });
    const page = await text('/picker');
    expect(page).toContain('Most used in courses here');
    expect(titlesOf(page)).toEqual([fullObject.title]);
  });

  test('offers no fields where the service cannot be browsed', async () => {
    const page = await text('/picker');
    expect(page).not.toContain('data-topic');
    expect(page).not.toContain('data-browses');
    expect(await text('/picker/results?topic=06')).toContain('data-field="q"');
  });
});

describe('browsing', () => {
  test('lists the cards of a topic with facets, the language of the launch first', async () => {
    browseShop();
    const page = await text('/picker/results?topic=06', { locale: 'fr' });
    expect(page).toContain('13 ressources, dont 1 en français');
    expect(titlesOf(page)[0]).toBe('Lesson fr');
    expect(page).toContain('data-facets="{&quot;provider&quot;:{&quot;school&quot;:13}');
    expect(page).toMatch(/data-topic="all">Toutes[^<]*<\/button> › <strong>Informatique/);
    expect(page).toContain('data-topic="06 own:python">Python');
  });

  test('lists the preferred language of the tenant first', async () => {
    browseShop();
    const { version } = await lti.services.tenants.getTenant(DEFAULT_TENANT);
    const defaults = { ...initialDefaults, prefer: 'fr' };
    await lti.services.tenants.changeTenant(tester, DEFAULT_TENANT, { version, defaults });
    const page = await text('/picker/results?topic=06');
    expect(page).toContain('13 resources, 1 in French');
    expect(titlesOf(page)[0]).toBe('Lesson fr');
  });

  test('has several pages', async () => {
    browseShop();
    const [first, second] = [await text('/picker/results?topic=06'), await text('/picker/results?topic=06&page=1')];
    const titles = [...titlesOf(first), ...titlesOf(second)];
    expect(new Set(titles).size).toBe(13);
    expect(first).toContain('data-more="1"');
    expect(second).not.toContain('data-more');
  });

  test('combines topics and filters', async () => {
    browseShop();
    expect(titlesOf(await text('/picker/results?topic=06+own:python&lang=fr'))).toEqual(['Lesson fr']);
    expect(titlesOf(await text('/picker/results?type=video'))).toEqual(['Lesson law: contracts']);
    expect(await text('/picker/results?topic=06+own:contracts')).toContain('Nothing here yet');
  });

  test('shows all objects without a topic, and links to fields', async () => {
    browseShop();
    expect(await text('/picker/results?topic=all')).toContain('15 resources');
    const page = await text('/picker/results?topic=04');
    expect(page).toContain('data-topic="042">Law <span class="facet">1</span>');
    expect(await text('/picker/results?topic=042')).toMatch(/data-topic="04">Business<\/button> › <strong>Law/);
  });

  test('ignores an unknown topic', async () => {
    browseShop();
    expect(await text('/picker/results?level=hard')).toContain('15 resources');
  });
});

test.skipIf(!hasBrowser())('a teacher browses, filters, goes back by a reload, and searches', async () => {
  browseShop();
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 770, height: 578 }, locale: 'en' });
  await page.goto(`${lti.url}/lti/picker?launch=${await lti.launchToken()}`);
  const titleIs = (words: string) => page.waitForSelector(`#results-title:has-text("${words}")`);
  await expectGoodLooks(page);

  await page.locator('.browse-start [data-topic="06"]').click();
  await titleIs('13 resources');
  await expectGoodLooks(page);
  expect(new URL(page.url()).searchParams.get('topic')).toBe('06');
  await page.click('#filter-box > summary');
  await page.selectOption('#lang', 'fr');
  await titleIs('1 resource');

  await page.reload();
  await titleIs('1 resource');
  expect(await page.locator('.browse-path strong').textContent()).toBe('Computing');

  await page.fill('#q', 'lesson');
  await page.press('#q', 'Enter');
  await titleIs('“lesson”');
  expect(new URL(page.url()).searchParams.has('topic')).toBe(false);
  await page.fill('#q', '');
  await page.press('#q', 'Enter');
  await titleIs('1 resource');
  await page.click('#filter-box > summary');
  await page.selectOption('#lang', '');
  await titleIs('15 resources');
});
