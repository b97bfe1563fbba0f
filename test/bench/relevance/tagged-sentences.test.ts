import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTaggedSets } from '../../../bench/relevance/tagged-sentences.ts';

const files = {
  'by-row.csv': [
    '\ufeffid,sentence,label',
    '1,"Write SQL, and tests",SQL',
    '2,"Write SQL, and tests", test software ',
    '3,"Write SQL, and tests",LABEL NOT PRESENT',
    '4,We are a young team,UNK',
  ].join('\n'),
  'by-list.csv': [
    'sentence,skills',
    String.raw`"Bake bread","['bake goods', ""manage a baker's shop"", 'a \'quoted\' one']"`,
    'Nothing asked for,[]',
  ].join('\r\n'),
  'other.csv': 'text,label\nBake bread,bake goods\n',
};
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tagged-'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
});

afterAll(() => rmSync(folder, { recursive: true }));

test('labels come a row each or in a list; files of other columns and sentences without a label are left out', () => {
  expect(readTaggedSets(folder)).toEqual([
    {
      name: 'by-list',
      sentences: [
        {
          sentence: 'Bake bread',
          labels: new Set(['bake goods', "manage a baker's shop", "a 'quoted' one"]),
        },
      ],
    },
    {
      name: 'by-row',
      sentences: [{ sentence: 'Write SQL, and tests', labels: new Set(['SQL', 'test software']) }],
    },
  ]);
});

test('a file is read by itself', () => {
  expect(readTaggedSets(join(folder, 'by-row.csv')).map(({ name }) => name)).toEqual(['by-row']);
});
