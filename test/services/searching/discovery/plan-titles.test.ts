import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markPlanTitles } from '../../../../src/services/searching/discovery/plan-titles.ts';

describe('the titles of a text', () => {
  test.each([
    ['Spreadsheets\nSort and filter data.', false, 'Week 1: Spreadsheets\nSort and filter data.'],
    ['## Charts\n\nDraw them.', false, '## Week 1: Charts\n\nDraw them.'],
    ['We learn to bake bread.\nSlowly', false, 'We learn to bake bread.\nSlowly'],
    ['Skills:\nPython', false, 'Skills:\nPython'],
    ['Statistics', false, 'Statistics'],
    ['Statistics', true, 'Week 1: Statistics'],
    [
      'All that we do in a long week of hard work.\nMore',
      true,
      'Week 1: All that we do in a long week of hard work.\nMore',
    ],
    ['—\nMore', false, '—\nMore'],
  ])('%j (headed: %s)', (text, isHeaded, marked) => {
    expect(markPlanTitles(text, isHeaded).text).toBe(marked);
  });

  test('are where they were: a place in what is marked is told as one of the text', () => {
    const line = fc.constantFrom('Python', 'Tables and charts', 'We bake bread.', '', '  - Docker', '…');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.boolean(), fc.nat(), (lines, isHeaded, at) => {
        const text = lines.join('\n');
        const marked = markPlanTitles(text, isHeaded);
        const words = [...marked.text.matchAll(/(?:Python|charts|bread|Docker)/g)];
        const word = words[at % Math.max(1, words.length)];
        if (word === undefined) return;
        const [start, end] = marked.findOwn([word.index, word.index + word[0].length]);
        expect(text.slice(start, end)).toBe(word[0]);
      }),
    );
  });
});
