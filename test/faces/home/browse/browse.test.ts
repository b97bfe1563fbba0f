import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import type { BrowseAnswer, BrowseRequest } from '../../../../src/ports/learning-service.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { type Home, startHome } from '../start-home.ts';

const topic = (id: string, en: string, fr: string, within: readonly string[] = []) =>
  ({ id, kind: id.includes(':') ? 'skill' : 'field', labels: { en, fr }, within }) as const;
const topics = [
  topic('06', 'Computing', 'Informatique'),
  topic('0613', 'Programming <b>', 'Programmation', ['06']),
  topic('99', 'Other subjects', 'Autres sujets'),
  topic('skilldock:python', 'Python', 'Python', ['0613']),
];

const asked: BrowseRequest[] = [];
async function browse(request: BrowseRequest): Promise<BrowseAnswer> {
  asked.push(request);
  const { page, max, providers } = request.query;
  if (providers.includes('nobody')) throw new AppError('PROVIDER_UNKNOWN', 'There is no provider "nobody".');
  const within = request.topics.flatMap((id) => topics.filter((each) => each.id === id));
  const totalItems = within.length < request.topics.length ? 0 : 23;
  return {
    requestId: 'request-1',
    content: Array.from({ length: Math.max(0, Math.min(max, totalItems - page * max)) }, () => fullObject),
    page,
    itemsPerPage: max,
    totalItems,
    hasMore: false,
    quality: 'A00',
    within,
    topics: totalItems === 0 ? [] : topics.map((each, i) => ({ ...each, objects: 23 - i, preferred: 0 })),
    facets: {
      provider: new Map([['openlearn', 20]]),
      type: new Map([['mooc', 1_200]]),
      bloom: new Map(),
      lang: new Map([['en', 3]]),
    },
  };
}

const french = { headers: { 'accept-language': 'fr' } };

