import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutSyllabusIntoPieces,
  markSyllabusTitles,
  splitSyllabusIntoWeeks,
} from '../../../../src/services/searching/plan/syllabus.ts';

describe('the weeks of a syllabus', () => {
  test('are named as they are written, and have what stands below them', () => {
    const text = `A course for everyone.

      Week 1: Statistics
      Averages and charts.

      Week 2
      Programming with Python.
      Read week 1 again.`;
    expect(splitSyllabusIntoWeeks(text)).toEqual([
      { title: 'Week 1: Statistics', text: 'Statistics\n\n      Averages and charts.', hasHeading: true },
      { title: 'Week 2', text: 'Programming with Python.\n      Read week 1 again.', hasHeading: false },
    ]);
  });

  test.each([
    ['## Semaine 1 : les moyennes\n## Semaine 2 : les graphiques', 'Semaine 1 : les moyennes', 'les moyennes'],
    ['- Séance n° 3 – Bases\n- Séance n° 4 – Suite', 'Séance n° 3 – Bases', 'Bases'],
    ['**Module II**\nSQL\n**Module III**\nPython', 'Module II', 'SQL'],
    ['Weeks\nWeek 1-2. Loops\r\nWeek 3. Lists', 'Week 1-2. Loops', 'Loops'],
    ['Semaine\u00a01\u202f: boucles\nSemaine\u00a02\u202f: listes', 'Semaine\u00a01\u202f: boucles', 'boucles'],
  ])('are found in %j', (text, title, about) => {
    const weeks = splitSyllabusIntoWeeks(text);
    expect(weeks).toHaveLength(2);
    expect(weeks[0]).toMatchObject({ title, text: about });
  });

  test('are those that there are most of', () => {
    const text = 'Part 1\nWeek 1: a\nWeek 2: b\nPart 2\nWeek 3: c';
    expect(splitSyllabusIntoWeeks(text).map(({ title }) => title)).toEqual(['Week 1: a', 'Week 2: b', 'Week 3: c']);
  });

  test.each([
    'We teach statistics. In week 2 we program.',
    'Week 1: everything',
    'Weekly tasks\nDaylight\nUnited',
    Array.from({ length: 31 }, (_, i) => `Lesson ${i + 1}`).join('\n'),
    '',
  ])('are none in %j', (text) => {
    expect(splitSyllabusIntoWeeks(text)).toEqual([]);
  });

  test('have titles that can be read, whatever stands in a line', () => {
    const long = `Week 1: ${'very '.repeat(500)}long`;
    const [week] = splitSyllabusIntoWeeks(`${long}\nWeek 2`);
    expect(week!.title.length).toBeLessThanOrEqual(80);
    expect(week!.text).toContain('long');
  });
});

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
  ])('%j (with a heading: %s)', (text, hasHeading, marked) => {
    expect(markSyllabusTitles(text, hasHeading).text).toBe(marked);
  });

  test('have places that can be traced back to the unmarked text', () => {
    const line = fc.constantFrom('Python', 'Tables and charts', 'We bake bread.', '', '  - Docker', '…');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.boolean(), fc.nat(), (lines, hasHeading, at) => {
        const text = lines.join('\n');
        const marked = markSyllabusTitles(text, hasHeading);
        const words = [...marked.text.matchAll(/(?:Python|charts|bread|Docker)/g)];
        const word = words[at % Math.max(1, words.length)];
        if (word === undefined) return;
        const [start, end] = marked.toOriginal([word.index, word.index + word[0].length]);
        expect(text.slice(start, end)).toBe(word[0]);
      }),
    );
  });
});

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
        const pieces = cutSyllabusIntoPieces(whole);
        expect(pieces.length).toBeLessThanOrEqual(8);
        expect(pieces.flatMap(words)).toEqual(words(whole));
      }),
    );
  });

  test('is one up to a thousand characters', () => {
    expect(cutSyllabusIntoPieces(`${'word. '.repeat(166)}end.`)).toHaveLength(1);
    expect(cutSyllabusIntoPieces(`${'word. '.repeat(167)}end.`)).toHaveLength(2);
  });

  test('is cut at the ends of sentences, into pieces of about the same length', () => {
    const pieces = cutSyllabusIntoPieces('We teach how to bake bread and cakes every day. '.repeat(60));
    expect(pieces).toHaveLength(6);
    for (const piece of pieces) {
      expect(piece).toMatch(/^We teach.*day\.$/);
      expect(piece.length).toBeGreaterThan(400);
      expect(piece.length).toBeLessThan(600);
    }
  });

  test('is cut at blanks, or anywhere, where it has no sentences', () => {
    expect(cutSyllabusIntoPieces('word '.repeat(1_000)).every((piece) => /^(word ?\s*)+$/.test(piece))).toBe(true);
    const pieces = cutSyllabusIntoPieces('x'.repeat(20_000));
    expect(pieces).toHaveLength(8);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(3_100);
  });
});
