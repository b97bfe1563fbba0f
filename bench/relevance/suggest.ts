import { readFileSync, statSync } from 'node:fs';
import { buildTermData } from '../../src/engine/terms/build-term-data/build-term-data.ts';
import { openTermIndex } from '../../src/engine/terms/term-index.ts';
import type { TermIndex } from '../../src/engine/terms/types.ts';
import { fold } from '../../src/engine/text/fold.ts';
import { drawKnownItems, type KnownItem } from './known-items.ts';
import { loadConcepts } from './load-concepts.ts';
import { mean, reciprocalRank, success } from './metrics.ts';
import type { RunSuite, SuiteRow } from './suite.ts';

/** Suggestions asked for. */
const SHOWN = 10;

/** `data` is a folder of taxonomies to draw labels from, or a file of `query,label` rows for those of `taxonomies`. */
export const runSuggest: RunSuite = async ({ data, taxonomies }) => {
  const isFolder = statSync(data).isDirectory();
  const concepts = await loadConcepts(isFolder ? data : taxonomies);
  const index = openTermIndex(buildTermData(concepts, { mainSource: '' }));
  if (!isFolder) return [judge(index, data, readItems(data))];
  const { kinds, shareTelling } = drawKnownItems(concepts);
  return [...kinds].map(([kind, items]) => {
    const row = judge(index, kind, items);
    return kind === 'one typo' ? row : { ...row, values: { ...row.values, 'share of labels': shareTelling } };
  });
};

/** Right is the label itself, letter case and accents aside; not another name of its concept. */
function judge(index: TermIndex, name: string, items: readonly KnownItem[]): SuiteRow {
  const rankings = items.map(({ typed, label }) => ({
    ranked: index.suggest({ keywords: typed, max: SHOWN }).suggestions.map((found) => fold(found.label)),
    relevant: new Set([fold(label)]),
  }));
  return {
    name,
    cases: items.length,
    values: {
      MRR: mean(rankings.map(({ ranked, relevant }) => reciprocalRank(ranked, relevant))),
      'success@1': mean(rankings.map(({ ranked, relevant }) => success(ranked, relevant, 1))),
      'success@5': mean(rankings.map(({ ranked, relevant }) => success(ranked, relevant, 5))),
    },
  };
}

function readItems(path: string): KnownItem[] {
  const lines = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  if (lines[0]?.startsWith('{')) {
    return lines.map((line) => {
      const { query, label } = JSON.parse(line) as { query: string; label: string };
      return { typed: query, label };
    });
  }
  return lines.map(readPair).filter(({ typed, label }) => !(typed === 'query' && label === 'label'));
}

const CELL = /"((?:[^"]|"")*)"|([^,]*)/y;

function readPair(line: string): KnownItem {
  CELL.lastIndex = 0;
  const first = CELL.exec(line);
  CELL.lastIndex += 1;
  const second = CELL.exec(line);
  const textOf = (cell: RegExpExecArray | null) => cell?.[1]?.replaceAll('""', '"') ?? cell?.[2] ?? '';
  return { typed: textOf(first), label: textOf(second) };
}
