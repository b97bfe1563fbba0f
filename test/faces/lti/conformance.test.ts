import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const text = readFileSync('docs/lti-conformance.md', 'utf8');

/** Rows of the tables and entries of the lists: what is required, and the tests that show it. */
const rows = [
  ...text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:---|.* \| our test \|$)/.test(line))
    .map((line) => line.split(' | ')),
  ...Array.from(text.matchAll(/^- .*(?:\n {2}.*)*/gm), ([entry]) =>
    entry.slice(2).replace(/\s+/g, ' ').split(' → '),
  ).filter(({ length }) => length === 2),
];

/** `file` *test* *test* */
const NAMED = /`([\w./-]+)`((?: \*[^*]+\*)+)/g;

const toPath = (file: string) => `${file.startsWith('test/') ? '' : 'test/faces/lti/'}${file}.test.ts`;

const isIn = (name: string, text: string) =>
  [`'${name}'`, `"${name}"`, `\`${name}\``].some((each) => text.includes(each));

test('every test named in the conformance document exists', () => {
  expect(rows.length).toBeGreaterThan(90);
  const missing = rows.flatMap(([, cell = '']) =>
    [...cell.matchAll(NAMED)].flatMap(([, file = '', names = '']) => {
      const path = toPath(file);
      if (!existsSync(path)) return [path];
      const text = readFileSync(path, 'utf8');
      const all = [...names.matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name);
      return all.filter((name) => !isIn(name, text)).map((name) => `${path}: ${name}`);
    }),
  );
  expect(missing).toEqual([]);
});

test('every requirement has a test, or a reason why not', () => {
  const bare = rows.filter(([, cell = '']) => cell.match(NAMED) === null && !cell.startsWith('not used: '));
  expect(bare).toEqual([]);
});
