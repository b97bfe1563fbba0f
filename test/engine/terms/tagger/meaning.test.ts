import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEncoder } from '../../../../src/adapters/meaning/static-encoder.ts';
import type { TagQuery } from '../../../../src/engine/terms/types.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { createTermIndex } from '../create-term-index.ts';
import { sampleConcepts } from '../sample-taxonomy.ts';

const index = createTermIndex(sampleConcepts, { encoder: openEncoder() });

const tag = (text: string, options: Partial<TagQuery> = {}) =>
  index.tag({ text, lang: 'en', max: 10, ...options }).tags;
const guess = (text: string, options: Partial<TagQuery> = {}) => tag(text, { guesses: true, ...options });
const namesOf = (tags: ReturnType<typeof tag>) => tags.map(({ label }) => label);

test('guesses concepts near in meaning, with their spans', () => {
  const text = 'Good evening. All of us spend half of the day with cameras.';
  const [found] = guess(text, { spans: true });
  expect(found).toMatchObject({ label: 'photography' });
  expect(text.slice(...(found?.span ?? []))).toContain('cameras');
  expect(namesOf(guess(text, { byWords: true }))).not.toContain('photography');
});

test('makes no guess for idle talk', () => {
  for (const text of ['Lovely weather yesterday', 'See you at eight, and thanks for the cake!'])
    expect(namesOf(guess(text))).toEqual([]);
});

test('leaves out guesses that are much weaker than the best', () => {
  const scores = guess('cameras, with a budget for the bakery').map(({ score }) => score);
  for (const score of scores) expect(score).toBeGreaterThanOrEqual(0.58 * scores[0]!);
});

test('returns only tags with evidence without guesses', () => {
  const text = 'You will learn project management, and of cameras';
  expect(namesOf(tag(text, { spans: true }))).toEqual(['project management']);
});

test('ranks guesses by words and meaning together', () => {
  const text = 'cameras and expenditure';
  const guesses = guess(text);
  expect(namesOf(guesses)).toContain('photography');
  const scores = guesses.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(namesOf(guess(text, { byWords: true }))).not.toContain('photography');
});

test('searches only the requested taxonomy', () => {
  const text = 'hours of cameras';
  expect(namesOf(guess(text, { source: 'Skilldock' }))).toContain('photography');
  expect(namesOf(guess(text, { source: 'ESCO' }))).not.toContain('photography');
});

test('tags by words only in a language without vectors', () => {
  const text = 'cameras, photographie';
  expect(guess(text, { lang: 'de' })).toEqual(guess(text, { lang: 'de', byWords: true }));
});

const words = fc.constantFrom('haggling', 'project', 'management', '.', '\n', ' ', 'é', '½', 'C++', '🙂', 'loaves,');
const texts = fc.array(words, { maxLength: 25 }).map((parts) => parts.join(' '));

test('keeps scores in bounds and spans in the text, for any text', () => {
  fc.assert(
    fc.property(texts, fc.boolean(), (text, guesses) => {
      for (const { score, span } of tag(text, { guesses, spans: true })) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        if (span === undefined) continue;
        expect(span[0]).toBeLessThan(span[1]);
        expect(span[1]).toBeLessThanOrEqual(text.length);
      }
    }),
    propertyRuns(100),
  );
});
