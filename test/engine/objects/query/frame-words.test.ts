import { expect, test } from 'vitest';
import { interpretQuery } from '../../../../src/engine/objects/query/interpret-query.ts';
import { createVocabularyBuilder } from '../../../../src/engine/objects/segment/vocabulary-segment.ts';
import { REQUEST_SHARE } from '../../../../src/engine/objects/weights.ts';
import { indexOf, makeDocument, makeQuery } from '../fixtures.ts';

const mentions = 'nobody knows what happens first to nervous people';
const documents = [
  makeDocument({ id: 'cooking', title: 'Cooking', description: mentions }),
  makeDocument({ id: 'reading', title: 'Reading with dyslexia', description: 'Dyslexia. Cooking.' }),
  makeDocument({ id: 'nervous', title: 'Nervous tension', description: 'Stress.' }),
];
const local = indexOf(...documents).select([]);
const builder = createVocabularyBuilder();
for (const document of documents) builder.add(document);
const external = [{ segment: builder.finish(), live: new Uint32Array(), liveCount: documents.length }];

test.each([
  ['documents of the index', local],
  ['the vocabulary of another engine', external],
])('of a sentence, words that %s only mention need not match', (_where, segments) => {
  const wordsOf = (keywords: string, share: number) =>
    interpretQuery(segments, makeQuery({ keywords, prefer: 'en' }))
      .groups.filter((group) => group.share === share)
      .map(({ word }) => word);
  const sentence = 'nobody knows what happens to nervous people with dyslexia';
  expect(wordsOf(sentence, REQUEST_SHARE)).toEqual(['nobody', 'knows', 'happens', 'people']);
  expect(wordsOf(sentence, 1)).toEqual(['nervous', 'dyslexia']);
  // Three words name a subject, as do words of which none is a topic of anything.
  expect(wordsOf('nobody knows dyslexia', 1)).toEqual(['nobody', 'knows', 'dyslexia']);
  expect(wordsOf('nobody knows happens first', 1)).toHaveLength(4);
});
