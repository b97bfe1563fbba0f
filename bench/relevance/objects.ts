import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalService } from '../../src/adapters/local/open-local-service.ts';
import { createRequestIds } from '../../src/adapters/local/request-ids.ts';
import { readStarterCatalog } from '../../src/adapters/local/starter-catalog.ts';
import type { ExternalIndex } from '../../src/adapters/local/versions/version-objects.ts';
import { openEncoder } from '../../src/adapters/meaning/static-encoder.ts';
import { openOpenSearchIndex } from '../../src/adapters/opensearch/opensearch-index.ts';
import type { LearningObjectQuery } from '../../src/domain/learning-object-query.ts';
import { type JudgedQuery, RELEVANT, readJudgments, toSearch, withoutTwins } from './judgments.ts';
import { mean, normalizedGain, reciprocalRank } from './metrics.ts';
import { createPeer } from './objects-peer.ts';
import { createVariants } from './objects-variants.ts';
import type { RunSuite, SuiteRow } from './suite.ts';

/** Gives the addresses of the ten best objects, best first. */
export type Ranker = (judged: JudgedQuery) => Promise<readonly string[]>;

const CATALOG = 'data';
const RANKS = 10;
type Part = (queries: readonly JudgedQuery[]) => readonly JudgedQuery[];

const those =
  (isIn: (judged: JudgedQuery) => boolean): Part =>
  (queries) =>
    queries.filter(isIn);

const parts: Readonly<Record<string, Part>> = {
  all: those(() => true),
  'test split': those(({ split }) => split === 'test'),
  'test split, unlike any tuned': withoutTwins,
  'tune split': those(({ split }) => split === 'tune'),
  en: those((judged) => languageOf(judged) === 'en'),
  fr: those((judged) => languageOf(judged) === 'fr'),
  typos: those(({ kinds }) => kinds.includes('typo')),
  questions: those(({ kinds }) => kinds.includes('question')),
  filters: those(({ filters }) => filters !== undefined),
};

/** Judged searches for learning objects, answered by the local service over the starter
 *  catalogue. */
export const runObjects: RunSuite = async ({ data, withAblation, catalog }) => {
  const queries = readJudgments(data);
  const { objects, concepts } = readStarterCatalog(CATALOG);
  const measureWith = (name: string, search: ObjectSearch) => measureParts(name, queries, rankerOf(search));
  const ours = await withLocalService(async (search) => {
    const here = rankerOf(search);
    const onCatalog = await withCatalog(catalog, async (kept) => {
      const there = rankerOf(kept);
      const askAll = (rank: Ranker) => Promise.all(queries.map(rank));
      return [
        ...(await measureParts('skilldock on OpenSearch', queries, there)),
        compareFirsts('on OpenSearch and here', await askAll(here), await askAll(there)),
      ];
    });
    return [...(onCatalog ?? []), ...(await measureParts('skilldock', queries, here))];
  });
  if (catalog !== undefined) return ours;
  const rows = [
    ...ours,
    ...(await withWords((search) => measureWith('skilldock, words alone', search))),
    ...(await measureParts('MiniSearch', queries, createPeer(objects))),
  ];
  if (!withAblation) return rows;
  for (const [name, ranker] of createVariants(objects, concepts)) rows.push(await measure(name, queries, ranker));
  return rows;
};

const rankerOf = (search: ObjectSearch): Ranker => askOnce((judged) => search(toSearch(judged)));

/** The same, whose answers are remembered. */
export function askOnce<K>(ask: (key: K) => Promise<readonly string[]>): typeof ask {
  const answers = new Map<K, Promise<readonly string[]>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}

/** Gives what a search for the words finds, as `toSearch` has it, with some of it changed. */
export type ObjectSearch = (
  query: Partial<LearningObjectQuery> & { readonly keywords: string },
) => Promise<readonly string[]>;

interface OpenOptions {
  /** Whether without meaning. */
  readonly byWords?: boolean;
  readonly external?: ExternalIndex;
}

