import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { readStarterCatalog } from '../../src/adapters/local/starter-catalog.ts';
import { RELEVANT } from './judgments.ts';
import { mean, normalizedGain } from './metrics.ts';
import { openNeedsPeer } from './needs-opensearch.ts';
import { writePool } from './needs-pool.ts';
import { askOnce, compareFirsts, type ObjectSearch, withCatalog, withLocalService, withWords } from './objects.ts';
import { createPeer } from './objects-peer.ts';
import type { RunSuite, SuiteRow } from './suite.ts';

const languages = ['en', 'fr', 'de', 'es'] as const;

const need = z.strictObject({
  id: z.string(),
  lang: z.enum(languages),
  query: z.string(),
  need: z.string(),
  kind: z.string(),
  who: z.string(),
  common: z.boolean(),
  sealed: z.boolean(),
});

/** What somebody wants, and how they type it. See bench/needs/README.md. */
export type Need = z.infer<typeof need>;

/** By need, the grades (0 to 3) by address. */
export type Grades = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Addresses of what a person is shown for it, best first. */
export type NeedRanker = (need: Need) => Promise<readonly string[]>;

const CATALOG = 'data';
export const SHOWN = 5;

const readLines = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

const graded = z.strictObject({ id: z.string(), grades: z.record(z.string(), z.int().min(0).max(3)) });

/** Reads the lines of a file and of its packed counterpart; what is sealed is packed, so that
 *  nobody reads it by accident. */
function readOpenAndSealed(open: string, sealed: string): unknown[] {
  return [
    ...(existsSync(open) ? readLines(readFileSync(open, 'utf8')) : []),
    ...(existsSync(sealed) ? readLines(gunzipSync(readFileSync(sealed)).toString()) : []),
  ];
}

/** Open and sealed ones. */
export const readNeeds = (folder: string): readonly Need[] =>
  z.array(need).parse(readOpenAndSealed(`${folder}/needs.jsonl`, `${folder}/sealed-needs.jsonl.gz`));

export function readGrades(folder: string): Grades {
  const lines = readOpenAndSealed(`${folder}/grades.jsonl`, `${folder}/sealed.jsonl.gz`);
  return new Map(
    lines.map((line) => graded.parse(line)).map(({ id, grades }) => [id, new Map(Object.entries(grades))]),
  );
}

/** The needs that are not sealed, by language and kind; or, with `sealed`, only totals of those
 *  that are. */
export const runNeeds: RunSuite = async ({ data, sealed = false, pool, opensearch, catalog }) => {
  const { objects } = readStarterCatalog(CATALOG);
  const all = readNeeds(data);
  const grades = readGrades(data);
  const openSearch = opensearch === undefined ? null : await openNeedsPeer(opensearch, objects);
  const peers: [string, NeedRanker][] = [];
  if (catalog === undefined || pool !== undefined) {
    const miniSearch = createPeer(objects);
    const rank: NeedRanker = ({ query }) => miniSearch({ query, kinds: [], split: 'tune', judgments: {} });
    peers.push(['MiniSearch', rank]);
  }
  if (openSearch !== null) peers.push(['OpenSearch', openSearch.rank]);
  const withBoth = (run: (ours: readonly [string, ObjectSearch][]) => Promise<readonly SuiteRow[]>) =>
    withLocalService(async (search) => {
      const here: [string, ObjectSearch] = ['skilldock', search];
      const there = await withCatalog(catalog, (kept) => run([here, ['skilldock on OpenSearch', kept]]));
      return there ?? withWords((byWords) => run([here, ['words alone', byWords]]));
    });
  const rows = await withBoth(async (searches) => {
    if (pool !== undefined) {
      const rankers = [...searches.flatMap(([, search]) => listPooled(search)), ...peers.map(([, rank]) => rank)];
      const pairs = await writePool(pool, { needs: all, grades, objects, rankers });
      return [{ name: 'to be graded', cases: pairs, values: {} }];
    }
    const needs = all.filter((each) => each.sealed === sealed);
    const langOf = new Map(objects.map(({ url, lang }) => [url, lang]));
    const ours = searches.map(([name, search]) => [name, askOnce(asPerson(search))] as const);
    const measureWith = (name: string, own: readonly Need[], rank: NeedRanker) =>
      measure(name, own, { grades, langOf, rank });
    const measured: SuiteRow[] = [];
    for (const [part, own] of listParts(needs, sealed))
      for (const [name, rank] of ours) measured.push(await measureWith(`${name}: ${part}`, own, rank));
    const [here, there] = ours;
    if (catalog !== undefined && here !== undefined && there !== undefined) {
      const askAll = ([, rank]: typeof here) => Promise.all(needs.map(rank));
      measured.push(compareFirsts('on OpenSearch and here', await askAll(here), await askAll(there)));
    }
    for (const [name, rank] of peers) measured.push(await measureWith(`${name}: all`, needs, rank));
    return measured;
  });
  await openSearch?.close();
  return rows;
};

