import { expect, test } from 'vitest';
import { MAX_PREFIX_EXPANSIONS, MAX_TYPO_EXPANSIONS } from '../../../../src/engine/objects/weights.ts';
import { findIds, indexOf, makeDocument, makeQuery } from '../fixtures.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

test('completes to the commonest words', () => {
  const rare = letters.flatMap((a) => letters.slice(0, 4).map((b) => `comp${a}${b}`));
  expect(rare.length).toBeGreaterThan(MAX_PREFIX_EXPANSIONS);
  const index = indexOf(
    ...rare.map((word) => makeDocument({ id: word, title: word, lang: 'xx' })),
    ...['one', 'two'].map((id) => makeDocument({ id, title: 'compzzz', lang: 'xx' })),
  );
  const ids = findIds(index, { keywords: 'comp', prefix: true, limit: 200 });
  expect(ids).toContain('one');
  expect(ids).toHaveLength(MAX_PREFIX_EXPANSIONS + 1);
  expect(ids).not.toContain(rare.at(-1));
});

test('corrects to the commonest words', () => {
  const rare = letters.slice(0, 24).map((letter) => `pythonic${letter}`);
  const index = indexOf(
    ...rare.map((word) => makeDocument({ id: word, title: word, lang: 'xx' })),
    makeDocument({ id: 'again', title: rare.at(-1)!, lang: 'xx' }),
  );
  const ids = findIds(index, { keywords: 'pythonicz', limit: 200 });
  expect(ids).toContain('again');
  expect(ids).toHaveLength(MAX_TYPO_EXPANSIONS + 1);
});

test('takes no digit for a mistyped letter', () => {
  const index = indexOf(makeDocument({ id: 'a', title: 'Chip design' }), makeDocument({ id: 'b', title: 'Python' }));
  expect(findIds(index, { keywords: 'chi2' })).toEqual([]);
  expect(findIds(index, { keywords: 'python3' })).toEqual(['b']);
});

test('names the terms that matched, including guesses', () => {
  const index = indexOf(makeDocument({ id: 'a', title: 'Programming in Python' }));
  const terms = (keywords: string) => [...index.search(makeQuery({ keywords, details: true })).terms!];
  expect(terms('pyhton programs')).toEqual(expect.arrayContaining(['python/en', 'program/en']));
  expect(index.search(makeQuery({ keywords: 'python' })).terms).toBeUndefined();
});