export async function withLocalService<T>(
  run: (search: ObjectSearch) => Promise<T>,
  { byWords = false, external }: OpenOptions = {},
): Promise<T> {
  const dataDir = folderOf(external ? 'external' : 'embedded');
  const clock = { now: () => new Date() };
  let problem: unknown;
  const service = openLocalService({
    catalogDir: CATALOG,
    dataDir,
    clock,
    onProblem(error) {
      problem = error;
      console.error(error);
    },
    publicUrl: 'http://localhost',
    requestIds: createRequestIds(Buffer.from('relevance'), clock),
    ...(external && { external }),
    encoder: byWords ? undefined : openEncoder(),
  });
  try {
    // A host that starts waits for half a minute only.
    while (external !== undefined && !service.updates.hasCaughtUp && problem === undefined)
      await service.updates.catchUp();
    const usual = toSearch({ query: '', kinds: [], split: 'tune', judgments: {} });
    return await run(async (query) => {
      const { content } = await service.learning.ask('searchProvider', { ...usual, ...query });
      return content.map(({ url }) => url);
    });
  } finally {
    await service.close();
  }
}

const folders = new Map<string, string>();

/** What is built in it serves all suites of a run. */
function folderOf(name: string): string {
  const folder = folders.get(name) ?? makeFolder();
  folders.set(name, folder);
  return folder;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-relevance-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same by words alone. */
export function withWords<T>(run: (search: ObjectSearch) => Promise<T>): Promise<T> {
  return withLocalService(run, { byWords: true });
}

/** The same with the objects on an OpenSearch; null where none is named. Its indexes stay there. */
export async function withCatalog<T>(
  address: string | undefined,
  run: (search: ObjectSearch) => Promise<T>,
): Promise<T | null> {
  if (address === undefined) return null;
  const place = { nodes: [address], prefix: 'skilldock-relevance', replicas: 0 };
  // What two shards find has to be one order.
  const external = openOpenSearchIndex({ ...place, shards: 2 });
  try {
    return await withLocalService(run, { external });
  } finally {
    await external.close();
  }
}

/** How often two give the same object first, of the queries that find anything with either. */
export function compareFirsts(
  name: string,
  one: readonly (readonly string[])[],
  other: readonly (readonly string[])[],
): SuiteRow {
  const pairs = one.map((urls, i) => [urls, other[i] ?? []] as const);
  const found = pairs.filter(([a, b]) => a.length + b.length > 0);
  const sameOf = (length: number) =>
    mean(found.map(([a, b]) => Number(`${a.slice(0, length)}` === `${b.slice(0, length)}`)));
  return { name, cases: found.length, values: { 'same first': sameOf(1), 'same five': sameOf(SAME) } };
}

const SAME = 5;

async function measureParts(name: string, queries: readonly JudgedQuery[], ranker: Ranker): Promise<SuiteRow[]> {
  const rows: SuiteRow[] = [];
  for (const [part, choose] of Object.entries(parts)) {
    const own = choose(queries);
    if (own.length > 0) rows.push(await measure(`${name}: ${part}`, own, ranker));
  }
  return rows;
}

/** What has no judgment counts as not relevant. */
async function measure(name: string, queries: readonly JudgedQuery[], ranker: Ranker): Promise<SuiteRow> {
  const gains: number[] = [];
  const reciprocals: number[] = [];
  const judgedShares: number[] = [];
  for (const judged of queries) {
    const ranked = (await ranker(judged)).slice(0, RANKS);
    const grades = new Map(Object.entries(judged.judgments));
    const best = Math.min(RELEVANT, Math.max(...grades.values()));
    gains.push(normalizedGain(ranked, grades, RANKS));
    reciprocals.push(
      reciprocalRank(ranked, new Set([...grades].filter(([, grade]) => grade >= best).map(([url]) => url))),
    );
    if (ranked.length > 0) judgedShares.push(ranked.filter((url) => grades.has(url)).length / ranked.length);
  }
  return {
    name,
    cases: queries.length,
    values: { 'nDCG@10': mean(gains), MRR: mean(reciprocals), judged: mean(judgedShares) },
  };
}

function languageOf({ in: written, lang }: JudgedQuery): string | undefined {
  return written ?? lang;
}
