import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  fingerprintCatalog,
  indexingCode,
  readCatalog,
} from '../../../src/adapters/local/starter-catalog.ts';
import type { AppError } from '../../../src/errors.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { aConcept, anObject, type CatalogFiles, writeCatalog } from './services.ts';

function newCatalog(files: CatalogFiles = {}): string {
  const folder = makeTempDir();
  writeCatalog(folder, files);
  return folder;
}

/** What is wrong with a catalogue, by place. */
function problemsOf(folder: string): Record<string, string> {
  try {
    readCatalog(folder);
  } catch (error) {
    const { code, problems } = error as AppError;
    expect(code).toBe('CATALOG_INVALID');
    return Object.fromEntries(problems.map(({ path, problem }) => [path.replace(`${folder}/`, ''), problem]));
  }
  return {};
}

test('records are read in order, with what they may leave out', () => {
  const { objects, providers } = readCatalog(newCatalog({ objects: [anObject('b'), anObject('a')] }));
  expect(objects.map(({ url }) => url)).toEqual(['https://example.org/b', 'https://example.org/a']);
  expect(objects[0]).toMatchObject({ author: [], publisher: [] });
  expect(providers).toEqual([{ id: 'school', name: 'A school' }]);
});

test('blank lines are fine; bad lines are named with their numbers and fields', () => {
  const folder = newCatalog();
  appendFileSync(
    join(folder, 'objects/all.jsonl'),
    [
      '',
      '{"url": ',
      JSON.stringify(anObject('c', { level: 2 })),
      JSON.stringify(anObject('d', { colour: 'red' })),
      JSON.stringify(anObject('e', { address: 'Lyon' })),
      'null',
      '  ',
    ].join('\n'),
  );
  expect(problemsOf(folder)).toEqual({
    'objects/all.jsonl:3': 'is not JSON',
    'objects/all.jsonl:4': expect.stringMatching(/^level: /),
    'objects/all.jsonl:5': expect.stringMatching(/colour/),
    'objects/all.jsonl:6': 'location: an address needs its location',
    'objects/all.jsonl:7': expect.stringMatching(/^record: /),
  });
});

test('no more than 20 bad lines of a file are listed', () => {
  const folder = newCatalog();
  writeFileSync(join(folder, 'places.jsonl'), '{}\n'.repeat(50));
  expect(Object.keys(problemsOf(folder))).toHaveLength(20);
});

test('an unknown provider, a dangling link and what is there twice are named', () => {
  const folder = newCatalog({
    objects: [anObject('a', { provider: 'nobody' }), anObject('b'), anObject('b')],
    providers: [
      { id: 'school', name: 'A' },
      { id: 'school', name: 'B' },
    ],
    concepts: [
      aConcept('own:a', 'A', { links: { broader: ['own:none'], related: ['own:a'] } }),
      aConcept('own:b', 'B'),
      aConcept('own:b', 'B again'),
    ],
  });
  expect(problemsOf(folder)).toEqual({
    'https://example.org/a': 'there is no provider "nobody"',
    'https://example.org/b': 'this object address is used twice',
    school: 'this provider id is used twice',
    'own:a': 'links to "own:none", which does not exist',
    'own:b': 'this concept id is used twice',
  });
});

test('a file or folder that is missing is named', () => {
  const folder = newCatalog();
  rmSync(join(folder, 'places.jsonl'));
  expect(problemsOf(folder)).toEqual({ 'places.jsonl': 'cannot be read (ENOENT)' });
  rmSync(join(folder, 'objects'), { recursive: true });
  expect(problemsOf(folder)).toEqual({ objects: 'cannot be read (ENOENT)' });
});

test('the fingerprint changes with names and content, and with nothing else', () => {
  const folder = newCatalog();
  const before = fingerprintCatalog(folder);
  writeFileSync(join(folder, 'README.md'), 'About this catalogue');
  expect(fingerprintCatalog(folder)).toBe(before);
  expect(fingerprintCatalog(newCatalog())).toBe(before);
  appendFileSync(join(folder, 'places.jsonl'), '\n');
  expect(fingerprintCatalog(folder)).not.toBe(before);
  writeFileSync(join(folder, 'places.jsonl'), '');
  expect(fingerprintCatalog(folder)).toBe(before);
  writeFileSync(join(folder, 'objects', 'more.jsonl'), '');
  expect(fingerprintCatalog(folder)).not.toBe(before);
});

/** All that a file has of the sources, whatever it is for; types decide nothing. */
function importsOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const code = readFileSync(path, 'utf8');
  for (const [, what, from] of code.matchAll(/^(?:im|ex)port ([^;]*?)from '(\.[^']+)';/gms))
    if (!what!.startsWith('type ')) importsOf(resolve(path, '..', from!), seen);
  return seen;
}

test('all code that has a part in building an index is in the fingerprint', () => {
  const src = resolve(import.meta.dirname, '../../../src');
  const paths = [...importsOf(join(src, 'adapters/local/build-version.ts'))].map((path) =>
    relative(src, path),
  );
  expect(paths).toContain('domain/learning-object.ts');
  const others = paths.filter((path) => !indexingCode.some((folder) => path.startsWith(`${folder}/`)));
  expect(others.sort()).toEqual(['errors.ts', 'project-root.ts']);
});
