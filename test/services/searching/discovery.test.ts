import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import type { SearchSessions } from '../../../src/services/searching/discovery/search-sessions.ts';
import { createSlowProviders } from '../../../src/services/searching/discovery/search-sessions.ts';
import type { Discovery } from '../../../src/services/searching/discovery.ts';
import { createDiscovery, readLists, tagText } from '../../../src/services/searching/discovery.ts';
import { searchFor } from '../../adapters/local/services.ts';
import { openStarterService } from '../../adapters/local/starter-service.ts';
import { errorOf, useRemote } from '../../adapters/remote/start-remote.ts';
import { createFakeLearningService } from '../../fakes/learning-service.ts';
import { searchOf } from '../../fakes/search-of.ts';
import { perProvider } from '../../fakes/upstream-replies.ts';
import { answersOf, searchDepsOf } from './discovery/discovery-parts.ts';
import { startSearch } from './discovery/search-upstream.ts';
import { ENGLISH, readAll, requestFor } from './plan/plan-events.ts';

const remote = useRemote({ timeoutMs: 20_000 });

let answers: ReturnType<typeof answersOf>;

beforeEach(() => {
  answers = answersOf(remote.upstreams.connect(remote.direct()), 'upstream.example');
});

test.each([500, 400])('one that cannot be had (%i) does not take the others away', async (status) => {
  remote.upstream.reply('bloom', { body: { hello: 1 } });
  remote.upstream.reply('type', { status, body: {} });
  const { providers, types, blooms, languages, missing } = await readLists(answers);
  expect(idsOf(providers)).toEqual(['tube', 'school']);
  expect(languages).toEqual([{ value: 'fr', description: 'French' }]);
  expect([types, blooms]).toEqual([[], []]);
  expect([...missing].sort()).toEqual(['blooms', 'types']);
});

test('one that takes long is not waited for, but not given up either', async () => {
  remote.upstream.reply('provider', { breaks: 'hang' });
  const { providers, types, missing } = await readLists(answers, { timeoutMs: 2_000 });
  expect(providers).toEqual([]);
  expect(types).toHaveLength(2);
  expect(missing).toEqual(['providers']);
  expect(remote.upstream.aborted).toEqual([]);
});

test('whoever goes away waits for none', async () => {
  remote.upstream.reply('lang', { breaks: 'hang' });
  const leaving = new AbortController();
  const reading = readLists(answers, { signal: leaving.signal, timeoutMs: 20_000 });
  reading.catch(() => {});
  await expect.poll(() => remote.upstream.requests.length).toBe(4);
  leaving.abort();
  await expect(reading).rejects.toThrow(leaving.signal.reason);
  await expect.poll(() => remote.upstream.aborted.length).toBe(1);
});

describe('with our own engine', () => {
  const answers = answersOf(openStarterService().learning);

  test.each([
    ['The course introduces machine learning with Python and its statistics.', 'en', 'machine learning'],
    ["Ce cours présente l'apprentissage automatique avec Python.", 'fr', 'apprentissage automatique'],
    ['Dieser Kurs ist eine Einführung in das maschinelle Lernen mit Python.', 'de', 'Python'],
  ])('a text is tagged in its language: %s', async (text, lang, tag) => {
    const found = await tagText(answers, { text });
    expect(found).toMatchObject({ lang, isLangDetected: true });
    expect(found.tags).toContain(tag);
  });

  test('a given language is kept', async () => {
    const text = 'The course introduces machine learning with Python.';
    expect(await tagText(answers, { text, lang: 'fr' })).toMatchObject({
      lang: 'fr',
      isLangDetected: false,
    });
  });
});

describe('with an upstream', () => {
  const remote = useRemote();
  const answers = () => answersOf(remote.upstreams.connect(remote.direct()), 'upstream.example');
  const text = 'Nous cherchons une boulangère expérimentée.';

  test('languages that it cannot list may still be those of the taxonomies', async () => {
    remote.upstream.reply('lang', { status: 500, body: {} });
    const found = await tagText(answers(), { text });
    expect(found).toMatchObject({ lang: 'fr', isLangDetected: true, tags: ['SQL', 'Teaching'] });
    expect(found.source.upstream).toBe('upstream.example');
  });

  test('languages that it lists are not the only ones', async () => {
    const found = await tagText(answers(), { text: 'We are looking for an experienced baker.' });
    expect(found).toMatchObject({ lang: 'en', isLangDetected: true });
  });

  test('a given language saves asking for the list', async () => {
    await tagText(answers(), { text, lang: 'fr' });
    expect(remote.upstream.requests.map(({ operation }) => operation)).toEqual(['tagger']);
  });

  test('it fails as the tagging does', async () => {
    remote.upstream.reply('tagger', { status: 400, body: {} });
    expect((await errorOf(tagText(answers(), { text }))).code).toBe('PARAMETERS_INVALID');
  });
});

