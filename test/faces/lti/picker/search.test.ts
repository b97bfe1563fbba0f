import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Launch } from '../../../../src/domain/lti/launch.ts';
import { toLtiPerson } from '../../../../src/domain/lti/placement.ts';
import { DEFAULT_TENANT, initialDefaults, type SearchDefaults } from '../../../../src/domain/tenant.ts';
import { AppError } from '../../../../src/errors.ts';
import type { SearchAnswer } from '../../../../src/ports/learning-service.ts';
import type { SkillResults } from '../../../../src/services/searching/discovery/results.ts';
import type { Discovery } from '../../../../src/services/searching/discovery.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { bareObject, fullObject } from '../../../fakes/learning-service.ts';
import { tester } from '../../../helpers/open-services.ts';
import { type RunningLti, resourceLinkLaunch, startLti } from '../start-lti.ts';

const { learning: starter } = openStarterService();

let lti: RunningLti;
let discovery: Partial<Discovery>;

beforeEach(async () => {
  discovery = {};
  lti = await startLti();
  const { discoveryOf } = lti.deps;
  Object.assign(lti.deps, { discoveryOf: (id: string) => ({ ...discoveryOf(id), ...discovery }) });
});
afterEach(() => lti.close());

async function get(path: string, overrides: Partial<Launch> = {}): Promise<Response> {
  const token = await lti.launchToken(overrides);
  return fetch(`${lti.url}/lti${path}`, { headers: { authorization: `Bearer ${token}` } });
}

async function text(path: string, overrides: Partial<Launch> = {}): Promise<string> {
  const response = await get(path, overrides);
  expect(response.status).toBe(200);
  return response.text();
}

const results = (query: string, overrides?: Partial<Launch>) => text(`/picker/results?${query}`, overrides);

async function setDefaults(defaults: Partial<SearchDefaults>): Promise<void> {
  const { version } = await lti.services.tenants.getTenant(DEFAULT_TENANT);
  const change = { version, defaults: { ...initialDefaults, ...defaults } };
  await lti.services.tenants.changeTenant(tester, DEFAULT_TENANT, change);
}

/** The fake engine answers with two objects; this, with what is given besides. */
function answerWith(answer: Partial<SearchAnswer>): void {
  const { searchMany } = lti.services.local;
  lti.services.local.searchMany = async (query, options) => ({
    ...(await searchMany(query, options))!,
    ...answer,
  });
}

describe('the page', () => {
  test('suggests the title of the course, and may frame players', async () => {
    const response = await get('/picker');
    const html = await response.text();
    expect(html).toContain('data-search="Introduction to Python"');
    expect(html).toMatch(/<select id="provider" name="provider"[\s\S]*?<option value="youtube"[^>]*>YouTube</);
    expect(html).toMatch(/<option value="en"[^>]*>English<\/option>/);
    expect(response.headers.get('content-security-policy')).toMatch(
      /frame-src [^;]*https:\/\/www\.youtube-nocookie\.com/,
    );
  });

  test.each([
    'Skilldock',
    ' skilldock ',
    'Learning resources',
    'Ressources pédagogiques',
    'localhost',
    'Skills of Lyon',
  ])('ignores a title that is only a name of the tool: %s', async (title) => {
    const { version } = await lti.services.tenants.getTenant(DEFAULT_TENANT);
    const branding = { title: 'Skills of Lyon', accent: null };
    await lti.services.tenants.changeTenant(tester, DEFAULT_TENANT, { version, branding });
    const begun = {
      returnUrl: 'https://lms.example.org/return',
      acceptTypes: ['ltiResourceLink'],
      acceptMultiple: true,
    };
    const more = { targets: ['iframe'], acceptLineItem: true, autoCreate: false, data: null };
    for (const overrides of [
      { deepLinking: { ...begun, ...more, title, text: title } },
      { deepLinking: null, resourceLink: { id: '1', title, description: title } },
    ]) {
      const html = await text('/picker', overrides);
      const starts = [...html.matchAll(/data-search="([^"]*)"/g)].map(([, words]) => words);
      expect(starts).toEqual(['Introduction to Python']);
      expect(html).toContain('data-plan-course="Introduction to Python"');
    }
  });

  test('Walk U16: the logo of a tenant is the icon of its pages', async () => {
    const { version } = await lti.services.tenants.getTenant(DEFAULT_TENANT);
    const branding = { title: 'Skills of Lyon', accent: null, logo: 'https://example.org/logo.png' };
    await lti.services.tenants.changeTenant(tester, DEFAULT_TENANT, { version, branding });
    const html = await text('/picker');
    const [, logo] = /<img class="brand-logo" src="([^"]+)"/.exec(html) ?? [];
    expect(html).toContain(`<link rel="icon" href="${logo}">`);
  });

  test('is in the language of the launch', async () => {
    const html = await text('/picker', { locale: 'fr-CA' });
    expect(html).toContain('<html lang="fr">');
    expect(html).toContain('Rechercher « Introduction to Python »'.replaceAll(/(?<=«) | (?=»)/g, '\u00a0'));
    expect(html).toMatch(/<option value="en"[^>]*>Anglais<\/option>/);
  });

  test('begins with the defaults of the tenant', async () => {
    await setDefaults({ providers: ['youtube', 'gone'], lang: 'fr', freeOnly: true, model: 'strict' });
    const html = await text('/picker');
    expect(html).toMatch(/<option value="\*"[^>]* selected>YouTube or gone<\/option>/);
    expect(html).toMatch(/<option value="fr"[^>]* selected>French<\/option>/);
    expect(html).toMatch(/<option value="free"[^>]* selected>/);
    // What the person chose before a reload counts instead.
    const again = await text('/picker?q=python&provider=openlearn');
    expect(again).toMatch(/<option value="openlearn"[^>]* selected>/);
    expect(again).not.toMatch(/<option value="fr"[^>]* selected>/);
  });

  test('suggests the title of the object that is replaced', async () => {
    const instead = { ...resourceLinkLaunch, role: 'instructor', context: null } as const;
    expect(await text('/picker', instead)).toContain('data-search="A link"');
  });

  test('suggests nothing where there is no title', async () => {
    const html = await text('/picker', { context: null });
    expect(html).toContain('Suggestions for this course');
    expect(html).not.toContain('data-search');
  });

  test('does not wait for lists, which follow later', async () => {
    const { listTypes } = lti.services.local;
    let answer = () => {};
    lti.services.local.listTypes = () =>
      new Promise((done) => {
        answer = () => done([{ value: 'mooc', description: 'A course' }]);
      });
    const html = await text('/picker');
    expect(html).toContain('data-lists="late"');
    expect(html).not.toContain('data-name="MOOC"');
    answer();
    lti.services.local.listTypes = listTypes;
    expect(await text('/picker/filters')).toContain('<option value="mooc"');
  });

  test('is refused to learners', async () => {
    const response = await get('/picker', { role: 'learner' });
    expect(response.status).toBe(403);
  });
});