const asPerson =
  (search: ObjectSearch): NeedRanker =>
  ({ query, lang }) =>
    search({ keywords: query, prefer: lang });

/** Also what its strict model finds, and what there is in the person's language alone. */
function listPooled(search: ObjectSearch): readonly NeedRanker[] {
  return [
    asPerson(search),
    ({ query }) => search({ keywords: query, model: 'strict' }),
    ({ query, lang }) => search({ keywords: query, lang }),
  ];
}

function listParts(needs: readonly Need[], sealed: boolean): readonly [string, readonly Need[]][] {
  const those = (name: string, isIn: (need: Need) => boolean): [string, readonly Need[]] => [name, needs.filter(isIn)];
  return [
    ['all', needs],
    ...languages.map((lang) => those(lang, (each) => each.lang === lang)).filter(([, part]) => part.length > 0),
    ...(sealed ? [those('sentence', ({ kind }) => kind === 'sentence')] : []),
    ...(sealed
      ? []
      : [...new Set(needs.map(({ kind }) => kind))].map((kind) => those(kind, (each) => each.kind === kind))),
  ];
}

interface Measured {
  readonly grades: Grades;
  readonly langOf: ReadonlyMap<string, string>;
  readonly rank: NeedRanker;
}

async function measure(name: string, needs: readonly Need[], { grades, langOf, rank }: Measured): Promise<SuiteRow> {
  const gains: number[] = [];
  const firsts: number[] = [];
  const wrong: number[] = [];
  const languages: number[] = [];
  const beyond: number[] = [];
  const judged: number[] = [];
  for (const each of needs) {
    const own = grades.get(each.id) ?? new Map<string, number>();
    const shown = (await rank(each)).slice(0, SHOWN);
    const [first = ''] = shown;
    const gradeOf = (url: string) => own.get(url) ?? 0;
    judged.push(...shown.map((url) => (own.has(url) ? 1 : 0)));
    const good = [...own].filter(([, grade]) => grade >= RELEVANT).map(([url]) => url);
    if (good.length === 0) {
      beyond.push(shown.length);
      continue;
    }
    gains.push(normalizedGain(shown, own, SHOWN));
    firsts.push(gradeOf(first) >= RELEVANT ? 1 : 0);
    wrong.push(...shown.map((url) => (gradeOf(url) === 0 ? 1 : 0)));
    if (good.some((url) => langOf.get(url) === each.lang)) languages.push(langOf.get(first) === each.lang ? 1 : 0);
  }
  return {
    name,
    cases: needs.length,
    values: {
      'nDCG@5': mean(gains),
      'first ≥ 2': mean(firsts),
      'grade 0': mean(wrong),
      'own language first': mean(languages),
      'shown where nothing is': mean(beyond),
      'cases with nothing': beyond.length,
      judged: mean(judged),
    },
  };
}
