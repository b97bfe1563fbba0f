import { expect, test } from 'vitest';
import type { LearningObject } from '../../src/domain/learning-object.ts';
import { listObjectDifferences, type ObjectDifference } from '../../src/domain/object-differences.ts';

const object: LearningObject = {
  title: 'A',
  url: 'https://a.example',
  bloom: [],
  type: ['mooc'],
  level: -0.5,
  lang: 'fr',
  learningTime: { value: 1, unit: 'h' },
  publisher: [],
  author: [],
  price: { free: true },
};

test.each<[string, Partial<LearningObject>, readonly ObjectDifference[]]>([
  ['nothing', {}, []],
  ['language', { lang: 'en' }, [{ kind: 'language', lang: 'en' }]],
  ['a level one step away is none', { level: -0.25 }, []],
  ['a level further away', { level: 0.25 }, [{ kind: 'level', isHarder: true }]],
  ['an easier one', { level: -1 }, [{ kind: 'level', isHarder: false }]],
  ['a kind that is learned from alike is none', { type: ['training'] }, []],
  ['another kind', { type: ['video', 'app'] }, [{ kind: 'type', types: ['video', 'app'] }]],
  ['that it costs something', { price: { free: false } }, [{ kind: 'price', isFree: false }]],
  ['that it is longer', { learningTime: { value: 80, unit: 'min' } }, [{ kind: 'length', minutes: 20 }]],
  ['that it is shorter', { learningTime: { value: 30, unit: 'min' } }, [{ kind: 'length', minutes: -30 }]],
  ['a length that is near is none', { learningTime: { value: 70, unit: 'min' } }, []],
  [
    'what is all of it',
    { lang: 'de', type: ['video'], level: 1 },
    [
      { kind: 'language', lang: 'de' },
      { kind: 'type', types: ['video'] },
      { kind: 'level', isHarder: true },
    ],
  ],
])('what differs: %s', (_, changes, expected) => {
  expect(listObjectDifferences(object, { ...object, ...changes })).toEqual(expected);
});

test('an unknown value is no difference, except the price where the other object is free', () => {
  const { level: _, lang: __, learningTime: ___, price: ____, ...bare } = object;
  expect(listObjectDifferences(object, bare)).toEqual([{ kind: 'price', isFree: null }]);
  expect(listObjectDifferences(bare, object)).toEqual([]);
  const paid = { ...object, price: { free: false } };
  expect(listObjectDifferences(paid, object)).toEqual([{ kind: 'price', isFree: true }]);
});
