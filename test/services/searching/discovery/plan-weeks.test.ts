import { describe, expect, test } from 'vitest';
import { splitPlanWeeks } from '../../../../src/services/searching/discovery/plan-weeks.ts';

describe('the weeks of a syllabus', () => {
  test('are named as they are written, and have what stands below them', () => {
    const text = `A course for everyone.

      Week 1: Statistics
      Averages and charts.

      Week 2
      Programming with Python.
      Read week 1 again.`;
    expect(splitPlanWeeks(text)).toEqual([
      { title: 'Week 1: Statistics', text: 'Statistics\n\n      Averages and charts.', isHeaded: true },
      { title: 'Week 2', text: 'Programming with Python.\n      Read week 1 again.', isHeaded: false },
    ]);
  });

  test.each([
    [
      '## Semaine 1 : les moyennes\n## Semaine 2 : les graphiques',
      'Semaine 1 : les moyennes',
      'les moyennes',
    ],
    ['- Séance n° 3 – Bases\n- Séance n° 4 – Suite', 'Séance n° 3 – Bases', 'Bases'],
    ['**Module II**\nSQL\n**Module III**\nPython', 'Module II', 'SQL'],
    ['Weeks\nWeek 1-2. Loops\r\nWeek 3. Lists', 'Week 1-2. Loops', 'Loops'],
    [
      'Semaine\u00a01\u202f: boucles\nSemaine\u00a02\u202f: listes',
      'Semaine\u00a01\u202f: boucles',
      'boucles',
    ],
  ])('are found in %j', (text, title, about) => {
    const weeks = splitPlanWeeks(text);
    expect(weeks).toHaveLength(2);
    expect(weeks[0]).toMatchObject({ title, text: about });
  });

  test('are those that there are most of', () => {
    const text = 'Part 1\nWeek 1: a\nWeek 2: b\nPart 2\nWeek 3: c';
    expect(splitPlanWeeks(text).map(({ title }) => title)).toEqual(['Week 1: a', 'Week 2: b', 'Week 3: c']);
  });

  test.each([
    'We teach statistics. In week 2 we program.',
    'Week 1: everything',
    'Weekly tasks\nDaylight\nUnited',
    Array.from({ length: 31 }, (_, i) => `Lesson ${i + 1}`).join('\n'),
    '',
  ])('are none in %j', (text) => {
    expect(splitPlanWeeks(text)).toEqual([]);
  });

  test('have titles that can be read, whatever stands in a line', () => {
    const long = `Week 1: ${'very '.repeat(500)}long`;
    const [week] = splitPlanWeeks(`${long}\nWeek 2`);
    expect(week!.title.length).toBeLessThanOrEqual(80);
    expect(week!.text).toContain('long');
  });
});
