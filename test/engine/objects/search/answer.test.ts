import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObjectFilters } from '../../../../src/engine/objects/types.ts';
import { MAX_QUERY_WORDS } from '../../../../src/engine/text/tokenize.ts';
import { findIds, indexOf, makeDocument, makeQuery } from '../fixtures.ts';

describe('sort', () => {
  test('lets popularity decide among comparably relevant objects only', () => {
    const index = indexOf(
      makeDocument({ id: 'unpopular', title: 'algebra', popularity: 0 }),
      makeDocument({ id: 'popular', title: 'algebra', popularity: 1 }),
      makeDocument({ id: 'unknown', title: 'algebra' }),
      makeDocument({ id: 'aside', description: `algebra ${'filler '.repeat(40)}`, popularity: 1 }),
    );
    const ids = findIds(index, { keywords: 'algebra' });
    expect([ids[0], ids[3]]).toEqual(['popular', 'aside']);
  });

  test('sorts by length within fitting hits of one language', () => {
    const index = indexOf(
      makeDocument({ id: 'hour', title: 'linear algebra matrices', minutes: 60, popularity: 1 }),
      makeDocument({ id: 'unknown', title: 'linear algebra matrices', popularity: 1 }),
      makeDocument({ id: 'dead', title: 'linear algebra matrices', minutes: 1, isDead: true }),
      makeDocument({ id: 'half', title: 'linear algebra matrices', minutes: 30 }),
      makeDocument({ id: 'partly', title: 'algebra matrices', minutes: 1 }),
      makeDocument({ id: 'fr', title: 'linear algebra matrices', minutes: 5, lang: 'fr' }),
    );
    expect(
      findIds(index, { keywords: 'linear algebra matrices', sort: 'shortest', prefer: 'en', looseFrom: 0 }),
    ).toEqual(['half', 'hour', 'unknown', 'fr', 'partly', 'dead']);
  });

  const index = indexOf(...Array.from({ length: 60 }, (_, i) => makeDocument({ id: `object-${i}`, title: 'data' })));
  const shuffled = (seed: string, limit: number, offset = 0) =>
    findIds(index, { keywords: 'data', sort: 'random', seed, limit, offset });

  test('shuffles equally on all pages of a seed, and differently for another seed', () => {
    const whole = shuffled('monday', 60);
    expect([0, 20, 40].flatMap((offset) => shuffled('monday', 20, offset))).toEqual(whole);
    expect(shuffled('monday', 60)).toEqual(whole);
    expect(shuffled('tuesday', 60)).not.toEqual(whole);
    expect([...shuffled('tuesday', 60)].sort()).toEqual([...whole].sort());
  });

  test('shuffles documents that meet a filter before those that do not', () => {
    const shuffled = indexOf(
      ...Array.from({ length: 40 }, (_, i) => makeDocument({ id: `d${i}`, title: 'data', free: i % 2 === 0 })),
    );
    const filters = { free: { value: true, strict: false } };
    const ids = findIds(shuffled, { keywords: 'data', sort: 'random', seed: 's', filters, limit: 40 });
    expect(ids.slice(0, 20).every((id) => Number(id.slice(1)) % 2 === 0)).toBe(true);
    expect(ids.slice(0, 20)).not.toEqual(ids.slice(0, 20).toSorted());
  });

  test('shuffles within the tiers', () => {
    const ids = (name: string) => Array.from({ length: 20 }, (_, i) => `${name}${i}`);
    const description = `linear algebra matrices${' and much more'.repeat(20)}`;
    const tiers = indexOf(
      ...ids('en').map((id) => makeDocument({ id, title: 'linear algebra matrices' })),
      ...ids('fr').map((id) => makeDocument({ id, title: 'linear algebra matrices', lang: 'fr' })),
      ...ids('close').map((id) => makeDocument({ id, title: 'studies', description })),
    );
    const asked = { keywords: 'linear algebra matrices', sort: 'random', seed: 's', prefer: 'en' } as const;
    const found = findIds(tiers, { ...asked, limit: 60 });
    expect(found.map((id) => id.replace(/\d+/, ''))).toEqual(
      ['en', 'fr', 'close'].flatMap((name) => Array.from({ length: 20 }, () => name)),
    );
    expect(found.slice(0, 20)).not.toEqual(ids('en'));
  });

  test('returns no other languages if a filter names one', () => {
    const index = indexOf(
      makeDocument({ id: 'en', title: 'docker' }),
      makeDocument({ id: 'fr', title: 'docker', lang: 'fr' }),
    );
    const tiersFor = (filters: ObjectFilters) =>
      index.search(makeQuery({ keywords: 'docker', prefer: 'en', filters })).hits.map(({ tier }) => tier);
    expect(tiersFor({})).toEqual(['fitting', 'other-language']);
    expect(tiersFor({ lang: { values: ['fr'], strict: true } })).toEqual(['fitting']);
    expect(tiersFor({ lang: { values: ['fr'], strict: false } })).toEqual(['fitting', 'fitting']);
  });

  test('shuffles independently of relevance', () => {
    expect(shuffled('monday', 60)).not.toEqual(findIds(index, { keywords: 'data', limit: 60 }));
  });
});

