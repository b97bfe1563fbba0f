import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_QUERY_WORDS } from '../../../../src/engine/text/tokenize.ts';
import { findIds, indexOf, makeDocument, makeQuery } from '../fixtures.ts';

describe('sort', () => {
  test('popularity decides among comparably relevant objects only', () => {
    const index = indexOf(
      makeDocument({ id: 'unpopular', title: 'algebra', popularity: 0 }),
      makeDocument({ id: 'popular', title: 'algebra', popularity: 1 }),
      makeDocument({ id: 'unknown', title: 'algebra' }),
      makeDocument({ id: 'aside', description: `algebra ${'filler '.repeat(40)}`, popularity: 1 }),
    );
    const ids = findIds(index, { keywords: 'algebra' });
    expect([ids[0], ids[3]]).toEqual(['popular', 'aside']);
  });

  test('shortest goes by length, within what has all of the words and one language', () => {
    const index = indexOf(
      makeDocument({ id: 'hour', title: 'linear algebra matrices', minutes: 60, popularity: 1 }),
      makeDocument({ id: 'unknown', title: 'linear algebra matrices', popularity: 1 }),
      makeDocument({ id: 'dead', title: 'linear algebra matrices', minutes: 1, isDead: true }),
      makeDocument({ id: 'half', title: 'linear algebra matrices', minutes: 30 }),
      makeDocument({ id: 'partly', title: 'algebra matrices', minutes: 1 }),
      makeDocument({ id: 'fr', title: 'linear algebra matrices', minutes: 5, lang: 'fr' }),
    );
    expect(
      findIds(index, { keywords: 'linear algebra matrices', sort: 'shortest', prefer: 'en', isLoose: true }),
    ).toEqual(['half', 'hour', 'unknown', 'fr', 'partly', 'dead']);
  });

  const index = indexOf(
    ...Array.from({ length: 60 }, (_, i) => makeDocument({ id: `object-${i}`, title: 'data' })),
  );
  const shuffled = (seed: string, limit: number, offset = 0) =>
    findIds(index, { keywords: 'data', sort: 'random', seed, limit, offset });

  test('random is the same over the pages of one seed and another for another', () => {
    const whole = shuffled('monday', 60);
    expect([0, 20, 40].flatMap((offset) => shuffled('monday', 20, offset))).toEqual(whole);
    expect(shuffled('monday', 60)).toEqual(whole);
    expect(shuffled('tuesday', 60)).not.toEqual(whole);
    expect([...shuffled('tuesday', 60)].sort()).toEqual([...whole].sort());
  });

  test('random keeps what a filter leaves before what it does not', () => {
    const shuffled = indexOf(
      ...Array.from({ length: 40 }, (_, i) =>
        makeDocument({ id: `d${i}`, title: 'data', free: i % 2 === 0 }),
      ),
    );
    const filters = { free: { value: true, strict: false } };
    const ids = findIds(shuffled, { keywords: 'data', sort: 'random', seed: 's', filters, limit: 40 });
    expect(ids.slice(0, 20).every((id) => Number(id.slice(1)) % 2 === 0)).toBe(true);
    expect(ids.slice(0, 20)).not.toEqual(ids.slice(0, 20).toSorted());
  });

  test('random is not the order of relevance', () => {
    expect(shuffled('monday', 60)).not.toEqual(findIds(index, { keywords: 'data', limit: 60 }));
  });
});

describe('paging', () => {
  const index = indexOf(
    ...Array.from({ length: 100 }, (_, i) =>
      makeDocument({ id: `object-${i}`, title: 'data course '.repeat(1 + (i % 5)), popularity: (i % 3) / 3 }),
    ),
  );

  test('pages are parts of one list, without gap or overlap', () => {
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

  test('beyond the end there is nothing, and the total stays', () => {
    const answer = index.search(makeQuery({ keywords: 'data', offset: 1_000_000, limit: 10 }));
    expect(answer).toMatchObject({ hits: [], total: 100, exact: true });
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

  test('holds while the best hits have every word and meet every filter', () => {
    expect(isExact({ keywords: 'python' })).toBe(true);
    expect(isExact({ keywords: 'python data', limit: 1 })).toBe(true);
    expect(isExact({ keywords: 'python data', limit: 2 })).toBe(false);
    expect(isExact({ keywords: 'python', filters: { free: { value: true, strict: false } }, limit: 1 })).toBe(
      true,
    );
    expect(isExact({ keywords: 'python', filters: { free: { value: true, strict: false } }, limit: 2 })).toBe(
      false,
    );
  });

  test('speaks of the first page, whichever is asked for', () => {
    expect(isExact({ keywords: 'python data', limit: 1, offset: 1 })).toBe(true);
  });

  test('does not hold for guesses, for nothing, or when words were left out', () => {
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
  const facets = (filters = {}) =>
    index.search(makeQuery({ keywords: 'data', filters, details: true })).facets!;

  test('count matches by value, and never what is unknown', () => {
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

  test('set the filter on their own field aside, and no other', () => {
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

  test('come only with details, which change neither hits nor total', () => {
    const filters = { type: { values: ['video'], strict: true } };
    const plain = index.search(makeQuery({ keywords: 'data', filters }));
    const {
      facets: counts,
      terms,
      ...rest
    } = index.search(makeQuery({ keywords: 'data', filters, details: true }));
    expect(plain).toEqual(rest);
    expect(counts).toBeDefined();
    expect(terms).toContain('data/en');
  });
});
