import { expect, test } from 'vitest';
import {
  type ConceptRecord,
  type LearningObjectRecord,
  learningObjectRecord,
  type ProviderRecord,
} from '../../../../src/adapters/catalog/catalog-schema.ts';
import { type ImportedLine, mergeImports } from '../../../../src/adapters/local/versions/merge-imports.ts';
import type { CatalogKind } from '../../../../src/domain/catalog.ts';
import { anObject } from '../services.ts';

const object = (url: string) => learningObjectRecord.parse(anObject('a', { url }));
const line = (kind: CatalogKind, key: string, record: object): ImportedLine => ({
  kind,
  key,
  parts: [record as Record<string, unknown>],
});
const objectLine = (url: string) => line('object', url, object(url));

function layOver(starter: { objects?: LearningObjectRecord[]; providers?: ProviderRecord[] }, lines: ImportedLine[]) {
  const objects: LearningObjectRecord[] = [];
  const concepts: ConceptRecord[] = [];
  const { providers, skipped } = mergeImports(
    { objects: [], providers: [], concepts: [], places: [], fields: [], ...starter },
    lines,
    { addObject: (record) => objects.push(record), addConcept: (record) => concepts.push(record) },
  );
  return { urls: objects.map(({ url }) => url), providers, skipped };
}

test('takes spellings of one address as the same object', () => {
  const starter = { objects: [object('https://codestammtis.ch'), object('https://example.org/a?x=1')] };
  const imported = [
    ...['http://www.codestammtis.ch/', 'https://codestammtis.ch/', 'https://codestammtis.ch/?utm_source=b'],
    'https://example.org/a?x=2',
  ];
  expect(layOver(starter, imported.map(objectLine))).toMatchObject({
    urls: ['http://www.codestammtis.ch/', 'https://example.org/a?x=2', 'https://example.org/a?x=1'],
    skipped: 0,
  });
});

test('keeps fields of a provider that an import lacks', () => {
  const known = {
    id: 'school',
    name: 'The School',
    url: 'https://school.example/',
    license: 'https://school.example/terms',
  };
  const layProvider = (record: object) =>
    layOver({ providers: [known] }, [line('provider', 'school', record)]).providers;
  expect(layProvider({ id: 'school', name: 'school' })).toEqual([known]);
  const changes = { id: 'school', name: 'New School', url: 'https://new.example/' };
  expect(layProvider(changes)).toEqual([{ ...known, ...changes }]);
  expect(layOver({}, [line('provider', 'edx', { id: 'edx', name: 'edx' })]).providers).toEqual([
    { id: 'edx', name: 'edx' },
  ]);
});
