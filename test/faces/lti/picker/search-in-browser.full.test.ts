/// <reference lib="dom" />
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LearningObjectQuery } from '../../../../src/domain/learning-object-query.ts';
import type { Launch } from '../../../../src/domain/lti/launch.ts';
import { initialDefaults } from '../../../../src/domain/tenant.ts';
import type { CallOptions, SearchAnswer } from '../../../../src/ports/learning-service.ts';
import { openSmallService } from '../../../adapters/local/services.ts';
import { bareObject, handlersOf } from '../../../fakes/learning-service.ts';
import { hasBrowser, launchBrowser } from '../../../helpers/browser.ts';
import { tester } from '../../../helpers/open-services.ts';
import { type RunningLti, resourceLinkLaunch, startLti } from '../start-lti.ts';

const titles = ['python', 'python snakes', 'python snakes', 'snakes', 'java'];

/** As a service does: a word more finds more, unless every word has to be there. */
function search({ keywords, model, page, max }: LearningObjectQuery): SearchAnswer {
  const words = keywords.toLowerCase().split(' ');
  const content = titles
    .map((title, i) => ({ ...bareObject, title, url: `https://example.org/${i}` }))
    .filter(({ title }) =>
      model === 'strict' ? words.every((word) => title.includes(word)) : words.some((word) => title.includes(word)),
    );
  const counts = {
    provider: new Map([['openlearn', 2]]),
    type: new Map(),
    bloom: new Map(),
    lang: new Map(),
  };
  const counted = { page, itemsPerPage: max, totalItems: content.length, hasMore: false };
  return { requestId: 'request-1', content, ...counted, quality: 'A00', facets: counts };
}

const asTeacher = { ...resourceLinkLaunch, role: 'instructor' } as const;

