import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listTextSentences } from '../../../src/engine/terms/tagger/read-text.ts';
import { propertyRuns } from '../../helpers/draw.ts';

test('trims sentences', () => {
  expect(listTextSentences('  I bake. I code!\n\n• And I care ')).toEqual([
    { text: 'I bake', start: 2 },
    { text: 'I code', start: 10 },
    { text: 'And I care', start: 21 },
  ]);
  expect(listTextSentences(' \n ')).toEqual([]);
});

test('gives the offset of each sentence', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', '.', '. ', ' ', '\n', '!', '•', 'é'), { maxLength: 30 });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join('');
      let end = 0;
      for (const sentence of listTextSentences(text)) {
        expect(text.startsWith(sentence.text, sentence.start)).toBe(true);
        expect(sentence.start).toBeGreaterThanOrEqual(end);
        end = sentence.start + sentence.text.length;
      }
    }),
    propertyRuns(1_000),
  );
});
