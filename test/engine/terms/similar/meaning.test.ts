import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEncoder } from '../../../../src/adapters/meaning/static-encoder.ts';
import type { SimilarQuery } from '../../../../src/engine/terms/types.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { createTermIndex } from '../create-term-index.ts';
import { sampleConcepts } from '../sample-taxonomy.ts';

const encoder = openEncoder();
const byWords = createTermIndex(sampleConcepts);
const index = createTermIndex(sampleConcepts, { encoder });

function similar(keywords: string, options: Partial<SimilarQuery> = {}) {
  return index.similar({ keywords, lang: 'en', max: 10, ...options });
}

test('terms are found by what the keywords mean', () => {
  expect(byWords.similar({ keywords: 'cameras', lang: 'en', max: 10 })).toEqual([]);
  expect(similar('cameras')[0]).toMatchObject({ label: 'photography', match: 'meaning' });
});

test('also across languages', () => {
  expect(similar('cameras', { lang: 'fr' })[0]).toMatchObject({ label: 'photographie' });
});

test('a term of the very words stays first, with its score', () => {
  const query = { keywords: 'project management', lang: 'en', max: 10 };
  expect(similar('project management')[0]).toEqual(byWords.similar(query)[0]);
});

test('keywords far from every label find what they find by words', () => {
  expect(similar('the moon is full tonight')).toEqual([]);
  expect(similar('photography')[0]).toMatchObject({ label: 'photography' });
});

test('searches only the requested taxonomy', () => {
  expect(similar('cameras', { source: 'ESCO' })).toEqual([]);
  expect(similar('cameras', { source: 'Skilldock' })[0]).toMatchObject({ label: 'photography' });
});

test('in a language of which no label has a vector, words alone count', () => {
  const english = { ...encoder, langs: ['en'] };
  const query = { keywords: 'cameras gestion', lang: 'fr', max: 10 };
  expect(createTermIndex(sampleConcepts, { encoder: english }).similar(query)).toEqual(byWords.similar(query));
});

test('what suggest completes stays as it is, and what is meant fills free places', () => {
  const asked = { keywords: 'cameras', max: 5 };
  expect(byWords.suggest(asked).suggestions).toEqual([]);
  const { suggestions, quality } = index.suggest(asked);
  expect(suggestions.map(({ label }) => label)).toContain('photography');
  expect(quality).toBe('loose');
  const completed = { keywords: 'project man', max: 5 };
  expect(index.suggest(completed)).toEqual(byWords.suggest(completed));
});

test('whatever the keywords, scores are in bounds', () => {
  const word = fc.constantFrom('cameras', 'project', 'management', 'é', '½', 'C++', '🙂', 'gestion', 'ML');
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      for (const lang of ['en', 'fr', 'xx']) {
        for (const { score } of similar(words.join(' '), { lang })) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }
    }),
    propertyRuns(50),
  );
});
