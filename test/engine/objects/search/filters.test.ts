import { describe, expect, test } from 'vitest';
import type { ObjectDocument, ObjectFilters } from '../../../../src/engine/objects/types.ts';
import { yieldFactors } from '../../../../src/engine/objects/weights.ts';
import { indexOf, makeDocument, makeQuery } from '../fixtures.ts';

const PARIS = { lat: 48.8566, lon: 2.3522 };
const LYON = { lat: 45.764, lon: 4.8357 };

/** A filter, and what is known of an object that meets it, of one that fails it, and of one of
 *  which it is unknown. */
interface Case {
  readonly filter: (strict: boolean) => ObjectFilters;
  readonly meets: Partial<ObjectDocument>;
  readonly fails: Partial<ObjectDocument>;
  readonly unknown?: Partial<ObjectDocument>;
}

const cases: Record<string, Case> = {
  provider: {
    filter: (strict) => ({ provider: { values: ['alpha', 'beta'], strict } }),
    meets: { provider: 'beta' },
    fails: { provider: 'gamma' },
  },
  lang: {
    filter: (strict) => ({ lang: { values: ['fr'], strict } }),
    meets: { lang: 'fr' },
    fails: { lang: 'en' },
  },
  type: {
    filter: (strict) => ({ type: { values: ['video'], strict } }),
    meets: { types: ['book', 'video'] },
    fails: { types: ['book'] },
    unknown: { types: [] },
  },
  bloom: {
    filter: (strict) => ({ bloom: { values: ['apply'], strict } }),
    meets: { blooms: ['apply'] },
    fails: { blooms: ['create'] },
    unknown: { blooms: [] },
  },
  topic: {
    filter: (strict) => ({ topic: { values: ['06', 'python'], strict } }),
    meets: { topics: ['python', '0613', '06'] },
    fails: { topics: ['06', '0613'] },
  },
  publisher: {
    filter: (strict) => ({ publisher: { name: 'PRESS université', strict } }),
    meets: { publishers: ['Universite Press of Paris'] },
    fails: { publishers: ['Press'] },
    unknown: { publishers: [] },
  },
  level: {
    filter: (strict) => ({ level: { min: 0.1, max: 0.7, strict } }),
    meets: { level: 0.7 },
    fails: { level: 0 },
    unknown: {},
  },
  learningTime: {
    filter: (strict) => ({ learningTime: { max: 60, strict } }),
    meets: { minutes: 60 },
    fails: { minutes: 60.01 },
    unknown: {},
  },
  popularity: {
    filter: (strict) => ({ popularity: { min: 0.3, strict } }),
    // As popular as can be told from the one that fails, so that popularity itself decides nothing.
    meets: { popularity: 0.3 },
    fails: { popularity: 0.2999 },
    unknown: {},
  },
  age: {
    filter: (strict) => ({ age: { min: 12, max: 15, strict } }),
    meets: { ageMin: 15, ageMax: 18 },
    fails: { ageMin: 16 },
    unknown: {},
  },
  free: {
    filter: (strict) => ({ free: { value: true, strict } }),
    meets: { free: true },
    fails: { free: false },
    unknown: {},
  },
  day: {
    filter: (strict) => ({ day: { min: 738_000, strict } }),
    meets: { day: 738_000 },
    fails: { day: 737_999 },
    unknown: {},
  },
  distance: {
    filter: (strict) => ({ distance: { ...PARIS, km: 100, strict } }),
    meets: PARIS,
    fails: LYON,
    unknown: {},
  },
};

describe.each(Object.entries(cases))('the filter %s', (name, { filter, meets, fails, unknown }) => {
  const facts = { meets, fails, ...(unknown && { unknown }) };
  // The same word in the same place, so that nothing but the filter tells them apart.
  const index = indexOf(
    ...Object.entries(facts).map(([id, own]) => makeDocument({ id, keywords: ['zzz'], description: 'filler', ...own })),
  );
  const answer = (strict: boolean) => index.search(makeQuery({ keywords: 'zzz', filters: filter(strict) }));

  test('keeps only documents that are known to meet it, if strict', () => {
    expect(answer(true).hits).toMatchObject([{ id: 'meets', unmet: [] }]);
    expect(answer(true)).toMatchObject({ total: 1, exact: true });
  });

  test('ranks unknown facts between met and unmet ones, if not strict', () => {
    const { hits, exact } = answer(false);
    expect(hits.map(({ id }) => id)).toEqual(unknown ? ['meets', 'unknown', 'fails'] : ['meets', 'fails']);
    expect(hits.map(({ unmet }) => unmet)).toEqual([[], ...hits.slice(1).map(() => [name])]);
    expect(exact).toBe(false);
  });

  test('multiplies the relevance by its yield factor', () => {
    const plain = new Map(index.search(makeQuery({ keywords: 'zzz' })).hits.map(({ id, score }) => [id, score]));
    const shares = Object.fromEntries(answer(false).hits.map(({ id, score }) => [id, score / plain.get(id)!]));
    const factor = yieldFactors[name as keyof typeof yieldFactors];
    expect(shares.meets).toBe(1);
    expect(shares.fails).toBeCloseTo(factor, 10);
    if (unknown) expect(shares.unknown).toBeCloseTo(Math.sqrt(factor), 10);
  });
});