describe('paging', () => {
  const index = indexOf(
    ...Array.from({ length: 100 }, (_, i) =>
      makeDocument({ id: `object-${i}`, title: 'data course '.repeat(1 + (i % 5)), popularity: (i % 3) / 3 }),
    ),
  );

  test('splits one list into pages, without gap or overlap', () => {
    const whole = findIds(index, { keywords: 'data', limit: 100 });
    expect(new Set(whole).size).toBe(100);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), (limit) => {
        const pages = Array.from({ length: Math.ceil(100 / limit) }, (_, page) =>
          findIds(index, { keywords: 'data', limit, offset: page * limit }),
        );
        expect(pages.flat()).toEqual(whole);
      }),
    );
  });

  test('returns no hits beyond the end, with the same total', () => {
    const answer = index.search(makeQuery({ keywords: 'data', offset: 1_000_000, limit: 10 }));
    expect(answer).toMatchObject({ hits: [], total: 100, exact: true });
  });
});

describe('tiers', () => {
  const filler = 'words of something else that is told at length, and without any end to be seen '.repeat(4);
  const index = indexOf(
    makeDocument({ id: 'aside', description: `${filler} knitting patterns`, popularity: 1 }),
    makeDocument({ id: 'fremd', title: 'knitting patterns', lang: 'de', popularity: 1 }),
    makeDocument({
      id: 'half',
      title: 'a pattern of behaviour that others have seen as well',
      popularity: 1,
    }),
    makeDocument({ id: 'title', title: 'knitting patterns', popularity: 0 }),
    ...['the patterns', 'their patterns', 'behaviour', 'behaviours', 'with knitting and others'].map((title, i) =>
      makeDocument({ id: `other-${i}`, description: `${filler} ${title}` }),
    ),
  );
  const find = (wanted: Parameters<typeof makeQuery>[0]) =>
    index.search(makeQuery({ keywords: 'knitting patterns', prefer: 'en', ...wanted })).hits;

  test('ranks fitting hits before those in other languages, and these before mere mentions', () => {
    expect(find({}).map(({ id, tier }) => [id, tier])).toEqual([
      ['title', 'fitting'],
      ['fremd', 'other-language'],
      ['aside', 'close'],
    ]);
  });

  test('returns documents with some of the words as close, if looseFrom is set', () => {
    const loose = find({ looseFrom: 0 });
    expect(loose.slice(0, 3).map(({ tier }) => tier)).toEqual(['fitting', 'other-language', 'close']);
    expect(loose.find(({ id }) => id === 'half')).toMatchObject({ tier: 'close', complete: false });
  });

  test('lets all hits of the strict model fit, unless another language has much better ones', () => {
    expect(find({ model: 'strict' }).map(({ id, tier }) => [id, tier])).toEqual([
      ['title', 'fitting'],
      ['fremd', 'other-language'],
      ['aside', 'close'],
    ]);
    const spoken = { lang: { values: ['en'], strict: true } };
    expect(find({ model: 'strict', filters: spoken }).map(({ tier }) => tier)).toEqual(['fitting', 'fitting']);
  });

  test('lets a whole phrase fit with a lower score, but not a part of it', () => {
    const expand = (words: readonly string[]) =>
      words.length < 2 ? [] : [{ start: 0, end: 2, synonyms: [{ words: ['crochet'], lang: 'en' }], related: [] }];
    const sentence = 'knitting patterns neighbours grandmother evenings';
    const tiersWith = (more: object) =>
      new Map(find({ keywords: sentence, looseFrom: 0, ...more }).map(({ id, tier }) => [id, tier]));
    expect(tiersWith({}).get('title')).toBe('close');
    expect(tiersWith({ expand }).get('title')).toBe('fitting');
    expect(tiersWith({ expand }).get('half')).not.toBe('fitting');
  });
});

