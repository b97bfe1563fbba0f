import { expect, test } from 'vitest';
import { createObjectIndex } from '../../../../src/engine/objects/object-index.ts';
import { createObjectView } from '../../../../src/engine/objects/object-view.ts';
import type { ObjectDocument, ObjectText } from '../../../../src/engine/objects/types.ts';

const words = { keywords: [], description: '', publishers: [], authors: [], blooms: [] };
const document = (id: string, title: string, more: Partial<ObjectDocument> = {}): ObjectDocument => ({
  ...words,
  id,
  title,
  lang: 'en',
  provider: 'p',
  types: ['video'],
  ...more,
});

const documents = [
  document('coulomb', "Coulomb's law", { keywords: ['electrostatics', 'electric force'] }),
  document('fields', 'Electric fields', { keywords: ['electrostatics', 'coulomb'] }),
  document('cooking', 'How to cook', { keywords: ['kitchen'] }),
  document('course', 'Learn online for free', { description: 'A course to learn.' }),
  document('lyon', 'Champs de Coulomb', { lang: 'fr', keywords: ['électrostatique'] }),
  document('simulation', 'Une simulation', { lang: 'fr', topics: ['physics'] }),
];

const query = { keywords: '', model: 'extended', sort: 'popularity', filters: {}, offset: 0 } as const;

function open() {
  const index = createObjectIndex();
  index.put(documents);
  const find = (likeTo: ObjectText, limit = 10) => index.search({ ...query, likeTo, limit });
  return { index, find };
}

const charges: ObjectText = {
  id: 'charges',
  title: 'Learn about charges',
  lang: 'en',
  description: 'A free course.',
  keywords: ['electrostatics', 'coulomb', 'electric field'],
};

test('ranks documents by the share of the words that they have', () => {
  const { hits, total } = open().find(charges);
  expect(hits.map(({ id }) => id).slice(0, 2)).toEqual(['fields', 'coulomb']);
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
  for (const { score } of hits) expect(score).toBeGreaterThan(0);
  expect(hits[0]!.score).toBeLessThan(1);
  expect(hits.map(({ id }) => id)).not.toContain('cooking');
  expect(total).toBe(hits.length);
});

test('gives request words little weight', () => {
  const scores = new Map(
    open()
      .find(charges)
      .hits.map(({ id, score }) => [id, score]),
  );
  expect(scores.get('course')!).toBeLessThan(scores.get('coulomb')! / 3);
});

test('matches equal spellings and topics in other languages', () => {
  const { index, find } = open();
  expect(find(charges).hits.map(({ id }) => id)).toContain('lyon');
  const own = { ...documents[1]!, topics: ['physics'] };
  index.put([own]);
  expect(find(own).hits.map(({ id }) => id)).toContain('simulation');
});

test('leaves out the document itself and removed ones, over several segments', () => {
  const { index, find } = open();
  const own = documents[1]!;
  expect(find(own).hits.map(({ id }) => id)).not.toContain('fields');
  index.remove(['coulomb']);
  expect(find(own).hits.map(({ id }) => id)).not.toContain('coulomb');
  const [one, other] = [createObjectIndex(), createObjectIndex()];
  one.put(documents.slice(0, 3));
  other.put(documents.slice(3));
  const view = createObjectView([...one.select([]), ...other.select([])]);
  expect(view.search({ ...query, likeTo: charges, limit: 10 })).toEqual(open().find(charges));
});

test('returns a page of the hits', () => {
  const { index, find } = open();
  const [, second] = find(charges).hits;
  expect(index.search({ ...query, likeTo: charges, offset: 1, limit: 1 }).hits).toEqual([second]);
});
