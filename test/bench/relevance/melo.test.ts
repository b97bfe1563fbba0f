import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMeloSets, toConcepts } from '../../../bench/relevance/melo.ts';

const NAME = 'melo_fr_rome_to_esco';
const files = {
  'queries.tsv': 'Q1\tBoulanger / Boulangère\r\nQ2\tSoudeur\nQ3\tPersonne ne juge\n',
  'annotations.tsv':
    'Q1\t0\tC1_fr_000\t1\nQ1\t0\tC1_fr_001\t1\nQ2\t0\tC2_fr_000\t1\nQ2\t0\tC1_fr_000\t0\nQ3\t0\tC2_fr_000\t0\n',
  'corpus_elements.tsv': 'C1_fr_000\tboulanger\nC1_fr_001\tartisan boulanger\nC1_en_000\tbaker\nC2_fr_000\tsoudeur\n',
  'concept_mapping.tsv':
    'C1_fr_000\thttp://data.europa.eu/esco/occupation/1\nC2_fr_000\thttp://data.europa.eu/esco/occupation/2\n',
};
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'melo-'));
  mkdirSync(join(folder, NAME));
  mkdirSync(join(folder, 'no set'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, NAME, file), text);
});

afterAll(() => rmSync(folder, { recursive: true }));

test('a folder is a set, or has sets in it', () => {
  expect(readMeloSets(folder).map(({ name }) => name)).toEqual([NAME]);
  expect(readMeloSets(join(folder, NAME)).map(({ name }) => name)).toEqual([NAME]);
});

test('a set has the queries that have an answer, its language, and the labels of each concept', () => {
  const [set] = readMeloSets(join(folder, NAME));
  expect(set).toEqual({
    name: NAME,
    lang: 'fr',
    queries: [
      { text: 'Boulanger / Boulangère', relevant: new Set(['C1_fr_000', 'C1_fr_001']) },
      { text: 'Soudeur', relevant: new Set(['C2_fr_000']) },
    ],
    elements: new Map([
      [
        'C1',
        [
          { id: 'C1_fr_000', text: 'boulanger', lang: 'fr' },
          { id: 'C1_fr_001', text: 'artisan boulanger', lang: 'fr' },
          { id: 'C1_en_000', text: 'baker', lang: 'en' },
        ],
      ],
      ['C2', [{ id: 'C2_fr_000', text: 'soudeur', lang: 'fr' }]],
    ]),
    uris: new Map([
      ['C1', 'http://data.europa.eu/esco/occupation/1'],
      ['C2', 'http://data.europa.eu/esco/occupation/2'],
    ]),
  });
});

test('the first label of a language is the preferred one', () => {
  const concepts = readMeloSets(folder).flatMap((set) => toConcepts(set, 'MELO'));
  expect(concepts[0]).toEqual({
    id: 'C1',
    source: 'MELO',
    kind: 'occupation',
    labels: { fr: 'boulanger', en: 'baker' },
    altLabels: { fr: ['artisan boulanger'] },
  });
});
