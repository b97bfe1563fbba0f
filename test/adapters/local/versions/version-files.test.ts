import { expect, test } from 'vitest';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { aConcept, anObject, openService, writeCatalog } from '../services.ts';

test('counts the objects of each kind, the largest number first', () => {
  const folder = makeTempDir();
  writeCatalog(folder, {
    objects: [
      anObject('a', { type: ['video', 'mooc'] }),
      anObject('b', { lang: 'fr', provider: 'club' }),
      anObject('c', { lang: 'de' }),
      anObject('d'),
    ],
    providers: [
      { id: 'school', name: 'A school' },
      { id: 'club', name: 'A club' },
      { id: 'empty', name: 'Nothing yet' },
    ],
    concepts: [aConcept('own:a', 'A'), aConcept('other:b', 'B', { source: 'Other' }), aConcept('own:c', 'C')],
  });
  const dataDir = makeTempDir();
  const { counts } = openService(folder, dataDir);
  expect(Object.fromEntries(Object.entries(counts).map(([kind, of]) => [kind, [...of]]))).toEqual({
    providers: [
      ['school', 3],
      ['club', 1],
    ],
    types: [
      ['mooc', 4],
      ['video', 1],
    ],
    languages: [
      ['en', 2],
      ['de', 1],
      ['fr', 1],
    ],
    taxonomies: [
      ['Skilldock', 2],
      ['Other', 1],
    ],
  });
  // The same from its files.
  expect(openService(folder, dataDir).counts).toEqual(counts);
});
