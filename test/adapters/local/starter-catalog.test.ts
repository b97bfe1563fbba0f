import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  createStarterReader,
  fingerprintStarterCatalog,
  indexingCode,
  readStarterCatalog,
} from '../../../src/adapters/local/starter-catalog.ts';
import { normalizeObjectAddress } from '../../../src/domain/learning-object.ts';
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
    readStarterCatalog(folder);
  } catch (error) {
    const { code, problems } = error as AppError;
    expect(code).toBe('CATALOG_INVALID');
    return Object.fromEntries(problems.map(({ path, problem }) => [path.replace(`${folder}/`, ''), problem]));
  }
  return {};
}

test('reads records in order, with defaults', () => {
  const { objects, providers } = readStarterCatalog(newCatalog({ objects: [anObject('b'), anObject('a')] }));
  expect(objects.map(({ url }) => url)).toEqual(['https://example.org/b', 'https://example.org/a']);
  expect(objects[0]).toMatchObject({ author: [], publisher: [] });
  expect(providers).toEqual([{ id: 'school', name: 'A school' }]);
});

test('skips blank lines, and reports invalid lines with numbers and fields', () => {
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

test('the reader keeps no objects: it reads only the line of the one that is asked for', () => {
  const objects = [
    anObject('a', { title: 'Été' }),
    anObject('b', { title: 'First' }),
    anObject('b', { title: 'Second' }),
  ];
  const folder = newCatalog({ objects });
  appendFileSync(join(folder, 'objects/all.jsonl'), `\n{"url": \n${JSON.stringify(anObject('c', { level: 2 }))}`);
  const reader = createStarterReader(folder);
  const find = (name: string) => reader.findObject(normalizeObjectAddress(`https://example.org/${name}`));
  expect(find('a')).toMatchObject({ title: 'Été' });
  expect(find('a')).not.toBe(find('a'));
  expect(find('b')).toMatchObject({ title: 'First' });
  expect(find('d')).toBeNull();
  expect(() => find('c')).toThrow(
    expect.objectContaining({
      problems: [{ path: expect.stringMatching(/:6$/), problem: expect.stringMatching(/^level/) }],
    }),
  );
});

test('the reader finds an object again after the files were replaced while it runs', () => {
  const [a, b] = [anObject('a', { title: 'Short' }), anObject('b', { title: 'Brief' })];
  const folder = newCatalog({ objects: [a, b] });
  const reader = createStarterReader(folder);
  const find = (name: string) => reader.findObject(normalizeObjectAddress(`https://example.org/${name}`));
  expect(find('a')).toMatchObject(a);
  // The other one is at each place now; then the places are in the middle of lines.
  const write = (...objects: readonly object[]) =>
    writeFileSync(join(folder, 'objects/all.jsonl'), objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
  write(b, a);
  expect(find('a')).toMatchObject(a);
  expect(find('b')).toMatchObject(b);
  write({ ...anObject('c'), title: 'A longer line' }, { ...b, title: 'Changed' });
  expect(find('b')).toMatchObject({ title: 'Changed' });
  expect(find('a')).toBeNull();
  rmSync(join(folder, 'objects/all.jsonl'));
  expect(find('b')).toBeNull();
});

test('reports at most 20 invalid lines of a file', () => {
  const folder = newCatalog();
  writeFileSync(join(folder, 'places.jsonl'), '{}\n'.repeat(50));
  expect(Object.keys(problemsOf(folder))).toHaveLength(20);
});

test('reports unknown providers, dangling links and duplicates', () => {
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

test('reports a missing file or folder', () => {
  const folder = newCatalog();
  rmSync(join(folder, 'places.jsonl'));
  expect(problemsOf(folder)).toEqual({ 'places.jsonl': 'cannot be read (ENOENT)' });
  rmSync(join(folder, 'objects'), { recursive: true });
  expect(problemsOf(folder)).toEqual({ objects: 'cannot be read (ENOENT)' });
});

test('the fingerprint changes with names and content only', () => {
  const folder = newCatalog();
  const before = fingerprintStarterCatalog(folder);
  writeFileSync(join(folder, 'README.md'), 'About this catalogue');
  expect(fingerprintStarterCatalog(folder)).toBe(before);
  expect(fingerprintStarterCatalog(newCatalog())).toBe(before);
  appendFileSync(join(folder, 'places.jsonl'), '\n');
  expect(fingerprintStarterCatalog(folder)).not.toBe(before);
  writeFileSync(join(folder, 'places.jsonl'), '');
  expect(fingerprintStarterCatalog(folder)).toBe(before);
  writeFileSync(join(folder, 'objects', 'more.jsonl'), '');
  expect(fingerprintStarterCatalog(folder)).not.toBe(before);
});

function toPath(importer: string, specifier: string): string {
  if (specifier.startsWith('#')) return resolve(import.meta.dirname, '../../../src', `${specifier.slice(1)}.ts`);
  return resolve(importer, '..', specifier);
}

/** All source files that a file imports, directly or not, except for types. */
function importsOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const code = readFileSync(path, 'utf8');
  for (const [, what, from] of code.matchAll(/^(?:im|ex)port ([^;]*?)from '([.#][^']+)';/gms))
    if (!what!.startsWith('type ')) importsOf(toPath(path, from!), seen);
  return seen;
}

test('the fingerprint covers all code that builds an index', () => {
  const src = resolve(import.meta.dirname, '../../../src');
  const paths = [...importsOf(join(src, 'adapters/local/versions/build-version.ts'))].map((path) =>
    relative(src, path),
  );
  expect(paths).toContain('domain/learning-object.ts');
  const others = paths.filter((path) => !indexingCode.some((folder) => path.startsWith(`${folder}/`)));
  expect(others.sort()).toEqual(['errors.ts', 'project-root.ts']);
});
