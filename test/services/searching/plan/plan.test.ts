import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { normalizeObjectAddress } from '../../../../src/domain/learning-object.ts';
import { AppError } from '../../../../src/errors.ts';
import type { LearningObjectHit, SearchResult } from '../../../../src/services/searching/discovery/results.ts';
import { createDiscoverySearch } from '../../../../src/services/searching/discovery/search.ts';
import { type PlanDeps, planFromText } from '../../../../src/services/searching/plan/plan.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { createFakeLearningService } from '../../../fakes/learning-service.ts';
import { answersOf, searchDepsOf } from '../discovery/discovery-parts.ts';
import { anything, ENGLISH, endsOf, FRENCH, itemsOf, readAll, requestFor, skillsOf } from './plan-events.ts';

describe('with our own engine', () => {
  const { learning } = openStarterService();
  const answers = answersOf(learning);
  const counted: string[] = [];
  const deps: PlanDeps = {
    answers,
    search: createDiscoverySearch(searchDepsOf(answers)),
    count: (metric) => counted.push(metric),
  };
  beforeEach(() => void counted.splice(0));

  test.each([
    ['an English syllabus', ENGLISH, 'en', ['SQL', 'machine learning', 'Python', 'public speaking']],
    ['a French job', FRENCH, 'fr', ['gérer les stocks', 'boulanger']],
  ])('%s becomes a sensible plan', async (_name, text, lang, expected) => {
    const events = await readAll(planFromText(deps, requestFor(text, { maxSkills: 10 })));
    const skills = skillsOf(events);
    expect(events[0]).toMatchObject({ kind: 'skills', lang, isLangDetected: true });
    expect(skills.map(({ label }) => label)).toEqual(expect.arrayContaining(expected));
    expect(skills[0]!.weight).toBe(1);
    expect(skills.map(({ weight }) => weight)).toEqual(skills.map(({ weight }) => weight).toSorted((a, b) => b - a));
    expect(endsOf(events).map(([skill]) => skill)).toEqual(skills.map(({ label }) => label));
    expect(itemsOf(events).length).toBeGreaterThan(3);
    expect(events.at(-1)).toEqual({ kind: 'done' });
  });

  test('there are as many skills, and objects for each, as were asked for', async () => {
    const events = await readAll(planFromText(deps, requestFor(ENGLISH, { maxSkills: 2, perSkill: 1 })));
    expect(endsOf(events)).toHaveLength(2);
    expect(itemsOf(events)).toHaveLength(2);
  });

  test('the searches are those of the request', async () => {
    const query = { ...anything, lang: 'de', important: new Set(['lang'] as const) };
    const events = await readAll(planFromText(deps, requestFor(ENGLISH, { query })));
    expect(itemsOf(events).length).toBeGreaterThan(0);
    expect(new Set(itemsOf(events).map(({ object }) => object.lang))).toEqual(new Set(['de']));
  });

  test('Walk U3: objects in the language of the text come first, and others where there are none', async () => {
    const lax = { ...anything, match: 'best-effort' } as const;
    const firsts = (events: Awaited<ReturnType<typeof readAll>>) =>
      events.flatMap((event) => (event.kind === 'objects' ? event.items.slice(0, 1) : []));
    const found = firsts(await readAll(planFromText(deps, requestFor(ENGLISH, { query: lax }))));
    expect(found.length).toBeGreaterThan(2);
    expect(found.map(({ object }) => object.lang)).toEqual(found.map(() => 'en'));
    const short = firsts(await readAll(planFromText(deps, requestFor('Python', { query: lax, usualLang: 'fr' }))));
    expect(short.map(({ object }) => object.lang)).toEqual(['fr']);
  });

  test('Walk U3: a skill that a chosen object names, in whatever language, is not missing', async () => {
    const text = `Bases de la comptabilité\n
Séance 1 : À quoi sert la comptabilité\nRôle de la comptabilité, partie double, débit et crédit\n
Séance 2 : Bilan et compte de résultat\nLire un bilan, calculer un résultat`;
    const query = { ...anything, match: 'best-effort' } as const;
    const events = await readAll(planFromText(deps, requestFor(text, { query, isSyllabus: true, lang: 'fr' })));
    expect(itemsOf(events).length).toBeGreaterThan(3);
    expect(events.flatMap((event) => ('uncovered' in event ? event.uncovered : []))).toEqual([]);
  });

  test.each(['', ' \n ', 'xqzw kjhg'])('a text without skills, "%s", is an empty plan', async (text) => {
    expect(await readAll(planFromText(deps, requestFor(text)))).toEqual([
      { kind: 'skills', skills: [], lang: 'en', isLangDetected: false },
      { kind: 'done' },
    ]);
    expect(counted).toEqual([]);
  });

  test('it counts as one search, without result where nothing is found', async () => {
    await readAll(planFromText(deps, requestFor(ENGLISH)));
    expect(counted).toEqual(['searches']);
    const query = { ...anything, publisher: 'nobody', important: new Set(['publisher'] as const) };
    const events = await readAll(planFromText(deps, requestFor(ENGLISH, { query })));
    expect(itemsOf(events)).toEqual([]);
    expect(counted).toEqual(['searches', 'searches', 'zero-result-searches']);
  });
});

