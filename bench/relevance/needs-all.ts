import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readStarterCatalog } from '../../src/adapters/local/starter-catalog.ts';
import { below, createRandom } from '../corpus/random.ts';
import { required } from '../required.ts';
import { RELEVANT } from './judgments.ts';
import { mean, normalizedGain } from './metrics.ts';
import { readGrades, readNeeds, SHOWN } from './needs.ts';
import { type ObjectSearch, withLocalService } from './objects.ts';
import type { RunSuite, SuiteRow } from './suite.ts';

/** What a person is shown for a need. Absent measures: nothing in the catalogue meets it. */
const measured = z.strictObject({
  id: z.string(),
  /** Folder of the set. */
  set: z.string(),
  shown: z.number(),
  /** Shares of what is shown for this need. */
  judged: z.number(),
  wrong: z.number().optional(),
  /** What has no grade counts as 0, … */
  gain: z.number().optional(),
  /** … or is left out: of an older catalogue much has none. The truth is in between. */
  gradedGain: z.number().optional(),
  first: z.number().optional(),
});

export type Measured = z.infer<typeof measured>;

const OLDEST = '.';
/** Results of a search, as those without a grade are left out of `gradedGain`. */
const DEPTH = 30;

/** All sets of needs together, open and sealed: differences of one set are mostly chance. Grades
 *  count by address, as far as the object is still in the catalogue. */
export const runAllNeeds: RunSuite = async ({ data, keep, against }) => {
  const folders = readdirSync(data, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const sets = [OLDEST, ...folders.map(({ name }) => name).sort()];
  const all = await withLocalService((search) => measureSets(data, sets, search));
  if (keep !== undefined) writeFileSync(keep, JSON.stringify(all));
  const newer = all.filter(({ set }) => set !== OLDEST);
  const parts: [string, readonly Measured[]][] = [
    ['all sets', all],
    ['all but the oldest set', newer],
    ...sets.map((set): [string, Measured[]] => [set, all.filter((each) => each.set === set)]),
  ];
  const rows = parts.map(([name, needs]) => summarize(name, needs));
  if (against === undefined) return rows;
  const before = z.array(measured).parse(JSON.parse(readFileSync(against, 'utf8')));
  return [...rows, ...compareNeeds('all sets', all, before), ...compareNeeds('all but the oldest set', newer, before)];
};

async function measureSets(data: string, sets: readonly string[], search: ObjectSearch): Promise<Measured[]> {
  const present = new Set(readStarterCatalog('data').objects.map(({ url }) => url));
  const results: Measured[] = [];
  for (const set of sets) {
    const folder = join(data, set);
    const grades = readGrades(folder);
    for (const need of readNeeds(folder)) {
      const needGrades = new Map([...(grades.get(need.id) ?? [])].filter(([url]) => present.has(url)));
      const ranked = await search({ keywords: need.query, prefer: need.lang, max: DEPTH });
      results.push({ id: need.id, set, ...measureNeed(ranked, needGrades) });
    }
  }
  return results;
}

function measureNeed(ranked: readonly string[], grades: ReadonlyMap<string, number>) {
  const firstHits = ranked.slice(0, SHOWN);
  const gradeOf = (url: string) => grades.get(url) ?? 0;
  const facts = { shown: firstHits.length, judged: mean(firstHits.map((url) => Number(grades.has(url)))) };
  if (![...grades.values()].some((grade) => grade >= RELEVANT)) return facts;
  return {
    ...facts,
    wrong: mean(firstHits.map((url) => Number(gradeOf(url) === 0))),
    gain: normalizedGain(firstHits, grades, SHOWN),
    gradedGain: normalizedGain(
      ranked.filter((url) => grades.has(url)),
      grades,
      SHOWN,
    ),
    first: Number(gradeOf(firstHits[0] ?? '') >= RELEVANT),
  };
}

const measures = {
  'nDCG@5': ({ gain }: Measured) => gain,
  'nDCG@5 of graded': ({ gradedGain }: Measured) => gradedGain,
  'first ≥ 2': ({ first }: Measured) => first,
  'grade 0': ({ wrong }: Measured) => wrong,
  'shown where nothing is': ({ shown, gain }: Measured) => (gain === undefined ? shown : undefined),
} as const;

function summarize(name: string, needs: readonly Measured[]): SuiteRow {
  const values = Object.entries(measures).map(([measure, read]) => [
    measure,
    mean(needs.flatMap((each) => read(each) ?? [])),
  ]);
  const ofShown = { 'grade 0': pool(needs, ({ wrong }) => wrong), judged: pool(needs, ({ judged }) => judged) };
  return { name, cases: needs.length, values: { ...Object.fromEntries(values), ...ofShown } };
}

/** Of all that is shown, as the suite of one set has it; needs with more shown count more. */
function pool(needs: readonly Measured[], read: (need: Measured) => number | undefined): number {
  const counted = needs.filter((each) => read(each) !== undefined);
  const sum = (of: (need: Measured) => number) => counted.reduce((total, each) => total + of(each), 0);
  return sum((each) => (read(each) ?? 0) * each.shown) / sum(({ shown }) => shown);
}

const SAMPLES = 4_000;

/** The mean difference by measure, and the interval in which it is with 95 %.
 *  Source: paired bootstrap over needs, Sakai 2006. */
export function compareNeeds(name: string, after: readonly Measured[], before: readonly Measured[]): SuiteRow[] {
  const keyOf = ({ set, id }: Measured) => `${set} ${id}`;
  const old = new Map(before.map((each) => [keyOf(each), each]));
  return Object.entries(measures).map(([measure, read]) => {
    const differences = after.flatMap((each) => {
      const earlier = old.get(keyOf(each));
      const values = [read(each), earlier && read(earlier)] as const;
      return values[0] === undefined || values[1] === undefined ? [] : [values[0] - values[1]];
    });
    const random = createRandom(1);
    const draw = () => required(differences[below(random, differences.length)], 'difference');
    const means = Array.from({ length: SAMPLES }, () => mean(differences.map(draw))).sort((a, b) => a - b);
    const at = (share: number) => required(means[Math.floor(share * SAMPLES)], 'mean');
    const values = { difference: mean(differences), from: at(0.025), to: at(0.975) };
    return { name: `${name}: ${measure}, difference`, cases: differences.length, values };
  });
}