const at = (facts: Partial<ObjectDocument>, filters: ObjectFilters): boolean =>
  indexOf(makeDocument({ id: 'one', title: 'zzz', ...facts })).search(makeQuery({ keywords: 'zzz', filters })).total ===
  1;

test.each([
  [{ min: 0.1 }, true],
  [{ max: 0.1 }, true],
  [{ min: 0.1, max: 0.1 }, true],
  [{ min: 0.1001 }, false],
  [{ max: 0.0999 }, false],
  [{}, true],
])('the level 0.1 in the range %j: %s', (range, expected) => {
  expect(at({ level: 0.1 }, { level: { ...range, strict: true } })).toBe(expected);
});

test.each([
  [{ ageMin: 6, ageMax: 10 }, { min: 10 }, true],
  [{ ageMin: 6, ageMax: 10 }, { min: 11 }, false],
  [{ ageMin: 6, ageMax: 10 }, { max: 6 }, true],
  [{ ageMin: 6, ageMax: 10 }, { max: 5 }, false],
  [{ ageMin: 6, ageMax: 10 }, { min: 7, max: 8 }, true],
  [{ ageMin: 18 }, { min: 90 }, true],
  [{ ageMin: 18 }, { max: 17 }, false],
  [{ ageMax: 12 }, { max: 3 }, true],
  [{ ageMax: 12 }, { min: 13 }, false],
  [{ ageMin: 0, ageMax: 0 }, { max: 0 }, true],
])('the ages %j overlap %j: %s', (ages, range, expected) => {
  expect(at(ages, { age: { ...range, strict: true } })).toBe(expected);
});

test('Lyon is 391 to 393 km from Paris', () => {
  const within = (km: number) => at(LYON, { distance: { ...PARIS, km, strict: true } });
  expect([within(391), within(393)]).toEqual([false, true]);
  expect(at(PARIS, { distance: { ...PARIS, km: 0, strict: true } })).toBe(true);
});

test('distinguishes free from paid', () => {
  expect(at({ free: false }, { free: { value: false, strict: true } })).toBe(true);
  expect(at({}, { free: { value: false, strict: true } })).toBe(false);
});

test('matches no document by a publisher without words', () => {
  expect(at({ publishers: ['Press'] }, { publisher: { name: ' !', strict: true } })).toBe(false);
  expect(at({ publishers: [] }, { publisher: { name: ' !', strict: true } })).toBe(false);
  expect(at({ publishers: ['Press'] }, { publisher: { name: ' press!', strict: true } })).toBe(true);
});

test('yields in the documented order', () => {
  // A document that lacks a mark does not fail: nobody said that it may not be shared.
  const order = Object.keys(yieldFactors).filter((name) => name !== 'marks');
  const index = indexOf(
    ...order.map((id) => {
      const facts = Object.entries(cases).map(([name, one]) => (name === id ? one.fails : one.meets));
      return makeDocument({
        id,
        keywords: ['zzz'],
        description: 'filler',
        ...Object.assign({}, ...facts),
        popularity: 0.3,
        publishers: [],
      });
    }),
  );
  const filters = Object.assign({}, ...Object.entries(cases).map(([, { filter }]) => filter(false))) as ObjectFilters;
  const { publisher: _, popularity: __, ...others } = filters;
  const { hits } = index.search(makeQuery({ keywords: 'zzz', filters: others, limit: 20 }));
  const meetAll = hits.filter(({ unmet }) => unmet.length === 0).map(({ id }) => id);
  expect(meetAll.sort()).toEqual(['popularity', 'publisher']);
  expect(hits.slice(2).map(({ id }) => id)).toEqual(order.filter((name) => !meetAll.includes(name)));
});
