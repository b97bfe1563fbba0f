import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { splitSyllabusIntoWeeks } from '../../../../src/services/searching/plan/syllabus.ts';

const folder = join(import.meta.dirname, 'syllabi');
const syllabi = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

/** Sections of each syllabus, with those that are exams. */
const expected: Readonly<Record<string, readonly [sections: number, exams: number]>> = {
  'accounting-en.txt': [8, 2],
  'accounting-fr.txt': [7, 1],
  'biology-en.txt': [6, 0],
  'cooking-safety-fr.txt': [6, 0],
  'electricity-fr.txt': [6, 0],
  'french-a2-fr.txt': [6, 0],
  'law-fr.txt': [8, 1],
  'marketing-fr.txt': [6, 0],
  'nursing-en.txt': [6, 0],
  'project-management-en.txt': [7, 0],
  'statistics-en.txt': [7, 0],
  'web-development-en.txt': [8, 0],
};

describe.each(syllabi)('%s', (name, text) => {
  const weeks = splitSyllabusIntoWeeks(text);

  test('has all of its sections, and exams have no content', () => {
    const exams = weeks.filter(({ text }) => text === '');
    expect([weeks.length, exams.length]).toEqual(expected[name]);
  });

  test('has no people, rooms, grading or rules in its content', () => {
    const content = weeks.map(({ text }) => text).join('\n');
    expect(content).not.toMatch(
      /Okafor|Lopez|Whitfield|Brown|Patel|\bNg\b|Lefèvre|Garnier|Bernard|Nguyen|Rossi|Dubois/,
    );
    expect(content).not.toMatch(
      /\d ?%|absence|calculat(?:or|rice)|uniform|tenue|téléphone|permanence|office hours|lab coats/i,
    );
  });
});

describe('sections are found', () => {
  test.each([
    ['in German', 'Woche 1: Strom\nWoche 2: Spannung', ['Woche 1: Strom', 'Woche 2: Spannung']],
    ['in Spanish', 'Semana 1: suma\nSemana 2: resta', ['Semana 1: suma', 'Semana 2: resta']],
    ['by number first', '1. Woche: Strom\n2. Woche: Spannung', ['1. Woche: Strom', '2. Woche: Spannung']],
    ['in a table of Markdown', '| 1 | Loops |\n| 2 | Lists |\n| 3 | Sets |', ['1: Loops', '2: Lists', '3: Sets']],
    ['by Markdown', '# All\n## Loops\na\n## Lists\nb\n## Grading\nc\n## Sets', ['Loops', 'Lists', 'Sets']],
    [
      'by plain headings',
      'Care\n\nHand hygiene\n- soap and water\n\nVital signs\n- pulse and pressure\n\nWounds\n- dressing and cleaning',
      ['Hand hygiene', 'Vital signs', 'Wounds'],
    ],
  ])('%s', (_, text, titles) => {
    expect(splitSyllabusIntoWeeks(text).map(({ title }) => title)).toEqual(titles);
  });

  test('but not in prose', () => {
    expect(splitSyllabusIntoWeeks('We bake bread.\nThen we eat it together.\nIt is good.')).toEqual([]);
  });
});