describe('with our own engine', () => {
  const { learning } = openStarterService();
  const counted: string[] = [];
  const discovery = createDiscovery({
    ...searchDepsOf(answersOf(learning)),
    count: (metric) => counted.push(metric),
  });
  beforeEach(() => void counted.splice(0));

  test('a search is counted, and once more where it finds nothing', async () => {
    const { items } = await discovery.searchLearningObjects(searchFor('python'));
    expect(items).not.toEqual([]);
    expect(counted).toEqual(['searches']);
    await discovery.searchLearningObjects(searchFor('xqzwkjhg'));
    expect(counted).toEqual(['searches', 'searches', 'zero-result-searches']);
  });

  test('a search that fails is not counted', async () => {
    const search = discovery.searchLearningObjects(searchFor('python', { providers: ['nobody'] }));
    expect((await errorOf(search)).code).toBe('PROVIDER_UNKNOWN');
    expect(counted).toEqual([]);
  });

  test('the searches of a plan count as one, those of ways out as none', async () => {
    await readAll(discovery.planFromText(requestFor(ENGLISH)));
    expect(counted).toEqual(['searches']);
    const { didYouMean } = await discovery.findWaysOut(searchFor('pyhton', { free: true }));
    expect(didYouMean).not.toEqual([]);
    expect(counted).toEqual(['searches']);
  });

  test('all else is answered, too, and not counted', async () => {
    expect((await discovery.findSkills({ keywords: 'python' })).terms[0]!.label).toBe('Python');
    expect((await discovery.tagText('We teach Python.', 'en')).tags[0]).toBe('Python');
    expect((await discovery.complete('pyth', 'en')).suggestions[0]!.label).toBe('Python');
    expect(counted).toEqual([]);
  });

  test('the lists are those of the service', async () => {
    expect(await discovery.lists()).toEqual({
      providers: await learning.ask('listProviders', {}),
      types: await learning.ask('listTypes', {}),
      blooms: await learning.ask('listBlooms', {}),
      languages: await learning.ask('listLanguages', {}),
      missing: [],
    });
  });
});

describe('with an upstream', () => {
  const remote = useRemote({ timeoutMs: 20_000 });
  let discovery: Discovery;
  beforeEach(() => {
    const answers = answersOf(remote.upstreams.connect(remote.direct()), 'upstream.example');
    discovery = createDiscovery({ ...searchDepsOf(answers), count: () => {} });
  });

  test('nothing typed is completed without asking', async () => {
    expect((await discovery.complete('  ', 'en')).suggestions).toEqual([]);
    expect(remote.upstream.requests).toEqual([]);
    const { suggestions, source } = await discovery.complete('commu', 'en');
    expect(suggestions[0]).toEqual({ label: 'communication interne', score: 0.8 });
    expect(source.upstream).toBe('upstream.example');
  });

  test('the four lists are asked for at once', async () => {
    const names = ['provider', 'type', 'bloom', 'lang'] as const;
    for (const name of names) remote.upstream.reply(name, { breaks: 'hang' });
    const stop = new AbortController();
    const reading = discovery.lists({ signal: stop.signal });
    reading.catch(() => {});
    await expect.poll(() => remote.upstream.requests.length).toBe(4);
    stop.abort();
    await expect(reading).rejects.toThrow();
  });

  test('lists fail where one of them fails for good', async () => {
    const refused = new AppError('SECRET_UNREADABLE', 'The key of the upstream cannot be read.');
    const learning = { ...createFakeLearningService(), listBlooms: () => Promise.reject(refused) };
    const answers = answersOf(learning, 'upstream.example');
    expect((await errorOf(readLists(answers))).code).toBe('SECRET_UNREADABLE');
  });
});

describe('with an upstream of many providers', () => {
  const providers = Array.from({ length: 12 }, (_, number) => `p${number}`);
  /** A discovery, with the keys of the sessions it opened. */
  async function openMany() {
    const started = await startSearch({ providers });
    const answers = answersOf(started.learning, 'upstream.example');
    const opened: string[] = [];
    const deps = searchDepsOf(answers);
    const sessions: SearchSessions = {
      use(request, work) {
        opened.push(request.key);
        return deps.sessions.use(request, work);
      },
    };
    // No deadline: on a busy machine it would be over before all have answered.
    const startTimer = () => () => undefined;
    const discovery = createDiscovery({ ...deps, sessions, startTimer, count: () => {} });
    return { ...started, opened, discovery };
  }

  test('ways out ask a few of them, and give no number as exact that is not', async () => {
    const { discovery, asked } = await openMany();
    const { filters, isTotalWithoutFiltersExact } = await discovery.findWaysOut(searchOf({ free: true }));
    expect(filters).toMatchObject([
      { filter: 'lang', isTotalExact: false },
      { filter: 'free', isTotalExact: false },
    ]);
    expect(isTotalWithoutFiltersExact).toBe(false);
    expect(new Set(asked())).toEqual(new Set(providers.slice(0, 5).map((id) => `${id} 0`)));
  });

  test('who is too slow for ways out is not slow for searches', async () => {
    const started = await startSearch({ providers: ['tube', 'school'] });
    const slowProviders = createSlowProviders(systemClock);
    const deps = searchDepsOf(answersOf(started.learning, 'upstream.example'));
    const discovery = createDiscovery({ ...deps, slowProviders, count: () => {} });
    started.upstream.reply('search-provider', perProvider({ tube: { delayMs: 1_300 } }));
    await discovery.findWaysOut(searchOf({ free: true }));
    expect(slowProviders.has('tenant', 'tube')).toBe(false);
  });

  test('only searches whose pages are leafed through are remembered', async () => {
    const { discovery, opened } = await openMany();
    await discovery.findWaysOut(searchOf({ free: true }));
    await readAll(discovery.planFromText(requestFor(ENGLISH)));
    expect(opened).toEqual([]);
    await discovery.searchLearningObjects(searchOf());
    expect(opened).toHaveLength(1);
  });
});

const idsOf = (providers: readonly { readonly id: string }[]) => providers.map(({ id }) => id);
