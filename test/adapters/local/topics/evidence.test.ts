import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conceptRecord } from '../../../../src/adapters/catalog/catalog-schema.ts';
import { createEvidenceFinder } from '../../../../src/adapters/local/topics/evidence.ts';
import { propertyRuns } from '../../../helpers/draw.ts';

const idOf = (label: string) => `own:${label.replaceAll(' ', '.')}`;
const named = (...labels: readonly string[]) =>
  labels.map((label) =>
    conceptRecord.parse({ id: idOf(label), source: 'Skilldock', kind: 'skill', labels: { en: label } }),
  );
const titled = (title: string) => ({ title, keywords: [], description: '', lang: 'en' });

const word = fc.constantFrom('zat', 'zet', 'zit');
const phrase = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((words) => words.join(' '));

test('finds the longest labels from left to right, of five words at most', () => {
  fc.assert(
    fc.property(fc.uniqueArray(phrase(6), { maxLength: 8 }), phrase(12), (labels, title) => {
      const words = title.split(' ');
      const expected = new Map<string, number>();
      for (let start = 0; start < words.length; ) {
        const said = [5, 4, 3, 2, 1]
          .map((length) => words.slice(start, start + length).join(' '))
          .find((one) => labels.includes(one));
        start += said?.split(' ').length ?? 1;
        if (said === undefined) continue;
        expected.set(idOf(said), (expected.get(idOf(said)) ?? 0) + (said.includes(' ') ? 4 : 2.5));
      }
      expect([...createEvidenceFinder(named(...labels))(titled(title))]).toEqual([...expected]);
    }),
    propertyRuns(500),
  );
});

test('ignores a label of six words', () => {
  const [five, six] = [5, 6].map((count) => Array(count).fill('zat').join(' ')) as [string, string];
  const find = createEvidenceFinder(named(six));
  expect(find(titled(six)).size).toBe(0);
  expect([...createEvidenceFinder(named(five, six))(titled(six))]).toEqual([[idOf(five), 4]]);
});

test('finds the same with cached and with dropped words', () => {
  const concepts = named('Python', 'project management', 'computer graphics', 'rendering', 'construction');
  const objects = [
    'Project management in Python',
    'Computer graphics and rendering',
    'Pythons',
    'Construction for project managers',
  ].map((title) => ({ title, keywords: ['construction', 'rendering'], description: title, lang: 'fr' }));
  const finders = [0, 5, 1000].map((most) => createEvidenceFinder(concepts, most));
  for (const object of [...objects, ...objects.toReversed()]) {
    const fresh = createEvidenceFinder(concepts)(object);
    expect(fresh.size).toBeGreaterThan(0);
    for (const find of finders) expect([...find(object)]).toEqual([...fresh]);
  }
});
