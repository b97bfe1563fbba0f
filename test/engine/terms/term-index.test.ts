import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/engine/text/fold.ts';
import { tokenize } from '../../../src/engine/text/tokenize.ts';
import type { AppError } from '../../../src/errors.ts';
import { propertyRuns } from '../../helpers/draw.ts';
import { createTermIndex } from './create-term-index.ts';
import { sampleConcepts } from './sample-taxonomy.ts';

const index = createTermIndex(sampleConcepts);
const vocabulary = sampleConcepts.flatMap(({ labels, altLabels }) => [
  ...Object.values(labels),
  ...Object.values(altLabels).flat(),
]);
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...vocabulary, 'of', 'de', 'xyz', "l'", '.'), { maxLength: 12 })
    .map((words) => words.join(' ')),
);
const anyLang = fc.constantFrom('en', 'fr', 'de', '', 'constructor', '__proto__');
const anyMax = fc.integer({ min: 1, max: 25 });

function expectRanked(scored: readonly { readonly score: number }[], max: number) {
  const scores = scored.map(({ score }) => score);
  expect(scores.length).toBeLessThanOrEqual(max);
  for (const score of scores) expect(score > 0 && score <= 1).toBe(true);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
}

describe('for any text', () => {
  it('similar sorts each of its two parts', () => {
    fc.assert(
      fc.property(anyText, anyLang, anyMax, (keywords, lang, max) => {
        const found = index.similar({ keywords, lang, max });
        expect(found.length).toBeLessThanOrEqual(max);
        const isOwn = ({ source }: { source: string }) => source.startsWith('Skilldock');
        expectRanked(found.filter(isOwn), max);
        expectRanked(
          found.filter((term) => !isOwn(term)),
          max,
        );
        expect(found.findLastIndex(isOwn)).toBe(found.filter(isOwn).length - 1);
        expect(new Set(found.map(({ label, source }) => `${source} ${fold(label)}`)).size).toBe(found.length);
      }),
      propertyRuns(400),
    );
  });

  it('tag sorts, and returns the words of the text', () => {
    fc.assert(
      fc.property(anyText, anyLang, anyMax, (text, lang, max) => {
        const { tags } = index.tag({ text, lang, max });
        expectRanked(tags, max);
        expect(new Set(tags.map(({ label }) => fold(label))).size).toBe(tags.length);
      }),
      propertyRuns(400),
    );
  });

  it('suggest sorts, and returns its quality', () => {
    fc.assert(
      fc.property(anyText, anyMax, (keywords, max) => {
        const { suggestions, quality } = index.suggest({ keywords, max });
        expectRanked(suggestions, max);
        expect(quality === 'none').toBe(suggestions.length === 0);
      }),
      propertyRuns(400),
    );
  });

  it('expansionsOf stays within the words', () => {
    fc.assert(
      fc.property(anyText, anyLang, (text, lang) => {
        const words = tokenize(text);
        for (const { start, end, synonyms, related } of index.expansionsOf(words, lang === '' ? undefined : lang)) {
          expect(start >= 0 && start < end && end <= words.length).toBe(true);
          expect(Math.max(synonyms.length, related.length)).toBeLessThanOrEqual(8);
        }
      }),
      propertyRuns(400),
    );
  });
});

describe('every label', () => {
  it('is completed from each prefix of three letters or more', () => {
    const beginnings = fc
      .constantFrom(...vocabulary)
      .chain((label) => fc.integer({ min: 3, max: Math.max(3, label.length) }).map((length) => label.slice(0, length)));
    fc.assert(
      fc.property(beginnings, (beginning) => {
        const found = index.suggest({ keywords: beginning, max: 10 }).suggestions;
        const wanted = fold(beginning).trim();
        expect(found.map(({ label }) => fold(label)).filter((label) => label.startsWith(wanted))).not.toEqual([]);
      }),
      propertyRuns(500),
    );
  });

  it('is found by its text', () => {
    for (const { id, labels, altLabels } of sampleConcepts) {
      for (const [lang, label] of [
        ...Object.entries(labels),
        ...Object.entries(altLabels).flatMap(([code, all]) => all.map((text) => [code, text] as const)),
      ]) {
        const found = index.similar({ keywords: label, lang, max: 100 });
        expect(found.filter(({ conceptId }) => conceptId === id)[0], `${lang} ${label}`).toMatchObject({
          match: 'exact',
        });
      }
    }
  });
});

describe('the index', () => {
  it('counts concepts and labels', () => {
    expect(index.counts).toEqual({
      concepts: sampleConcepts.length,
      labels: vocabulary.length,
    });
  });

  it('rejects two concepts with one id', () => {
    const twice = [sampleConcepts[0]!, sampleConcepts[0]!];
    expect(() => createTermIndex(twice)).toThrow(expect.objectContaining({ code: 'CATALOG_INVALID' }) as AppError);
  });

  it('returns nothing if it is empty', () => {
    const empty = createTermIndex([]);
    expect(empty.similar({ keywords: 'anything', lang: 'en', max: 5 })).toEqual([]);
    expect(empty.tag({ text: 'anything at all', lang: 'en', max: 5 })).toEqual({
      tokenizedText: 'anything at all',
      tags: [],
    });
    expect(empty.suggest({ keywords: 'any', max: 5 })).toMatchObject({ suggestions: [], quality: 'none' });
    expect(empty.expansionsOf(['any'])).toEqual([]);
  });
});
