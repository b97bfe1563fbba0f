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

test('a text is tagged with what it means, where that stands, and not with what it is far from', async () => {
  const text = 'Good evening. We spend half of the day with haggling about prices.';
  const [found, ...others] = await tag(text, { spans: true });
  expect(found).toMatchObject({ label: 'negotiation', score: expect.closeTo(0.714, 2) });
  expect(text.slice(...(found?.span ?? []))).toBe('haggling');
  expect(others).toEqual([]);
  expect(index.tag({ text, lang: 'en', max: 10 }).tags).toEqual([]);
});

test('texts far from every label have no tag', async () => {
  expect(await tag('The weather was lovely on the picnic yesterday')).toEqual([]);
});

test('what words give evidence for stays first, and is not given again for its meaning', async () => {
  const text = 'You will learn project management and some haggling';
  const byWords = index.tag({ text, lang: 'en', max: 10, spans: true }).tags;
  const tags = await tag(text, { spans: true });
  expect(byWords.length).toBeGreaterThan(0);
  expect(tags.slice(0, byWords.length)).toEqual(byWords);
  expect(tags.slice(byWords.length).map(({ label }) => label)).toEqual(['negotiation']);
});

test('words that are no evidence are none because of their meaning', async () => {
  const text = 'First aid kit has moved, it is under the sink';
  expect(index.tag({ text, lang: 'en', max: 10 }).tags).toEqual([]);
  expect(await tag(text)).toEqual([]);
});

test('guesses are in the order of words and meaning together', async () => {
  const text = 'taking snapshots and managing budgets';
  const labels = (await tag(text, { guesses: true })).map(({ label }) => label);
  expect(labels).toContain('photography');
  const scores = (await tag(text, { guesses: true })).map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(
    index.tag({ text, lang: 'en', max: 10, guesses: true }).tags.map(({ label }) => label),
  ).not.toContain('photography');
});

test('only the taxonomy that is asked for is searched', async () => {
  const text = 'hours of haggling';
  expect(await tag(text, { source: 'Skilldock' })).toHaveLength(1);
  expect(await tag(text, { source: 'ESCO' })).toEqual([]);
});

test('in a language of which no label has a vector, a text is tagged by words alone', async () => {
  for (const lang of ['fr', 'de']) {
    const text = 'haggling, photographie';
    expect(await tag(text, { lang })).toEqual(index.tag({ text, lang, max: 10 }).tags);
  }
});

test('sentences without a meaning are tagged by words alone', async () => {
  const text = 'We love haggling. Learn project management';
  const { labels, sentences } = await encode.ofText(text);
  const meaning: TextMeaning = { labels, sentences: [null, ...sentences.slice(1)] };
  expect(index.tag({ text, lang: 'en', max: 10, meaning }).tags).toEqual(
    index.tag({ text, lang: 'en', max: 10 }).tags,
  );
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
  expect(index.tag({ text, lang: 'en', max: 10, meaning: { labels, sentences: [sentence] } }).tags).toEqual(
    [],
  );
  const none = { rows: labels.rows, rowOf: new Uint32Array(labels.rowOf.length).fill(0xffffffff) };
  const meaning = { ...(await encode.ofText(text)), labels: none };
  expect(index.tag({ text, lang: 'en', max: 10, meaning }).tags).toEqual([]);
});