describe.skipIf(!hasBrowser())('a search in a browser', () => {
  let browser: Browser;
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
      searchMany: async (query: LearningObjectQuery, options: CallOptions = {}) => {
        // What almost fits is looked for without them.
        if (options.withDetails) lti.services.local.calls.searches.push(query);
        return search(query);
      },
      listProviders: async () =>
        [{ id: 'alpha', name: 'Alpha' }, ...(await listProviders({}, {}))].map((provider) => ({
          ...provider,
          url: 'https://example.org',
          logos: [],
        })),
      listTypes: async () => ['mooc', 'training'].map((value) => ({ value, description: value })),
    });
    page = await browser.newPage({ viewport: { width: 770, height: 578 }, locale: 'en' });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
  });
  afterEach(async () => {
    await page.close();
    await lti.close();
  });

  const open = async (overrides: Partial<Launch> = {}) =>
    page.goto(`${lti.url}/lti/picker?launch=${await lti.launchToken(overrides)}`);
  const waitForResults = () => page.waitForSelector('#results[aria-busy="false"] #results-title');
  const searchFor = async (words: string) => {
    await page.fill('#q', words);
    await page.press('#q', 'Enter');
    await page.waitForSelector(`#results-title:has-text("“${words}”")`);
    await waitForResults();
  };
  const searches = () => lti.services.local.calls.searches;

  test('narrows the results with a similar term', async () => {
    await open();
    await page.waitForSelector('#start-similar .term');
    expect(await page.locator('[data-narrow]:visible').count()).toBe(0);
    await searchFor('python');
    const count = () => page.locator('#cards .group > ol > li').count();
    expect(await count()).toBe(3);
    expect(await page.locator('#similar [data-narrow="Python"]').count()).toBe(0);
    await page.click('#similar [data-narrow="Snakes"]');
    await page.waitForSelector('#results-title:has-text("Snakes")');
    await waitForResults();
    expect(await count()).toBe(2);
    await page.waitForSelector('#similar:not([aria-busy]) .term');
    expect(await page.locator('#similar [data-narrow]').count()).toBe(0);
    // Other words are searched for as the tenant's people begin.
    await searchFor('java python');
    expect(await count()).toBe(4);
  });

  test.each([
    ['en', 'Showing results for “docker”.'],
    ['fr', 'Voici les résultats pour « docker ».'],
  ])('corrects a mistyped word, and says so (%s)', async (locale, said) => {
    const { searchMany } = handlersOf(openSmallService(['Docker', 'Docker in production', 'Java']), 'searchMany');
    Object.assign(lti.services.local, { searchMany });
    await open({ locale });
    await page.fill('#q', 'dokcer');
    await page.press('#q', 'Enter');
    await page.waitForSelector(`#results >> text=${said}`);
    expect(await page.locator('#cards .group > ol > li').count()).toBe(2);
  });

  test('shows the same search after a reload', async () => {
    const { version } = await lti.services.tenants.getTenant('default');
    const defaults = { ...initialDefaults, providers: ['youtube'], lang: 'en' };
    await lti.services.tenants.changeTenant(tester, 'default', { version, defaults });
    await open();
    await searchFor('python');
    await page.click('#filter-box > summary');
    await page.selectOption('#provider', 'openlearn');
    await page.selectOption('#type', 'mooc');
    await page.selectOption('#lang', '');
    await page.selectOption('#level', 'advanced');
    await expect.poll(() => searches().at(-1)?.levelMin).toBe(0.2);
    await waitForResults();
    const before = searches().at(-1);
    searches().length = 0;
    // What is kept of a launch is not in question here.
    const address = new URL(page.url());
    address.searchParams.set('launch', await lti.launchToken());
    await page.goto(address.href);
    await waitForResults();
    expect(searches()).toEqual([before]);
    expect(await page.inputValue('#q')).toBe('python');
    expect(await page.textContent('#filter-count')).toBe('3');
    // Beginning anew is beginning as the tenant says, not as the address does.
    await page.click('#filter-box > summary');
    await page.click('#filter-reset');
    await expect.poll(() => searches().at(-1)?.providers).toEqual(['youtube']);
  });

  test('keeps a filter whose list is loaded late', async () => {
    const { listProviders } = lti.services.local;
    let answer = () => {};
    lti.services.local.listProviders = () =>
      new Promise((done) => {
        answer = () => done(listProviders({}, {}));
      });
    const query = new URLSearchParams({
      q: 'python',
      provider: 'openlearn',
      launch: await lti.launchToken(),
    });
    await page.goto(`${lti.url}/lti/picker?${query}`);
    expect(await page.getAttribute('#search', 'data-lists')).toBe('late');
    await waitForResults();
    answer();
    await expect.poll(() => page.textContent('#provider option:checked')).toMatch(/^OpenLearn/);
    expect(searches().map(({ providers }) => providers)).toEqual([['openlearn']]);
  });

  test('does not show the terms of an earlier search', async () => {
    await open();
    await searchFor('python');
    await page.waitForSelector('#similar .term');
    await page.route('**/lti/picker/similar**', (route) => route.abort());
    await searchFor('java');
    await page.waitForSelector('#similar:not([aria-busy])', { state: 'attached' });
    expect(await page.locator('#similar .term').count()).toBe(0);
  });

  test('uses a distance once there is a place', async () => {
    await open();
    await searchFor('python');
    await page.click('#filter-box > summary');
    await page.selectOption('#type', 'training');
    await page.selectOption('#distance', '50');
    await page.selectOption('#level', 'advanced');
    await expect.poll(() => searches().at(-1)?.levelMin).toBe(0.2);
    expect(searches().at(-1)).not.toHaveProperty('distanceMax');
    await page.fill('#address', 'Lyon');
    await page.press('#address', 'Tab');
    await expect.poll(() => searches().at(-1)).toMatchObject({ address: 'Lyon', distanceMax: 50 });
  });

  test('shows filters that the words imply, and removes them until the words change', async () => {
    const { searchMany } = handlersOf(openSmallService(['Docker', 'Docker in production', 'Java']), 'searchMany');
    const asked: LearningObjectQuery[] = [];
    Object.assign(lti.services.local, {
      searchMany: (query: LearningObjectQuery, options: CallOptions) => {
        asked.push(query);
        return searchMany(query, options);
      },
    });
    await open();
    await searchFor('free docker videos');
    const wishes = () => page.locator('.wish').allTextContents();
    expect(await wishes()).toEqual(['Free (remove this preference)', 'Video (remove this preference)']);
    await page.click('.wish[data-without="type"]');
    await expect.poll(wishes).toEqual(['Free (remove this preference)']);
    expect(asked.at(-1)).toMatchObject({ keywords: 'free docker videos', without: ['type'] });
    expect(new URL(page.url()).searchParams.get('without')).toBe('type');
    await searchFor('docker videos');
    expect(await wishes()).toEqual(['Video (remove this preference)']);
  });

  test('links to the selection before and after the results', async () => {
    await open();
    await searchFor('python');
    await page.waitForSelector('#similar .term');
    const order = await page.$$eval('#similar button, #results a, #results button', (elements) =>
      elements.map((element) => (element.closest('#similar') ? 'term' : element.tagName === 'A' ? 'link' : 'card')),
    );
    expect([...order.entries()].filter(([i, part]) => part !== order[i - 1]).map(([, part]) => part)).toEqual([
      'term',
      'link',
      'card',
      'link',
    ]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the selection');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('tray');
  });

  test('draws no line through the preview of a chosen object', async () => {
    await open();
    await searchFor('python');
    await page.locator('#cards [data-add]').first().click();
    await page.locator('#cards [data-preview]').first().click();
    await page.waitForSelector('#preview [data-add][aria-pressed="true"]');
    expect(await page.$eval('.preview', (element) => getComputedStyle(element).boxShadow)).toBe('none');
    expect(complaints).toEqual([]);
  });

  describe('the picker in a frame', () => {
    let platform: Server;
    let origin: string;

    beforeAll(async () => {
      platform = createServer((request, response) => {
        const { searchParams } = new URL(request.url!, origin);
        response
          .setHeader('Content-Type', 'text/html')
          .end(
            `<!doctype html><title>Course</title><script>told=[];onmessage=({data})=>told.push(data)</script><iframe src="${searchParams.get('src')}" width="770" height="1252"></iframe>`,
          );
      });
      await new Promise<void>((done) => platform.listen(0, '127.0.0.1', done));
      origin = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((done) => platform.close(done)));

    async function toldBy(overrides: Partial<Launch>): Promise<unknown[]> {
      const token = await lti.launchToken({ platformOrigin: origin, ...overrides });
      const src = `${lti.url}/lti/picker?launch=${token}`;
      await page.goto(`${origin}/?src=${encodeURIComponent(src)}`);
      const frame = page.frameLocator('iframe');
      // The scripts have run when this works.
      await frame.locator('#filter-box > summary').click();
      await frame.locator('.filter-panel').waitFor();
      return page.evaluate('told');
    }

    test('is as high as the window when it replaces an object', async () => {
      expect(await toldBy(asTeacher)).toEqual([{ subject: 'lti.frameResize', height: 640 }]);
    });

    test('has the height of the dialog of a platform', async () => {
      expect(await toldBy({})).toEqual([]);
    });
  });
});
