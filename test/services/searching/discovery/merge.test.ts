import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Quality } from '../../../../src/domain/answer.ts';
import { normalizeObjectAddress } from '../../../../src/domain/learning-object.ts';
import {
  createMerge,
  findBestLeft,
  isListLeft,
  type Merge,
  mergeObjects,
  type RankedObject,
  takeMergeCandidate,
} from '../../../../src/services/searching/discovery/merge.ts';
import { bareObject } from '../../../fakes/learning-service.ts';

interface List {
  readonly id: string;
  readonly quality: Quality;
  /** Numbers of objects, best first. */
  readonly objects: readonly number[];
}

const source = { upstream: 'api.example.org', freshness: 'fresh', answeredAt: new Date(0) } as const;

function ranked({ id, quality, objects }: List): RankedObject[] {
  return objects.map((number, index) => {
    const object = { ...bareObject, title: `${number}`, url: `https://example.org/${number}` };
    const hit = { object, requestId: id, quality, providerId: id, source };
    return { hit, address: normalizeObjectAddress(object.url), rank: index + 1 };
  });
}

function mergeOf(lists: readonly List[], seed = 'python'): Merge {
  const merge = createMerge(
    lists.map(({ id }) => id),
    seed,
  );
  for (const id of merge.order) mergeObjects(merge, ranked(lists.find((list) => list.id === id)!));
  return merge;
}

function takeAll(merge: Merge) {
  const taken = [];
  for (let best = findBestLeft(merge, () => true); best !== null; best = findBestLeft(merge, () => true)) {
    takeMergeCandidate(merge, best);
    taken.push(best);
  }
  return taken;
}

const titles = (merge: Merge) => takeAll(merge).map(({ hit }) => hit.object.title);
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
const exact = (id: string, objects: readonly number[]): List => ({ id, quality: 'A00', objects });
const loose = (id: string, objects: readonly number[]): List => ({ id, quality: 'B00', objects });

const quality = fc.constantFrom<Quality[]>('A00', 'B00');
const objects = fc.uniqueArray(fc.nat(60), { maxLength: 20 });
const anyLists = fc.uniqueArray(fc.record({ id: fc.string({ minLength: 1 }), quality, objects }), {
  selector: ({ id }) => id,
  minLength: 1,
  maxLength: 6,
});

describe('any lists', () => {
  test('give every object once, the best score first', () => {
    fc.assert(
      fc.property(anyLists, (lists) => {
        const taken = takeAll(mergeOf(lists));
        const all = new Set(lists.flatMap((list) => list.objects.map(String)));
        expect(taken.map(({ hit }) => hit.object.title).sort()).toEqual([...all].sort());
        const scores = taken.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  test('give the same order whatever the order of the providers', () => {
    fc.assert(
      fc.property(anyLists, fc.string(), (lists, seed) => {
        expect(titles(mergeOf(lists.toReversed(), seed))).toEqual(titles(mergeOf(lists, seed)));
      }),
    );
  });

  test('keep the order of each list where they have nothing in common', () => {
    fc.assert(
      fc.property(anyLists, (lists) => {
        const apart = lists.map((list, index) => ({
          ...list,
          objects: list.objects.map((number) => number + 100 * index),
        }));
        const merged = titles(mergeOf(apart));
        for (const list of apart) {
          const own = merged.filter((title) => list.objects.includes(Number(title)));
          expect(own).toEqual(list.objects.map(String));
        }
      }),
    );
  });
});

describe('lists of the same quality', () => {
  test('take turns', () => {
    const merged = titles(mergeOf([exact('a', range(0, 20)), exact('b', range(100, 20))]));
    for (let rank = 0; rank < 20; rank++)
      expect(new Set(merged.slice(2 * rank, 2 * rank + 2))).toEqual(new Set([`${rank}`, `${rank + 100}`]));
  });

  test('do not always begin with the same provider', () => {
    const firsts = range(0, 40).map((seed) => createMerge(['a', 'b', 'c'], `${seed}`).order[0]);
    expect(new Set(firsts)).toEqual(new Set(['a', 'b', 'c']));
  });
});

describe('lists of different quality', () => {
  test('give what is exact before what is loose', () => {
    const merged = titles(mergeOf([loose('a', range(0, 20)), exact('b', range(100, 20))]));
    expect(merged).toEqual([...range(100, 20), ...range(0, 20)].map(String));
  });

  test('give what two loose lists begin with as if it were exact', () => {
    const merged = titles(mergeOf([loose('a', [7, 1, 2]), loose('b', [7, 3, 4]), exact('c', range(100, 3))]));
    expect(merged.slice(0, 2).sort()).toEqual(['100', '7']);
  });
});

describe('an object of two lists', () => {
  test('comes before what only one of them has at that rank', () => {
    expect(titles(mergeOf([exact('a', [1, 2, 9]), exact('b', [3, 4, 9])]))[0]).toBe('9');
  });

  test('stays the find of the provider that has it at the better rank', () => {
    for (const [better, worse] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const [first] = takeAll(mergeOf([exact(worse, [1, 2, 9]), exact(better, [3, 9])]));
      expect(first).toMatchObject({ rank: 2, hit: { providerId: better, requestId: better } });
      expect([...first!.lists].sort()).toEqual(['a', 'b']);
    }
  });

  test('is known by its address, however that is written', () => {
    const merge = createMerge(['a', 'b'], '');
    const of = (providerId: string, url: string): RankedObject => ({
      hit: { object: { ...bareObject, url }, requestId: '', quality: 'A00', providerId, source },
      address: normalizeObjectAddress(url),
      rank: 1,
    });
    expect(mergeObjects(merge, [of('a', 'https://www.example.org/x/')])).toBe(1);
    expect(mergeObjects(merge, [of('b', 'http://example.org/x?utm_source=b#top')])).toBe(0);
    expect(merge.left.size).toBe(1);
  });

  test('does not come again once it was taken', () => {
    const merge = mergeOf([exact('a', [1]), exact('b', [])]);
    takeAll(merge);
    expect(mergeObjects(merge, ranked(exact('b', [1, 2])))).toBe(1);
    expect(titles(merge)).toEqual(['2']);
  });

  test('gains nothing from a list that has it twice', () => {
    const [first] = takeAll(mergeOf([exact('a', [5, 1, 1]), exact('b', [6])]));
    expect(first!.hit.object.title).not.toBe('1');
  });
});

test('a choice looks at each provider once, however much is left', () => {
  const ids = range(0, 10).map((number) => `p${number}`);
  const merge = mergeOf(ids.map((id, place) => exact(id, range(100 * place, 100))));
  let looks = 0;
  for (let choice = 0; choice < 100; choice++) takeMergeCandidate(merge, findBestLeft(merge, () => ++looks > 0)!);
  expect(looks).toBe(100 * ids.length);
});

test('what is left of a list is known, also of what several lists have', () => {
  const merge = mergeOf([exact('a', [1, 2]), exact('b', [2])]);
  expect([isListLeft(merge, 'a'), isListLeft(merge, 'b'), isListLeft(merge, 'c')]).toEqual([true, true, false]);
  const first = findBestLeft(merge, () => true)!;
  takeMergeCandidate(merge, first);
  expect(first.hit.object.title).toBe('2');
  expect([isListLeft(merge, 'a'), isListLeft(merge, 'b')]).toEqual([true, false]);
});
