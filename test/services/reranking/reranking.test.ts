import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRequestIds } from '../../../src/adapters/local/request-ids.ts';
import { createRemoteEncoder } from '../../../src/adapters/remote/remote-encoder.ts';
import type { LearningObject } from '../../../src/domain/learning-object.ts';
import type { LearningObjectQuery } from '../../../src/domain/learning-object-query.ts';
import type { LearningService } from '../../../src/ports/learning-service.ts';
import { createReranking } from '../../../src/services/reranking/reranking.ts';
import {
  aConcept,
  anObject,
  type OpenedService,
  openService,
  SECRET,
  searchFor,
  searchPages,
  searchUrls,
  writeCatalog,
} from '../../adapters/local/services.ts';
import {
  EMBEDDINGS_KEY,
  EMBEDDINGS_MODEL,
  embedWords,
  type FakeEmbeddings,
  startFakeEmbeddings,
} from '../../fakes/embeddings.ts';
import type { UpstreamReply } from '../../fakes/upstream-replies.ts';

const words =
  'web data image robot school bank game heart river network music market garden travel energy'.split(' ');
const wordAt = (index: number) => words[index % words.length]!;

/** A word of its own for each number. */
const letters = (index: number) => [...`${index}`].map((digit) => 'qwertzuiop'[Number(digit)]).join('');

/** 130 about Python, of which every second is about management as well, and every fourth is not free. */
const objects = Array.from({ length: 130 }, (_, i) =>
  anObject(`${i}`, {
    title: `Python ${wordAt(i)} ${wordAt(i * 7 + 3)}${i % 2 === 0 ? ' management' : ''}`,
    description: `About ${wordAt(i * 5 + 1)} and ${wordAt(i * 11 + 2)}, ${'more '.repeat(i % 6)}for lesson ${letters(i)}.`,
    popularity: (i % 10) / 10,
    free: i % 4 !== 0,
  }),
);

/** The others are more like their query than our own are. */
const concepts = words.flatMap((word, i) => [
  aConcept(`own:${i}`, `${word} systems developer`),
  aConcept(`other:${i}`, `${word} developer`, { source: 'Other' }),
]);

let engine: OpenedService;
let service: FakeEmbeddings;
let encoder: ReturnType<typeof createRemoteEncoder>;
let ranked: LearningService;
let problems: unknown[];
const dataDir = mkdtempSync(join(tmpdir(), 'skilldock-test-'));
beforeAll(() => {
  const catalogDir = join(dataDir, 'files');
  writeCatalog(catalogDir, { objects, concepts });
  engine = openService(catalogDir, dataDir);
});
afterAll(async () => {
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  service = await startFakeEmbeddings();
  ranked = open();
  return async () => {
    await encoder.close();
    await service.close();
  };
});

function open(learning: LearningService = engine.learning, timeoutMs = 10_000): LearningService {
  const { url } = service;
  encoder = createRemoteEncoder({ url, model: EMBEDDINGS_MODEL, apiKey: EMBEDDINGS_KEY, timeoutMs });
  problems = [];
  return createReranking({
    ...{ learning, ownSource: 'Skilldock', encoder, clock: engine.clock },
    issueRequestId: createRequestIds(SECRET, engine.clock).issue,
    onProblem: (error) => problems.push(error),
  });
}

const rest = ({ requestId: _, content: __, highlights: ___, ...others }: object & Record<string, unknown>) =>
  others;
const pagesOf = (learning: LearningService, query: LearningObjectQuery) =>
  searchPages(learning, query).then((pages) => pages.map(({ content }) => content.map(({ url }) => url)));

function cosine(a: string, b: string): number {
  const [one, other] = [embedWords(a), embedWords(b)];
  const product = one.reduce((sum, number, i) => sum + number * other[i]!, 0);
  return product / Math.hypot(...one) / Math.hypot(...other);
}

test('what is more like the query rises, and nothing else changes', async () => {
  const query = searchFor('python', { lang: 'en', max: 10 });
  const before = await engine.learning.searchProvider(query, { withDetails: true });
  const after = await ranked.searchProvider(query, { withDetails: true });
  const urls = ({ content }: typeof before) => content.map(({ url }) => url);
  expect(urls(after)).not.toEqual(urls(before));
  expect(rest({ ...after })).toEqual(rest({ ...before }));
  const meanLikeness = ({ content }: typeof before) =>
    content.reduce((sum, { title, description }) => sum + cosine('python', `${title}. ${description}`), 0);
  expect(meanLikeness(after)).toBeGreaterThan(meanLikeness(before));
});