describe('where everything can be browsed', () => {
  let home: Home;
  beforeAll(async () => {
    home = await startHome({ learning: { browse } });
  });
  afterEach(() => asked.splice(0));
  afterAll(() => home.close());

  test('the overview has every way in, with counts', async () => {
    const page = await home.page('/browse');
    expect(page).toContain('<a href="/browse?topic=06">Computing</a> <span class="quiet">23</span>');
    expect(page).toContain('<a href="/browse?topic=0613">Programming &lt;b&gt;</a>');
    expect(page).toContain('href="/browse?topic=skilldock%3Apython">Python <span class="quiet">20</span>');
    expect(page).toContain('href="/browse?type=mooc">MOOC <span class="quiet">1,200</span>');
    expect(page).toContain('href="/browse?lang=en">English <span class="quiet">3</span>');
    expect(page).toContain('href="/browse?level=beginner">');
    expect(page).toContain('<a href="/browse?provider=openlearn" title="OpenLearn">');
    expect(page).not.toContain('provider=youtube');
    expect(page.indexOf('Other subjects')).toBeGreaterThan(page.indexOf('Computing'));
  });

  test('it speaks French, and puts what is in French first', async () => {
    const page = await (await home.get('/browse', french)).text();
    expect(page).toContain('<a href="/browse?topic=06">Informatique</a>');
    expect(page).toContain('lang="fr"');
    expect(asked.map(({ query }) => query.prefer)).toEqual(Array(4).fill('fr'));
  });

  test('a field shows where it is, what lies within, and its objects as cards', async () => {
    const page = await home.page('/browse?topic=0613');
    expect(page).toContain('<title>Programming &lt;b&gt; · Skilldock</title>');
    expect(page).toMatch(
      /<nav class="path"[^>]*>\s*<a href="\/browse">Browse<\/a> › <a href="\/browse\?topic=06">Computing/,
    );
    // Skills stand above the list.
    const skill = page.indexOf('href="/browse?topic=0613&amp;topic=skilldock%3Apython">Python <span');
    expect(skill).toBeGreaterThan(0);
    expect(skill).toBeLessThan(page.indexOf('23 resources'));
    expect(page).toContain('23 resources');
    expect(page.match(/<article class="card/g)).toHaveLength(10);
    // What "Preview" asks for.
    expect(page.match(/name="handle" value="[^"]{20,}"/g)).toHaveLength(10);
    expect(page).toContain('OpenLearn (20)');
    expect(page).toContain('<input type="hidden" name="topic" value="0613">');
  });

  test('every choice is a filter, and part of the address of the next page', async () => {
    const choice = 'topic=0613&provider=openlearn&type=mooc&lang=en&level=advanced&price=free';
    const page = await home.page(`/browse?${choice}&page=1`);
    expect(asked[0]).toMatchObject({
      topics: ['0613'],
      query: { providers: ['openlearn'], types: ['mooc'], lang: 'en', levelMin: 0.2, free: true, page: 1 },
    });
    expect(page).toContain(`href="/browse?${choice.replaceAll('&', '&amp;')}&amp;page=2"`);
    expect(page).toContain('Programming &lt;b&gt; · MOOC · Advanced · Free only · English · OpenLearn');
    for (const label of ['Type', 'Level', 'Sort by']) expect(page).toContain(`aria-label="${label}"`);
    expect(page).toContain('start="11"');
  });

  test('everything has an address of its own', async () => {
    expect(await home.page('/browse?topic=all')).toContain('All resources');
    expect(asked[0]).toMatchObject({ topics: [] });
  });

  test('a page that is no longer there leads to the last one', async () => {
    const response = await home.get('/browse?topic=06&page=9');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/browse?topic=06&page=2']);
  });

  test.each(['/browse?topic=zz', '/browse?provider=nobody'])('%s is not there, and leads further', async (path) => {
    expect(await home.page(path, 404)).toContain('href="/browse?topic=all"');
  });

  test('the front page begins with fields', async () => {
    const page = await home.page('/');
    expect(page).toMatch(/href="\/browse\?topic=06"><svg.*#subject-06.*Computing/);
    expect(page).toContain('<a href="/browse?provider=openlearn" title="OpenLearn">');
    expect(page).toContain('href="/browse">All subjects ');
  });

  test('what is too long or not known is not chosen', async () => {
    await home.page(`/browse?topic=${'x'.repeat(200)}&level=hard&page=-3`);
    expect(asked[0]).toMatchObject({ topics: [], query: { page: 0 } });
  });
});

describe('skills of a subject', () => {
  const skills = Array.from({ length: 14 }, (_, i) => ({
    ...topic(`skilldock:${i}`, `Skill ${i}`, `Compétence ${i}`, ['0613']),
    objects: 40 - i,
    preferred: i < 12 ? 20 - i : 0,
  }));
  let hasSpoken = true;
  let home: Home;
  beforeAll(async () => {
    const withSkills = async (request: BrowseRequest) => ({
      ...(await browse(request)),
      topics: skills.map((each) => (hasSpoken ? each : { ...each, preferred: 0 })),
    });
    home = await startHome({ learning: { browse: withSkills } });
  });
  afterAll(() => home.close());
  const namesIn = (html: string) => Array.from(html.matchAll(/>(Skill \d+ <.*?)<\/span>/g), ([, name]) => name);

  test('the first ones are shown, and all on demand, what is in other languages only last', async () => {
    const page = await home.page('/browse?topic=0613');
    const nav = page.slice(page.indexOf('<nav class="topic-skills"'), page.indexOf('id="results-title"'));
    const [first, rest, foreign] = nav.split(/<summary>All 14 skills<\/summary>|In other languages/);
    // Of each, what is in the reader's language.
    expect(namesIn(first!)).toEqual(skills.slice(0, 10).map((_, i) => `Skill ${i} <span class="quiet">${20 - i}`));
    expect(namesIn(rest!)).toHaveLength(2);
    expect(namesIn(foreign!)).toEqual(['Skill 12 <span class="quiet">28', 'Skill 13 <span class="quiet">27']);
    expect(page).toContain('23 resources, 3 in English');
    expect(await home.page('/browse?topic=0613&lang=en')).toContain('>23 resources<');
  });

  test('those of other languages stand for themselves where there are no others', async () => {
    hasSpoken = false;
    const page = await home.page('/browse?topic=0613');
    hasSpoken = true;
    expect(namesIn(page)).toHaveLength(14);
    expect(page).not.toContain('In other languages');
  });
});

describe('filters that leave nothing', () => {
  let home: Home;
  beforeAll(async () => {
    const withFilters = async (request: BrowseRequest) => {
      const { lang, types, free } = request.query;
      const chosen = [lang, types[0], free].filter((each) => each !== undefined);
      const totalItems = [23, chosen.includes('video') ? 2 : 1_200, 0, 0][chosen.length]!;
      const found = await browse(request);
      return totalItems > 0 ? { ...found, totalItems } : { ...found, totalItems, content: [], topics: [] };
    };
    home = await startHome({ learning: { browse: withFilters } });
  });
  afterAll(() => home.close());

  test('each has a link that drops just that one, with what it finds, and the skills stay', async () => {
    const page = await home.page('/browse?topic=0613&type=video&lang=fr');
    const links = Array.from(page.matchAll(/<a class="chip" href="([^"]+)">([^<]+)<\/a>/g), ([, ...link]) => link);
    expect(links).toEqual([
      ['/browse?topic=0613&amp;lang=fr', 'all types (1,200)'],
      ['/browse?topic=0613&amp;type=video', 'all languages (2)'],
    ]);
    expect(page).toContain('href="/browse?topic=0613&amp;topic=skilldock%3Apython">Python <span');
    expect(page).toContain('<a href="/browse?topic=06">Computing</a>');
  });

  test('all are dropped at once where no single one helps', async () => {
    const page = await home.page('/browse?topic=0613&type=video&lang=fr&price=free');
    expect(page).toContain('<a class="chip" href="/browse?topic=0613">no filters (23)</a>');
  });
});

describe('what courses use', () => {
  const used = Array.from({ length: 12 }, (_, i) => ({
    object: { ...fullObject, title: `Object ${i}` },
    courses: 2,
  }));
  let home: Home;
  beforeAll(async () => {
    home = await startHome({ learning: { browse }, browsing: { listUsed: async () => used } });
  });
  afterAll(() => home.close());

  test('is on the front page and in the overview, with a page of its own', async () => {
    for (const path of ['/', '/browse']) {
      const page = await home.page(path);
      expect(page).toContain('Most used in courses here');
      expect(page).toContain('href="/browse?used=most"');
      expect(page).toContain('Object 1');
    }
    expect(await home.page('/browse?used=most')).toContain('href="/browse?used=most&amp;page=1"');
    const second = await home.page('/browse?used=newest&page=1');
    expect(second).toContain('Object 11');
    expect(second).not.toContain('Object 9<');
  });
});

describe('where the service can only be searched', () => {
  let home: Home;
  beforeAll(async () => {
    home = await startHome();
  });
  afterAll(() => home.close());

  test('the overview says so, and leads to searches', async () => {
    const page = await home.page('/browse');
    expect(page).toContain('This server’s search service needs words.');
    expect(page).toContain('<a href="/?provider=openlearn#search" title="OpenLearn">');
    expect(page).toContain('href="/?lang=en#search"');
    expect(page).not.toContain('By subject');
  });

  test('a choice becomes one of the search', async () => {
    const response = await home.get('/browse?provider=openlearn&lang=fr');
    expect(response.headers.get('location')).toBe('/?provider=openlearn&lang=fr#search');
  });
});

test('an address may look around only so often', async () => {
  const limit = { name: 'test', points: 1, windowSeconds: 60 };
  const limits = { searches: limit, completions: limit };
  const home = await startHome({ learning: { browse }, limits });
  await home.page('/browse');
  expect((await home.get('/browse')).status).toBe(429);
  await home.close();
});