describe('results', () => {
  test('are cards with all details', async () => {
    const html = await results('q=python');
    expect(html).toContain('2 resources for “python”');
    expect(html.match(/<article class="card"/g)).toHaveLength(2);
    for (const known of ['Python for everybody', 'YouTube', 'MOOC', 'Easy', '1 h 30 min', 'Free', 'English', 'Lyon'])
      expect(html).toContain(known);
    expect(html).toContain('data-address="example.org/python"');
    const { small, large } = lti.services.pictures.linkTo('https://example.org/python.png')!;
    expect(html).toContain(`<img src="${small}" srcset="${small} 320w, ${large} 640w"`);
    expect(html).not.toContain('src="https:');
    expect(html).not.toContain('data-more');
  });

  test('use the chosen filters', async () => {
    await results('q=python&provider=youtube&type=mooc&bloom=Apply&lang=fr&level=beginner&length=hour&price=free');
    expect(lti.services.local.calls.searches[0]).toMatchObject({
      keywords: 'python',
      providers: ['youtube'],
      types: ['mooc'],
      blooms: ['Apply'],
      lang: 'fr',
      levelMax: -0.2,
      learningTimeMax: 60,
      free: true,
    });
  });

  test('prefer the language of the tenant, unless the words or the person choose another', async () => {
    Object.assign(lti.services.local, starter);
    const first = async (query: string) => {
      const html = await results(query, { locale: 'en' });
      return [...html.matchAll(/<h3 lang="(\w+)"/g)].slice(0, 5).map(([, lang]) => lang);
    };
    const all = (lang: string) => Array.from({ length: 5 }, () => lang);
    expect(await first('q=python')).toEqual(all('en'));
    await setDefaults({ prefer: 'fr' });
    expect(await first('q=python')).toEqual(all('fr'));
    expect(await first('q=python&lang=en')).toEqual(all('en'));
    expect(await first('q=how+to+give+feedback')).toEqual(all('en'));
  });

  test('mark saved objects', async () => {
    const person = toLtiPerson(lti.registration.id, 'teacher-1');
    await lti.services.shelf.save({ tenantId: DEFAULT_TENANT, person }, { object: fullObject, requestId: null });
    const html = await results('q=python');
    expect(html.match(/data-save aria-pressed="true"/g)).toHaveLength(1);
    expect(html.match(/data-save aria-pressed="false"/g)).toHaveLength(1);
  });

  test('have several pages', async () => {
    answerWith({ hasMore: true, totalItems: 40 });
    expect(await results('q=python')).toContain('data-more="1"');
    const second = await results('q=python&page=1');
    expect(second).toContain('data-more="2"');
    expect(second).not.toContain('<h2');
    expect(lti.services.local.calls.searches.at(-1)?.page).toBe(1);
  });

  test('say that they are near misses, and how many there may be', async () => {
    answerWith({ quality: 'B00', totalItems: 1_234, isTotalExact: false });
    const html = await results('q=python');
    expect(html).toContain('No exact match for everything');
    expect(html).toContain('About 1,234 resources');
    // A handle may have any letters.
    expect(html.replace(/data-handle="[^"]*"/g, '')).not.toContain('B00');
  });

  test('name missing providers', async () => {
    answerWith({
      missing: [
        { id: 'youtube', why: 'late' },
        { id: 'openlearn', why: 'failed' },
        { id: 'other', why: 'not-asked' },
      ],
    });
    const html = await results('q=python');
    expect(html).toContain('No answer in time from: YouTube.');
    expect(html).toContain('Unavailable right now: OpenLearn.');
    expect(html).toContain('1 more provider was not searched');
    expect(html).toContain('data-retry');
  });

  test('say that they are stale', async () => {
    const { searchLearningObjects } = lti.services.discoveryOf(DEFAULT_TENANT);
    const source = {
      upstream: 'api.example.org',
      freshness: 'stale',
      answeredAt: new Date('2026-03-04T05:06:00Z'),
    } as const;
    discovery.searchLearningObjects = async (...args) => ({
      ...(await searchLearningObjects(...args)),
      source,
    });
    const html = await results('q=python');
    expect(html).toContain('Mar 4, 2026, 5:06 AM UTC');
    expect(html).not.toContain('api.example.org');
  });

  test('offer other searches when there are none', async () => {
    answerWith({ content: [], totalItems: 0, quality: 'C00' });
    discovery.findWaysOut = async () => ({
      didYouMean: [{ keywords: 'python', totalItems: 12, isTotalExact: true, keepsFilters: false }],
      similar: [],
      filters: [
        { filter: 'type', totalItems: 3, isTotalExact: true },
        { filter: 'learningTime', totalItems: 9, isTotalExact: false },
        { filter: 'age', totalItems: 9, isTotalExact: true },
      ],
      totalWithoutFilters: 12,
      isTotalWithoutFiltersExact: true,
    });
    const html = await results('q=pyhton&type=mooc&length=hour');
    expect(html).toContain('No results for “pyhton”');
    expect(html).toContain('data-search="python" data-alone>python (12)<');
    expect(html).toContain('data-drop="type">all types (3)<');
    expect(html).toContain('data-drop="length">any length<');
    expect(html).not.toContain('no filters');
  });

  test('need words, and say so', async () => {
    expect(await results('q=+')).toMatch(/data-field="q"[^>]*>Type what you are looking for first\./);
    expect(lti.services.local.calls.searches).toEqual([]);
  });

  test.each([
    ['PLACE_UNKNOWN', 'data-field="address"', 'We could not find this place.'],
    ['PROVIDER_UNKNOWN', 'data-field="provider"', 'This provider is no longer available.'],
    ['PARAMETERS_INVALID', 'class="problem"', 'does not accept this search'],
    ['UPSTREAM_TIMEOUT', 'data-retry', 'The search service is unavailable.'],
    ['UPSTREAM_THROTTLED', 'data-retry', 'The search service is unavailable.'],
  ] as const)('explain %s', async (code, marked, words) => {
    discovery.searchLearningObjects = () => Promise.reject(new AppError(code, 'secret words of a service'));
    const html = await results('q=python');
    expect(html).toContain(marked);
    expect(html).toContain(words);
    expect(html).not.toContain('secret');
  });

  test('fail on an internal error', async () => {
    discovery.searchLearningObjects = () => Promise.reject(new Error('secret words'));
    const response = await get('/picker/results?q=python');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
  });

  test('leave out the marks of a service', async () => {
    answerWith({
      content: [{ ...bareObject, title: '<script>alert(1)</script>', url: 'javascript:alert(1)' }],
    });
    const html = await results('q=%3Cb%3E');
    expect(html).not.toMatch(/<script|<b>|href="javascript/);
  });
});

describe('beside the results', () => {
  test('offers similar terms that replace or narrow the words', async () => {
    const html = await text('/picker/similar?q=py');
    expect(html).toContain('data-search="Python"');
    expect(html).toContain('data-narrow="Snakes"');
    expect(await text('/picker/similar?q=python')).not.toContain('data-search="Python"');
    expect(await text('/picker/similar?q=')).not.toContain('data-search');
  });

  test('offers similar terms in the language of the page', async () => {
    discovery.findSkills = async ({ prefer }) => {
      const terms = [{ label: `asked in ${prefer}`, source: 'x' }];
      return { terms, groups: [], suggestions: [] } as unknown as SkillResults;
    };
    expect(await text('/picker/similar?q=excel')).toContain('asked in en');
  });

  test('says that similar terms are unavailable', async () => {
    discovery.findSkills = () => Promise.reject(new AppError('UPSTREAM_FAILED', 'It failed.'));
    expect(await text('/picker/similar?q=py')).toContain('Similar terms are unavailable right now');
  });

  test('completes words, and does not cache them for another tenant', async () => {
    const response = await get('/picker/complete?q=pyt');
    expect(await response.json()).toEqual(['python course']);
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect(await (await get(`/picker/complete?q=${'x'.repeat(301)}`)).json()).toEqual([]);
  });

  test('finds nothing without a launch', async () => {
    for (const path of ['', '/results?q=x', '/similar?q=x', '/filters', '/complete?q=x'])
      expect((await fetch(`${lti.url}/lti/picker${path}`)).status).toBe(401);
  });
});
