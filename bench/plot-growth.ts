import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Kind, kinds } from './corpus/queries.ts';
import type { Latency } from './measure.ts';
import { drawChart, type Panel, type Series } from './plot.ts';

const MEASURED = 'docs/images/search-growth.json';
const DRAWN = 'docs/images/search-growth.svg';

/** What one run told: how fast each engine answered. */
export interface Run {
  readonly docs: number;
  readonly latencies: Readonly<Record<string, Partial<Record<Kind | 'all', Latency>>>>;
}

const looks: readonly (readonly [engine: string, look: string])[] = [
  ['skilldock', 'a'],
  ['Lucene', 'b'],
  ['SQLite FTS5', 'c'],
];

/** Keep a run beside those of other sizes; an older one of the same size is replaced. */
export function saveRun(run: Run): void {
  const runs = [...readRuns().filter(({ docs }) => docs !== run.docs), run].sort((a, b) => a.docs - b.docs);
  writeFileSync(MEASURED, `${JSON.stringify(runs, null, 2)}\n`);
  console.log(`kept in ${MEASURED}; draw it with --plot`);
}

/** Draw the runs that were kept. */
export function plotGrowth(): void {
  const runs = readRuns();
  if (runs.length === 0) throw new Error(`Nothing is kept in ${MEASURED}: run with --save at a few sizes first.`);
  const chart = drawChart({
    title: 'Time of a search as the catalogue grows: p50 solid, p99 dashed',
    xLabel: 'learning objects',
    yLabel: 'milliseconds',
    x: [4, 6],
    y: [-2, 4],
    panels: kinds.map((kind) => panelOf(kind, runs)),
  });
  writeFileSync(DRAWN, chart);
  console.log(`drawn in ${DRAWN}`);
}

function panelOf(kind: Kind, runs: readonly Run[]): Panel {
  const series = looks.flatMap(([engine, look]): Series[] => {
    const points = (share: 'p50' | 'p99') =>
      runs.flatMap(({ docs, latencies }) => {
        const latency = latencies[engine]?.[kind];
        return latency === undefined ? [] : [[docs, latency[share]] as const];
      });
    return [
      { name: engine, look, points: points('p50') },
      { name: '', look: `${look} far`, points: points('p99') },
    ];
  });
  return { title: kind, series };
}

function readRuns(): Run[] {
  return existsSync(MEASURED) ? (JSON.parse(readFileSync(MEASURED, 'utf8')) as Run[]) : [];
}
