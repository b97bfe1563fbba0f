import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutTextForPlan } from '../../../../src/services/searching/discovery/plan-skills.ts';

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

const sentence = fc
  .array(fc.stringMatching(/^[a-zé]{1,12}$/), { minLength: 1, maxLength: 40 })
  .map((all) => `${all.join(' ')}.`);
const text = fc
  .array(fc.tuple(sentence, fc.constantFrom(' ', '\n', '\n\n')), { minLength: 1, maxLength: 120 })
  .map((all) => all.flat().join(''));

describe('a text in pieces', () => {
  test('is the same text, in at most eight', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const pieces = cutTextForPlan(whole);
        expect(pieces.length).toBeLessThanOrEqual(8);
        expect(pieces.flatMap(words)).toEqual(words(whole));
      }),
    );
  });

  test('is one up to a thousand characters', () => {
    expect(cutTextForPlan(`${'word. '.repeat(166)}end.`)).toHaveLength(1);
    expect(cutTextForPlan(`${'word. '.repeat(167)}end.`)).toHaveLength(2);
  });

  test('is cut at the ends of sentences, into pieces of about the same length', () => {
    const pieces = cutTextForPlan('We teach how to bake bread and cakes every day. '.repeat(60));
    expect(pieces).toHaveLength(6);
    for (const piece of pieces) {
      expect(piece).toMatch(/^We teach.*day\.$/);
      expect(piece.length).toBeGreaterThan(400);
      expect(piece.length).toBeLessThan(600);
    }
  });

  test('is cut at blanks, or anywhere, where it has no sentences', () => {
    expect(cutTextForPlan('word '.repeat(1_000)).every((piece) => /^(word ?\s*)+$/.test(piece))).toBe(true);
    const pieces = cutTextForPlan('x'.repeat(20_000));
    expect(pieces).toHaveLength(8);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(3_100);
  });
});