describe('with any results in any order', () => {
  const labels = ['A', 'B', 'C', 'D', 'E', 'F'];
  const result = (urls: readonly string[]): SearchResult => {
    const source = { upstream: null, freshness: 'fresh', answeredAt: new Date(0) } as const;
    const found = { quality: 'A00', source } as const;
    const items = urls.map(
      (url): LearningObjectHit => ({
        ...found,
        object: { title: url, url, bloom: [], type: [], publisher: [], author: [] },
        requestId: 'r',
        providerId: null,
      }),
    );
    const paging = {
      requestId: 'r',
      page: 0,
      itemsPerPage: 20,
      totalItems: items.length,
      isTotalExact: true,
      hasMore: false,
    };
    return { ...found, ...paging, items, missing: [] };
  };
  /** What a plan needs, over these searches: addresses, or the error of one that fails. */
  const depsOver = (searches: readonly (readonly string[] | Error)[], delays: readonly number[] = []) => {
    const tagged = { tokenizedText: '', lang: 'en', tags: labels.slice(0, searches.length) };
    const answers = answersOf({
      ...createFakeLearningService(),
      tagger: async () => tagged,
      listLanguages: async () => [],
    });
    const search: PlanDeps['search'] = async ({ keywords: label }) => {
      const at = labels.indexOf(label);
      for (let turn = 0; turn < (delays[at] ?? 0); turn++) await sleep(0);
      const found = searches[at]!;
      if (found instanceof Error) throw found;
      return result(found);
    };
    return { answers, search, count: () => {} };
  };
  const planOver = (...plan: Parameters<typeof depsOver>) =>
    readAll(planFromText(depsOver(...plan), requestFor('text', { maxSkills: 6, perSkill: 2 })));

  const url = fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'https://www.'),
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom('', '/', '#a'),
    )
    .map(([start, number, end]) => `${start}example.org/${number}${end}`);
  const searches = fc.array(
    fc.oneof({ weight: 5, arbitrary: fc.array(url, { maxLength: 8 }) }, fc.constant(new Error('broken'))),
    { minLength: 1, maxLength: 6 },
  );

  test('no object is given twice, and every skill ends once', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(searches, delays, async (found, waits) => {
        const events = await planOver(found, waits);
        const addresses = itemsOf(events).map(({ object }) => normalizeObjectAddress(object.url));
        expect(new Set(addresses).size).toBe(addresses.length);
        expect(
          endsOf(events)
            .map(([skill]) => skill)
            .toSorted(),
        ).toEqual(labels.slice(0, found.length));
        expect(events.map(({ kind }) => kind).filter((kind) => kind === 'done' || kind === 'skills')).toEqual([
          'skills',
          'done',
        ]);
        expect(events.at(-1)!.kind).toBe('done');
      }),
    );
  });

  test('of results that come together, the heavier skill has the first choice', async () => {
    const same = ['https://example.org/1', 'https://example.org/2', 'https://example.org/3'];
    const search: PlanDeps['search'] = async ({ keywords }) => {
      for (let turn = 0; keywords === 'A' && turn < 20; turn++) await Promise.resolve();
      return result(same);
    };
    const request = requestFor('text', { perSkill: 2 });
    expect(endsOf(await readAll(planFromText({ ...depsOver([same, same]), search }, request)))).toEqual([
      ['A', 2],
      ['B', 1],
    ]);
  });

  test('what is only close to a skill is not part of it', async () => {
    const search: PlanDeps['search'] = async () => {
      const { items, ...found } = result(['https://example.org/1', 'https://example.org/2', 'https://example.org/3']);
      const tiers = [undefined, 'other-language', 'close'] as const;
      return { ...found, items: items.map((item, i) => ({ ...item, ...(tiers[i] && { tier: tiers[i] }) })) };
    };
    const events = await readAll(planFromText({ ...depsOver([[]]), search }, requestFor('text')));
    expect(itemsOf(events).map(({ object }) => object.url)).toEqual(['https://example.org/1', 'https://example.org/2']);
  });

  test.each([
    ['Python for beginners\nAll advanced tools', {}, { levelMax: -0.2 }],
    ['Python avancé\nWeek 1', {}, { levelMin: 0.2 }],
    ['Python\nfor beginners', {}, {}],
    ['Python for beginners', { levelMin: 0.5 }, { levelMin: 0.5 }],
    ['Python for beginners', { match: 'strict' }, {}],
  ] as const)('the level is what the first line says: %j with %j', async (text, query, levels) => {
    const asked: object[] = [];
    const search: PlanDeps['search'] = async ({ levelMin, levelMax }) => {
      asked.push({
        ...(levelMin !== undefined && { levelMin }),
        ...(levelMax !== undefined && { levelMax }),
      });
      return result([]);
    };
    const request = requestFor(text, { query: { ...anything, match: 'best-effort', ...query } });
    await readAll(planFromText({ ...depsOver([[]]), search }, request));
    expect(asked).toEqual([levels]);
  });

  test('a week has three skills at most, below its own words', async () => {
    const search: PlanDeps['search'] = async ({ keywords }) => {
      const named = labels.slice(0, 5).filter((label) => keywords === label);
      return result((named.length > 0 ? named : labels).map((label) => `https://example.org/${label}`));
    };
    const request = requestFor('Week 1: bread\nb\nWeek 2: cake\nd', { isSyllabus: true, maxSkills: 30 });
    const events = await readAll(planFromText({ ...depsOver([[], [], [], [], []]), search }, request));
    expect(skillsOf(events).map(({ label, week }) => [label, week])).toEqual([
      ['bread', 0],
      ['A', 0],
      ['B', 0],
      ['C', 0],
      ['cake', 1],
      ['D', 1],
      ['E', 1],
    ]);
  });

  test('Walk U3: an object that serves two weeks is in both, after new ones', async () => {
    const search: PlanDeps['search'] = async ({ keywords }) =>
      result(
        keywords.startsWith('Bread') ? ['https://example.org/1'] : ['https://example.org/1', 'https://example.org/2'],
      );
    const request = requestFor('Week 1: Bread\nWeek 2: Cake\nWeek 3: Exam', { isSyllabus: true });
    const events = await readAll(planFromText({ ...depsOver([]), search }, request));
    const weeks = events.flatMap((event) => (event.kind === 'objects' ? [event] : []));
    expect(weeks.map(({ skill, items }) => [skill, items.map(({ object }) => object.url)])).toEqual([
      ['Bread', ['https://example.org/1']],
      ['Cake', ['https://example.org/2', 'https://example.org/1']],
    ]);
  });

  test('an object of one skill that has nothing of the week does not belong to it', async () => {
    const search: PlanDeps['search'] = async ({ keywords }) =>
      result(keywords === 'A' ? ['https://example.org/other'] : ['https://example.org/1']);
    const request = requestFor('Week 1: Bread\nWeek 2: Cake', { isSyllabus: true });
    const events = await readAll(planFromText({ ...depsOver([[]]), search }, request));
    expect(new Set(itemsOf(events).map(({ object }) => object.url))).toEqual(new Set(['https://example.org/1']));
  });

  test('what comes first is given first', async () => {
    const same = ['https://example.org/1', 'https://example.org/2', 'https://example.org/3'];
    expect(endsOf(await planOver([same, same], [30, 0]))).toEqual([
      ['B', 2],
      ['A', 1],
    ]);
  });

  test('a failure is told by its code', async () => {
    const late = new AppError('UPSTREAM_TIMEOUT', 'It did not answer.');
    expect(endsOf(await planOver([late, new Error('broken')]))).toEqual([
      ['A', 'UPSTREAM_TIMEOUT'],
      ['B', 'INTERNAL'],
    ]);
  });

  test('searches that are under way are told to give up', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const search: PlanDeps['search'] = (_query, options) => {
      signals.push(options?.signal);
      return new Promise((_resolve, reject) =>
        options!.signal!.addEventListener('abort', () => reject(new Error('given up'))),
      );
    };
    const events = planFromText({ ...depsOver([[], []]), search }, requestFor('text'))[Symbol.asyncIterator]();
    await events.next();
    const next = events.next();
    await expect.poll(() => signals.length).toBe(2);
    await events.return!();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });
});
