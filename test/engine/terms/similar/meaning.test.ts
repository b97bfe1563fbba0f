import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SimilarQuery } from '../../../../src/engine/terms/types.ts';
import { createWordEncoder } from '../../../fakes/word-encoder.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { createTermIndex } from '../create-term-index.ts';
import { encodeTerms } from '../encode-terms.ts';
import { sampleConcepts } from '../sample-taxonomy.ts';

const encoder = createWordEncoder({
  haggling: 'negotiation',
  snapshots: 'photography',
  tchatche: 'negotiation',
  négociation: 'negotiation',
});
const index = createTermIndex(sampleConcepts);
const encode = await encodeTerms(index, encoder);
const encodeEnglish = await encodeTerms(index, encoder, ['en']);

async function similar(keywords: string, options: Partial<SimilarQuery> = {}) {
  const meaning = await encode.ofTerm(keywords);
  return index.similar({ keywords, lang: 'en', max: 10, meaning, ...options });
}

test('terms are found by what the keywords mean', async () => {
  expect(index.similar({ keywords: 'haggling', lang: 'en', max: 10 })).toEqual([]);
  const [found, ...synonyms] = await similar('haggling');
  expect(found).toMatchObject({ label: 'negotiation', match: 'meaning' });
  expect(synonyms.map(({ label }) => label)).toEqual(['bargaining']);
});

test('also across languages', async () => {
  expect((await similar('tchatche', { lang: 'fr' }))[0]).toMatchObject({ label: 'négociation' });
});

test('a term of the very words stays first, with its score', async () => {
  const [byWords] = index.similar({ keywords: 'project management', lang: 'en', max: 10 });
  expect((await similar('project management'))[0]).toEqual(byWords);
});

test('keywords far from every label find what they find by words', async () => {
  expect(await similar('qwertz asdfgh')).toEqual([]);
});

test('only the taxonomy that is asked for is searched', async () => {
  expect(await similar('haggling', { source: 'ESCO' })).toEqual([]);
  expect((await similar('haggling', { source: 'Skilldock' }))[0]).toMatchObject({ label: 'negotiation' });
});

test('in a language of which no label has a vector, words alone count', async () => {
  const meaning = await encodeEnglish.ofTerm('snapshots gestion');
  const query = { keywords: 'snapshots gestion', lang: 'fr', max: 10 };
  expect(index.similar({ ...query, meaning })).toEqual(index.similar(query));
});

test('what suggest completes stays first, and what is meant fills free places', async () => {
  const meaning = await encode.ofTerm('haggling');
  expect(index.suggest({ keywords: 'haggling', max: 5 }).suggestions).toEqual([]);
  const { suggestions, quality } = index.suggest({ keywords: 'haggling', max: 5, meaning });
  expect(suggestions.map(({ label }) => label)).toContain('negotiation');
  expect(quality).toBe('loose');
});

test('whatever the keywords, scores are in bounds and fall', async () => {
  const word = fc.constantFrom('haggling', 'project', 'management', 'é', '½', 'C++', '🙂', 'gestion', 'ML');
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (words) => {
      for (const lang of ['en', 'fr', 'xx']) {
        for (const { score } of await similar(words.join(' '), { lang })) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }
    }),
    propertyRuns(100),
  );
});
