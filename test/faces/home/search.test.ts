import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import { readQueryWishes } from '../../../src/domain/query-wishes.ts';
import { AppError } from '../../../src/errors.ts';
import type { Discovery } from '../../../src/services/searching/discovery.ts';
import { createFakeLearningService, fullObject } from '../../fakes/learning-service.ts';
import { type Home, startHome } from './start-home.ts';

/** A service with so many objects, pages as the real one gives them. */
function withTotal(totalItems: number) {
  const fake = createFakeLearningService();
  const search = async (query: LearningObjectQuery) => {
    const first = query.page * query.max;
    return {
      ...(await fake.ask('searchMany', query))!,
      content: Array.from({ length: Math.max(0, Math.min(query.max, totalItems - first)) }, () => fullObject),
      totalItems,
      hasMore: first + query.max < totalItems,
    };
  };
  return { ...fake, searchProvider: search, searchMany: search };
}

/** A service that finds something only where a choice is taken back, or the word is spelt as it
 *  knows it. */
function choosy() {
  const [some, none] = [withTotal(7), withTotal(0)];
  const search = (query: LearningObjectQuery) => {
    const isWide = query.types.length === 0 || query.lang === undefined || query.keywords === 'python course';
    return (isWide ? some : none).searchMany(query);
  };
  return { ...some, searchProvider: search, searchMany: search };
}