describe('exact', () => {
  const index = indexOf(
    makeDocument({ id: 'both', title: 'python data', free: true }),
    makeDocument({ id: 'one', title: 'python', free: false }),
    makeDocument({ id: 'neither', title: 'java' }),
    makeDocument({ id: 'nothing', title: 'chess' }),
  );
  const isExact = (wanted: Parameters<typeof makeQuery>[0]) => index.search(makeQuery(wanted)).exact;

  test('is true if the best hits have every word and meet every filter', () => {
    expect(isExact({ keywords: 'python' })).toBe(true);
    expect(isExact({ keywords: 'python data', limit: 1 })).toBe(true);
    expect(isExact({ keywords: 'python data', looseFrom: 0, limit: 2 })).toBe(false);
    expect(isExact({ keywords: 'python', filters: { free: { value: true, strict: false } }, limit: 1 })).toBe(true);
    expect(isExact({ keywords: 'python', filters: { free: { value: true, strict: false } }, limit: 2 })).toBe(false);
  });

  test('describes the first page on every page', () => {
    expect(isExact({ keywords: 'python data', limit: 1, offset: 1 })).toBe(true);
  });

  test('is false for guesses, without hits, or if words were left out', () => {
    expect(isExact({ keywords: 'pyhton' })).toBe(false);
    expect(isExact({ keywords: 'nowhere' })).toBe(false);
    const many = Array.from({ length: MAX_QUERY_WORDS + 1 }, (_, i) => `word${i}`).join(' ');
    const own = indexOf(makeDocument({ id: 'long', title: many }));
    expect(own.search(makeQuery({ keywords: many })).exact).toBe(false);
    expect(own.search(makeQuery({ keywords: many.replace(/ \S+$/, '') })).exact).toBe(true);
  });
});

describe('facets', () => {
  const index = indexOf(
    makeDocument({ id: 'a', title: 'data', types: ['video'], provider: 'alpha' }),
    makeDocument({ id: 'b', title: 'data', types: ['video', 'book'], provider: 'beta' }),
    makeDocument({ id: 'c', title: 'data', types: [], provider: 'beta' }),
    makeDocument({ id: 'd', title: 'other', types: ['app'], provider: 'beta' }),
  );
  const facets = (filters = {}) => index.search(makeQuery({ keywords: 'data', filters, details: true })).facets!;

  test('count matches by value, without unknown values', () => {
    expect(facets().type).toEqual(
      new Map([
        ['video', 2],
        ['book', 1],
      ]),
    );
    expect(facets().provider).toEqual(
      new Map([
        ['alpha', 1],
        ['beta', 2],
      ]),
    );
    expect(facets().bloom).toEqual(new Map());
  });

  test('ignore only the filter on their field', () => {
    const filters = {
      type: { values: ['book'], strict: true },
      provider: { values: ['beta'], strict: true },
    };
    expect(facets(filters).type).toEqual(
      new Map([
        ['video', 1],
        ['book', 1],
      ]),
    );
    expect(facets(filters).provider).toEqual(new Map([['beta', 1]]));
    expect(facets(filters).lang).toEqual(new Map([['en', 1]]));
  });

  test('are returned only with details, which change neither hits nor total', () => {
    const filters = { type: { values: ['video'], strict: true } };
    const plain = index.search(makeQuery({ keywords: 'data', filters }));
    const { facets: counts, terms, ...rest } = index.search(makeQuery({ keywords: 'data', filters, details: true }));
    expect(plain).toEqual(rest);
    expect(counts).toBeDefined();
    expect(terms).toContain('data/en');
  });
});
