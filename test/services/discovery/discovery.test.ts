import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/ports/clock.ts';
import { createDiscovery, type Discovery } from '../../../src/services/discovery/discovery.ts';
import { createSlowProviders } from '../../../src/services/discovery/provider-calls.ts';
import type { SearchSessions } from '../../../src/services/discovery/search-sessions.ts';
import { searchFor } from '../../adapters/local/services.ts';
import { openStarterService } from '../../adapters/local/starter-service.ts';
import { errorOf, useRemote } from '../../adapters/remote/start-remote.ts';
import { searchOf } from '../../fakes/search-of.ts';
import { perProvider } from '../../fakes/upstream-replies.ts';
import { answersOf, searchDepsOf } from './discovery-parts.ts';
import { ENGLISH, readAll, requestFor } from './plan-events.ts';
import { startSearch } from './search-upstream.ts';

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
    expect((await discovery.complete('pyth')).suggestions[0]!.label).toBe('Python');
    expect(counted).toEqual([]);
  });

  test('the lists are those of the service', async () => {
    expect(await discovery.lists()).toEqual({
      providers: await learning.listProviders(),
      types: await learning.listTypes(),
      blooms: await learning.listBlooms(),
      languages: await learning.listLanguages(),
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
    expect((await discovery.complete('  ')).suggestions).toEqual([]);
    expect(remote.upstream.requests).toEqual([]);
    const { suggestions, source } = await discovery.complete('commu');
    expect(suggestions[0]).toEqual({ label: 'communication interne', score: 0.8 });
    expect(source.upstream).toBe('upstream.example');
  });

  test('the four lists are asked for at once', async () => {
    const names = ['provider', 'type', 'bloom', 'lang'] as const;
    for (const name of names) remote.upstream.reply(name, { breaks: 'hang' });
    const stop = new AbortController();
    const reading = discovery.lists({ signal: stop.signal });
    reading.catch(() => {});
    await expect.poll(() => remote.upstream.requests.length, { timeout: 10_000 }).toBe(4);
    stop.abort();
    await expect(reading).rejects.toThrow();
  });

  test('lists fail where one of them does', async () => {
    remote.upstream.reply('bloom', { status: 400, body: {} });
    expect((await errorOf(discovery.lists())).code).toBe('PARAMETERS_INVALID');
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
    return { ...started, opened, discovery: createDiscovery({ ...deps, sessions, count: () => {} }) };
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
