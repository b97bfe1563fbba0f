import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TagQuery, TextMeaning } from '../../../../src/engine/terms/types.ts';
import { createWordEncoder } from '../../../fakes/word-encoder.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { createTermIndex } from '../create-term-index.ts';
import { encodeTerms } from '../encode-terms.ts';
import { sampleConcepts } from '../sample-taxonomy.ts';

const encoder = createWordEncoder({ haggling: 'negotiation', snapshots: 'photography', loaves: 'bread' });
const index = createTermIndex(sampleConcepts);
const encode = await encodeTerms(index, encoder, ['en']);

async function tag(text: string, options: Partial<TagQuery> = {}) {
  const meaning = await encode.ofText(text);
  return index.tag({ text, lang: 'en', max: 10, meaning, ...options }).tags;
}

const guess = (text: string, options: Partial<TagQuery> = {}) => tag(text, { guesses: true, ...options });
const guessByWords = (text: string, options: Partial<TagQuery> = {}) =>
  index.tag({ text, lang: 'en', max: 10, guesses: true, ...options }).tags;

test('guesses are what a text means, and where that stands, and not what it is far from', async () => {
  const text = 'Good evening. We spend half of the day with haggling about prices.';
  const [found] = await guess(text, { spans: true });
  expect(found).toMatchObject({ label: 'negotiation', score: expect.closeTo(0.714, 2) });
  expect(text.slice(...(found?.span ?? []))).toBe('haggling');
  expect(guessByWords(text).map(({ label }) => label)).not.toContain('negotiation');
});

test('texts far from every label have no guess', async () => {
  expect(await guess('Lovely weather yesterday')).toEqual([]);
});

test('what is much less sure than the best is no guess', async () => {
  const labels = (await guess('haggling, which a budget of snapshots')).map(({ score }) => score);
  for (const score of labels) expect(score).toBeGreaterThanOrEqual(0.58 * labels[0]!);
});

test('without guesses, tags are those that the words give evidence for', async () => {
  const text = 'You will learn project management and some haggling';
  const byWords = index.tag({ text, lang: 'en', max: 10, spans: true }).tags;
  expect(byWords.length).toBeGreaterThan(0);
  expect(await tag(text, { spans: true })).toEqual(byWords);
});

test('guesses are in the order of words and meaning together', async () => {
  const text = 'taking snapshots and managing budgets';
  const guesses = await guess(text);
  expect(guesses.map(({ label }) => label)).toContain('photography');
  const scores = guesses.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(guessByWords(text).map(({ label }) => label)).not.toContain('photography');
});

test('only the taxonomy that is asked for is searched', async () => {
  const text = 'hours of haggling';
  expect(await guess(text, { source: 'Skilldock' })).toHaveLength(1);
  expect(await guess(text, { source: 'ESCO' })).toEqual([]);
});

test('in a language of which no label has a vector, a text is tagged by words alone', async () => {
  for (const lang of ['fr', 'de']) {
    const text = 'haggling, photographie';
    expect(await guess(text, { lang })).toEqual(guessByWords(text, { lang }));
  }
});

test('sentences without a meaning are tagged by words alone', async () => {
  const text = 'We love haggling. Learn project management';
  const { labels, sentences } = await encode.ofText(text);
  const meaning: TextMeaning = { labels, sentences: sentences.map(() => null) };
  expect(guessByWords(text, { meaning })).toEqual(guessByWords(text));
});

const words = fc.constantFrom(
  'haggling',
  'project',
  'management',
  '.',
  '\n',
  ' ',
  'é',
  '½',
  'C++',
  '🙂',
  'loaves,',
);
const texts = fc.array(words, { maxLength: 25 }).map((parts) => parts.join(' '));

test('whatever the text, scores are in bounds, best ones first among guesses, and evidence stands in the text', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.boolean(), async (text, guesses) => {
      for (const { score, span } of await tag(text, { guesses, spans: true })) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        if (span === undefined) continue;
        expect(span[0]).toBeLessThan(span[1]);
        expect(span[1]).toBeLessThanOrEqual(text.length);
      }
    }),
    propertyRuns(200),
  );
});

test('vectors of no length, and of no label, are no reason to fail', async () => {
  const text = 'Some haggling';
  const { labels } = encode;
  const sentence = {
    vector: new Float32Array(64),
    tokens: new Float32Array(128),
    spans: Uint32Array.of(0, 4, 5, 13),
  };
  expect(guessByWords(text, { meaning: { labels, sentences: [sentence] } })).toEqual([]);
  const none = { rows: labels.rows, rowOf: new Uint32Array(labels.rowOf.length).fill(0xffffffff) };
  const meaning = { ...(await encode.ofText(text)), labels: none };
  expect(guessByWords(text, { meaning })).toEqual([]);
});