test('one request with the keywords and 50 texts', async () => {
  await ranked.searchProvider(searchFor('python', { max: 10 }));
  expect(service.inputs.map(({ length }) => length)).toEqual([51]);
  const [[keywords, first] = []] = service.inputs;
  const { content } = await engine.learning.searchProvider(searchFor('python', { max: 1 }));
  expect(keywords).toBe('python');
  expect(first).toBe(`${content[0]!.title}. ${content[0]!.description}`.slice(0, 1_000).trim());
});

test.each([3, 7, 10, 16, 20])(
  'pages of %i have the same objects as those of the engine, each once',
  async (max) => {
    const query = searchFor('python', { max });
    const [before, after] = [await pagesOf(engine.learning, query), await pagesOf(ranked, query)];
    expect(after.map(({ length }) => length)).toEqual(before.map(({ length }) => length));
    const [engines, own] = [before.flat(), after.flat()];
    expect(own.toSorted()).toEqual(engines.toSorted());
    expect(own.slice(0, 50)).not.toEqual(engines.slice(0, 50));
    expect(own.slice(0, 50).toSorted()).toEqual(engines.slice(0, 50).toSorted());
    expect(own.slice(50)).toEqual(engines.slice(50));
  },
);

test('the size of a page is no matter', async () => {
  const [small, large] = [searchFor('management', { max: 7 }), searchFor('management', { max: 20 })];
  expect(await searchUrls(ranked, small)).toEqual(await searchUrls(ranked, large));
});

test('highlights go with their objects', async () => {
  const find = async (learning: LearningService) => {
    const query = searchFor('python management', { max: 20 });
    const pages = await Promise.all(
      [0, 1, 2].map((page) => learning.searchProvider({ ...query, page }, { withDetails: true })),
    );
    return new Map(
      pages.flatMap(({ content, highlights }) => content.map(({ url }, i) => [url, highlights![i]])),
    );
  };
  const [before, after] = [await find(engine.learning), await find(ranked)];
  // The third page goes beyond what is re-ranked.
  expect(after.size).toBe(60);
  for (const [url, highlight] of after) expect(highlight).toEqual(before.get(url));
});

test('what fits stays before what fits in another language, and before what is close', async () => {
  const query = searchFor('python management', { model: 'extended', prefer: 'en', max: 50 });
  const found = await engine.learning.searchProvider(query);
  const tiers = found.content.map((_, i) => (i < 7 ? 'fitting' : i < 20 ? 'other-language' : 'close'));
  const { content } = await open({
    ...engine.learning,
    searchProvider: async () => ({ ...found, tiers }),
  }).searchProvider(query);
  const urlsOf = (objects: readonly LearningObject[]) => objects.map(({ url }) => url);
  expect(urlsOf(content)).not.toEqual(urlsOf(found.content));
  for (const [from, to] of [
    [0, 7],
    [7, 20],
    [20, 50],
  ])
    expect(urlsOf(content.slice(from, to)).sort()).toEqual(urlsOf(found.content.slice(from, to)).sort());
});

test('feedback is taken on every object of a page, by the id of that page', async () => {
  for (const page of [0, 1, 2, 3]) {
    const { requestId, content } = await ranked.searchProvider(searchFor('python', { max: 20, page }));
    expect(content).toHaveLength(20);
    for (const { url } of content)
      await ranked.feedback({ url, requestId, email: 'ada@example.org', source: 'https://example.org' });
  }
});

test('searchMany is re-ranked as well', async () => {
  const query = searchFor('python');
  const [before, after] = [await engine.learning.searchMany(query), await ranked.searchMany(query)];
  expect(after!.content).not.toEqual(before!.content);
});

test.each<[string, Partial<LearningObjectQuery>]>([
  ['a random order', { sort: 'random' }],
  ['a search without keywords', { keywords: ' ' }],
  ['what comes after the 50th', { page: 5 }],
  ['a search that finds nothing', { keywords: 'qqqqzzzz', match: 'strict' }],
  ['a search in which a filter yielded', { free: false }],
])('%s is left alone, and nothing is sent', async (_what, changes) => {
  const query = searchFor('python', { max: 10, ...changes });
  const [before, after] = [await engine.learning.searchProvider(query), await ranked.searchProvider(query)];
  expect(after.content).toEqual(before.content);
  expect(service.inputs).toEqual([]);
});

test('a filter that excludes is no reason to leave it', async () => {
  const query = searchFor('python', { free: true, match: 'strict' });
  await ranked.searchProvider(query);
  expect(service.inputs).toHaveLength(1);
});