describe('the page without a search', () => {
  let home: Home;
  beforeAll(async () => {
    home = await startHome({
      faces: [
        { id: 'api', name: 'HTTP API', isOn: true, note: 'See every operation in the', href: '/docs' },
        { id: 'slack', name: 'Slack', isOn: false, note: 'Set it.', href: '/admin/workspaces' },
      ],
    });
  });
  afterAll(() => home.close());

  test('says what the host is, offers words and providers, and searches nothing', async () => {
    const page = await home.page('/');
    expect(page).toContain('1,234 resources from 2 providers');
    expect(page).toContain('href="/?q=first+aid"');
    expect(page).toContain('<a href="/browse?provider=openlearn" title="OpenLearn">');
    expect(home.learning.calls.searches).toEqual([]);
  });

  test('says how to connect: a card with a button for each way', async () => {
    const page = await home.page('/connect');
    expect(page).toMatch(/href="\/docs">Open the reference</);
    expect(page).toContain('href="/docs/guides/api"');
    expect(page).toContain('https://skills.example.org/domcomp/v1/similar');
    expect(page).toContain('demo_0123456789');
  });

  test('names settings to administrators only', async () => {
    const page = await home.page('/connect');
    expect(page).not.toContain('SLACK_');
    expect(page).toContain('Ask your administrator.');
    expect(page).toMatch(/href="\/docs\/guides\/slack">How it works</);
    const shown = await (await home.get('/connect', { headers: { cookie: 'admin=1' } })).text();
    expect(shown).toContain('Set SLACK_CLIENT_ID');
    expect(shown).toMatch(/href="\/admin\/workspaces">Set it up</);
  });

  test('Walk U21: filters come with results, the style guide with a demo only', async () => {
    expect(await home.page('/')).not.toContain('id="filter-box"');
    expect(await home.page('/?q=python')).toContain('id="filter-box"');
    expect((await home.get('/styleguide')).status).toBe(404);
    const withDemo = await startHome({ demoPath: '/demo' });
    expect(await withDemo.page('/styleguide')).toContain('Style guide');
    await withDemo.close();
  });

  test('Walk U9: what plays is previewed, of all else there are details', async () => {
    const [film, page] = ['https://youtu.be/BSaF8KxnoLY', 'https://example.org/python'].map((url) => ({
      ...fullObject,
      url,
    }));
    const learning = {
      ...withTotal(2),
      searchMany: async (query: LearningObjectQuery) => ({
        ...(await withTotal(2).searchMany(query)),
        content: [film!, page!],
      }),
    };
    const both = await startHome({ learning });
    const buttons = [...(await both.page('/?q=python')).matchAll(/look-button">.*?<\/svg> (\w+)</g)].map(
      ([, word]) => word,
    );
    expect(buttons).toEqual(['Preview', 'Details']);
    await both.close();
  });

  test('notes what is searched for, its first page only', async () => {
    const noted = vi.spyOn(home.services.insight, 'noteSearch');
    await home.page('/?q=python');
    await home.page('/?q=python&page=1').catch(() => '');
    await home.page('/');
    expect(noted.mock.calls).toMatchObject([[{ tenantId: 'default', words: 'python', isWatched: false }]]);
    noted.mockRestore();
  });

  test('counts the addresses of one network as one person', async () => {
    const noted = vi.spyOn(home.services.insight, 'noteSearch');
    for (const from of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
      await home.get('/?q=python', { headers: { 'x-forwarded-for': from } });
    expect(new Set(noted.mock.calls.map(([{ person }]) => person)).size).toBe(2);
    noted.mockRestore();
  });

  test('keeps what was chosen', async () => {
    const page = await home.page('/?provider=openlearn&type=mooc&lang=en&price=free');
    for (const value of ['openlearn', 'mooc', 'en', 'free'])
      expect(page).toMatch(new RegExp(`<option value="${value}"[^>]* selected>`));
    expect(page).toContain('href="/">Reset filters');
  });
});

describe('a search', () => {
  test('hands all choices to the service', async () => {
    const home = await startHome();
    await home.page('/?q=python&provider=youtube&type=mooc&lang=en&free=1&page=0');
    expect(home.learning.calls.searches[0]).toMatchObject({
      keywords: 'python',
      providers: ['youtube'],
      types: ['mooc'],
      lang: 'en',
      free: true,
      page: 0,
      max: 10,
    });
    await home.close();
  });

  test('shows each object with its facts, counts them, and lists terms beside', async () => {
    const home = await startHome();
    const page = await home.page('/?q=python');
    expect(page).toContain('2 resources for “python”');
    expect(page).toContain('href="https://example.org/python"');
    for (const fact of ['MOOC', 'English', 'Easy', '1 h 30 min', 'Lyon', 'Free'])
      expect(page).toMatch(new RegExp(`<li[^>]*>${fact}</li>`));
    // The words themselves are no similar term.
    expect(page).toContain('href="/?q=Snakes"');
    expect(page).not.toContain('href="/?q=Python"');
    await home.close();
  });

  test('of a page that is too far, or no number, still shows something', async () => {
    const home = await startHome();
    for (const page of ['-1', '1.5', 'x', ''])
      expect(await home.page(`/?q=python&page=${page}`)).toContain('2 resources');
    expect(home.learning.calls.searches.every(({ page }) => page === 0)).toBe(true);
    await home.close();
  });

  test('of words that are too long takes their beginning', async () => {
    const home = await startHome();
    await home.page(`/?q=${'a'.repeat(1_000)}`);
    expect(home.learning.calls.searches[0]?.keywords).toBe('a'.repeat(300));
    await home.close();
  });

  test('that finds nothing offers what would find something', async () => {
    const home = await startHome({ learning: choosy() });
    const page = await home.page('/?q=pyton&type=mooc&lang=en&free=1');
    expect(page).toContain('No results for “pyton”');
    expect(page).toContain('href="/?q=python+course&amp;type=mooc&amp;lang=en&amp;price=free"');
    expect(page).toContain('href="/?q=pyton&amp;lang=en&amp;price=free">all types (7)</a>');
    expect(page).toContain('href="/?q=pyton&amp;type=mooc&amp;price=free">all languages (7)</a>');
    expect(page).not.toContain('free and paid');
    await home.close();
  });

  test('that nothing helps says so', async () => {
    const home = await startHome({ learning: withTotal(0) });
    const page = await home.page('/?q=pyton&type=mooc');
    expect(page).toContain('Try fewer or more common words');
    expect(page.slice(page.indexOf('class="nothing"'), page.indexOf('<aside'))).not.toContain('class="chip"');
    await home.close();
  });

  test('of a provider that does not exist finds nothing and offers all', async () => {
    const home = await startHome();
    const page = await home.page('/?q=python&provider=gone');
    expect(page).toContain('No results for “python”');
    expect(page).toContain('href="/?q=python">all providers (2)</a>');
    expect(page).toContain('This provider is no longer available.');
    await home.close();
  });

  test('near a place that nobody knows says so', async () => {
    const search = () => Promise.reject(new AppError('PLACE_UNKNOWN', 'No such place.'));
    const home = await startHome({ discovery: { searchLearningObjects: search } });
    const page = await home.page('/?q=python&type=training&address=Nowhere&distance=50');
    expect(page).toContain('No results for “python”');
    expect(page).toContain('We could not find this place.');
    await home.close();
  });

  test('Walk U10: of which little fits shows what almost does, below a line that names what does not', async () => {
    const discovery: Partial<Discovery> = {
      findNearMisses: async (_query, { items }) => [{ filter: 'free', isCertain: true, items: items.slice(0, 1) }],
    };
    const home = await startHome({ discovery });
    const page = await home.page('/?q=python&price=free');
    expect(page.indexOf('<h2 class="group-line">Does not match: not free</h2>')).toBeGreaterThan(
      page.indexOf('2 resources for “python”'),
    );
    expect(page.match(/<ol class="results"[^>]*>/g)).toEqual([
      '<ol class="results">',
      '<ol class="results" start="3">',
    ]);
    await home.close();
  });

  test('shows what the words wish for, with a link that takes it away and keeps the rest', async () => {
    const learning = createFakeLearningService();
    const searchMany: typeof learning.searchMany = async (query) => ({
      ...(await learning.ask('searchMany', query))!,
      wishes: readQueryWishes(query.keywords, query.without).wishes,
    });
    const home = await startHome({ learning: { searchMany } });
    const page = await home.page('/?q=free+python+videos&lang=en');
    expect(page).toMatch(/Preferred:\s+<a class="chip wish" href="([^"]+)">Free/);
    expect(page).toContain('href="/?q=free+python+videos&amp;lang=en&amp;without=type">Video');
    const without = await home.page('/?q=free+python+videos&without=type');
    expect(without).toContain('href="/?q=free+python+videos&amp;without=type&amp;without=free">Free');
    expect(without).not.toContain('>Video<');
    // The form keeps it until the words change.
    expect(without).toContain('<input type="hidden" name="without" value="type">');
    await home.close();
  });
});

describe('pages', () => {
  let home: Home;
  beforeAll(async () => {
    home = await startHome({ learning: withTotal(31) });
  });
  afterAll(() => home.close());

  test('the first leads to the next only', async () => {
    const page = await home.page('/?q=python&type=mooc');
    expect(page).toContain('Page 1 of 4');
    expect(page).toContain('rel="next" href="/?q=python&amp;type=mooc&amp;page=1"');
    expect(page).not.toContain('rel="prev"');
  });

  test('the last leads back only, and counts on', async () => {
    const page = await home.page('/?q=python&page=3');
    expect(page).toContain('Page 4 of 4');
    expect(page).toContain('<ol class="results" start="31">');
    expect(page).toContain('rel="prev" href="/?q=python&amp;page=2"');
    expect(page).not.toContain('rel="next"');
  });

  test.each(['4', '500', '1000', '5000', '1e9'])('behind the last, %s leads to it, choices kept', async (page) => {
    const response = await home.get(`/?q=python&type=mooc&free=1&page=${page}`);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/?q=python&type=mooc&price=free&page=3');
  });

  test('where all fits one, any other leads to it', async () => {
    const small = await startHome({ learning: withTotal(3) });
    expect((await small.get('/?q=python&page=1')).headers.get('location')).toBe('/?q=python');
    expect(await small.page('/?q=python')).not.toContain('Pages of results');
    await small.close();
  });

  test('where nothing is found there is nowhere to go', async () => {
    const none = await startHome({ learning: withTotal(0) });
    expect(await none.page('/?q=python&page=7')).toContain('No results for');
    await none.close();
  });

  test('more than can be turned are not promised', async () => {
    const huge = await startHome({ learning: withTotal(1_000_000) });
    const page = await huge.page('/?q=python&page=1000');
    expect(page).toContain('Page 1001 of 1001');
    expect(page).not.toContain('rel="next"');
    await huge.close();
  });
});