describe('similar', () => {
  const isOwn = ({ source }: { source: string }) => source.startsWith('Skilldock');
  const request = { keywords: 'developer', lang: 'en', max: 30 };

  test('own terms stay first, scores fall as before, and the order is another', async () => {
    const [before, after] = [await engine.learning.similar(request), await ranked.similar(request)];
    const key = ({ label, source }: { label: string; source: string }) => `${source} ${label}`;
    expect(after.map(isOwn)).toEqual(before.map(isOwn));
    expect(new Set(after.map(isOwn))).toEqual(new Set([true, false]));
    expect(after.map(({ score }) => score)).toEqual(before.map(({ score }) => score));
    expect(after.map(key)).not.toEqual(before.map(key));
    for (const part of [true, false]) {
      const of = (terms: typeof before) => terms.filter((term) => isOwn(term) === part).map(key);
      expect(of([...after]).toSorted()).toEqual(of([...before]).toSorted());
    }
  });

  test("is the engine's own where the service fails", async () => {
    service.reply({ status: 500, body: {} });
    expect(await ranked.similar(request)).toEqual(await engine.learning.similar(request));
    expect(problems).toHaveLength(1);
  });
});

describe('where the service fails, the order is that of the engine:', () => {
  test.each<[string, UpstreamReply]>([
    ['it refuses the key', { status: 401, body: {} }],
    ['it allows no more', { status: 429, body: {} }],
    ['it fails', { status: 500, body: {} }],
    ['it is late', { breaks: 'hang' }],
    ['it breaks off', { breaks: 'reset' }],
    ['it answers nonsense', { body: { data: [] } }],
  ])('%s', async (_what, reply) => {
    const learning = reply.breaks === 'hang' ? open(engine.learning, 100) : ranked;
    service.reply(reply);
    const query = searchFor('python', { max: 10 });
    const [before, after] = [
      await engine.learning.searchProvider(query),
      await learning.searchProvider(query),
    ];
    expect(after.content).toEqual(before.content);
    expect(problems).toMatchObject([{ name: 'AppError' }]);
  });

  test('it is told once a minute', async () => {
    service.reply({ status: 400, body: {} });
    for (const keywords of ['python', 'web', 'data']) await ranked.searchProvider(searchFor(keywords));
    expect(problems).toHaveLength(1);
    engine.clock.advance(60_000);
    await ranked.searchProvider(searchFor('robot'));
    expect(problems).toHaveLength(2);
  });

  test('a search goes on in the order in which it began, and is re-ranked when it begins again', async () => {
    const query = searchFor('python', { max: 10 });
    const [first, second] = await pagesOf(engine.learning, query);
    const urls = async (page: number) =>
      (await ranked.searchProvider({ ...query, page })).content.map(({ url }) => url);
    service.reply({ status: 400, body: {} }, undefined);
    expect(await urls(0)).toEqual(first);
    expect(await urls(1)).toEqual(second);
    expect(await urls(0)).not.toEqual(first);
    expect(await urls(1)).not.toEqual(second);
    service.reply({ status: 400, body: {} });
    expect(await urls(0)).not.toEqual(first);
  });
});

test('no half of a character is sent', async () => {
  const keywords = `python ${'!'.repeat(992)}`;
  await ranked.searchProvider(searchFor(`${keywords}🐍`));
  expect(service.inputs[0]?.[0]).toBe(`${keywords}\ufffd`);
});

test.each<[string, number, (page: readonly LearningObject[]) => LearningObject]>([
  ['lacks what the page has', 0, ([first]) => ({ ...first!, url: 'https://example.org/new' })],
  // The third page goes beyond the 50 that are re-ranked.
  ['has what the page has after it', 2, (page) => page[15]!],
])('a page stays as it is where the catalogue changed, so that the window %s', async (_what, page, other) => {
  const query = searchFor('python', { page, max: 20 });
  const before = await engine.learning.searchProvider(query);
  const searchProvider: LearningService['searchProvider'] = async (asked, options) => {
    const answer = await engine.learning.searchProvider(asked, options);
    const [, ...others] = answer.content;
    return asked.max === 50 ? { ...answer, content: [other(before.content), ...others] } : answer;
  };
  const after = await open({ ...engine.learning, searchProvider }).searchProvider(query);
  expect(after.content).toEqual(before.content);
  expect(service.inputs).toEqual([]);
});

test('whoever goes away is told so, and nobody else', async () => {
  service.reply({ breaks: 'hang' });
  const controller = new AbortController();
  const search = ranked.searchProvider(searchFor('python'), { signal: controller.signal });
  await expect.poll(() => service.inputs.length).toBe(1);
  controller.abort(new Error('nobody waits'));
  await expect(search).rejects.toThrow('nobody waits');
  expect(problems).toEqual([]);
});
