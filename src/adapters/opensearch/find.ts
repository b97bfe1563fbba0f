import type { ExternalHit, ExternalPlan, ExternalResult } from '#engine/objects/search/external-plan';
import { type Facets, type HitTier, type TopicCount, valueFields } from '#engine/objects/types';
import { DEAD_POPULARITY } from '#engine/objects/weights';
import { liftBy, readKeptVectors } from '../local/versions/external-document.ts';
import type { VersionRecord } from '../local/versions/version-objects.ts';
import { BELOW, type Body, EXACT, RANK_SCALE } from './body-parts.ts';
import type { OpenSearch } from './client.ts';
import type { Query } from './filters.ts';
import { type KeptSource, toVersionRecord } from './records.ts';
import { writeAlikeBody, writeBrowseBody, writeListBody } from './wordless-bodies.ts';
import { writeWordsBody } from './words-body.ts';

export interface FindDeps {
  readonly client: OpenSearch;
  readonly index: string;
  /** Ranks that are asked for directly; what is beyond is walked to, as the node would have to sort as many at once. */
  readonly maxWindow: number;
  /** Told of what came with the hits. */
  remember(record: VersionRecord): void;
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

interface Hit {
  readonly _score: number | null;
  readonly _source: KeptSource;
  readonly sort: readonly unknown[];
  readonly matched_queries?: readonly string[];
}

interface Answer {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly Hit[] };
  readonly aggregations?: Readonly<
    Record<string, { readonly values: { readonly buckets: readonly Bucket[] } }>
  >;
  readonly pit_id?: string;
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
  readonly preferred?: { readonly doc_count: number };
}

interface SearchBody extends Body {
  /** Scripts that sort read scores, and these are worked out only then. */
  readonly track_scores: boolean;
}

const KEEP_ALIVE = '1m';

/** Asks the index for what a plan wants. Errors: CATALOG_UNAVAILABLE. */
export async function findInIndex(
  { client, index, maxWindow, remember }: FindDeps,
  plan: ExternalPlan,
  { selected, ...page }: Page & { readonly selected: readonly Query[] },
): Promise<ExternalResult> {
  if (plan.kind === 'words' && plan.groups.every(({ ways }) => ways.length === 0)) return nothingFound(plan);
  const body = { ...writeBody(plan, selected), track_scores: plan.kind !== 'list' };
  const deps = { client, index, maxWindow };
  const answer = await (page.offset + page.limit > maxWindow
    ? walk(deps, body, page)
    : ask(deps, body, page));
  const toRank = rankReader(plan);
  const hits = answer.hits.hits.map((hit): ExternalHit => {
    const known = toVersionRecord(hit._source);
    remember(known);
    const { url, lang, popularity } = known.record;
    const lift = liftBy(known.isDead ? DEAD_POPULARITY : popularity);
    const isExact = hit.matched_queries?.includes(EXACT) ?? false;
    return { id: url, rank: toRank(hit), tier: readTier(hit, plan), isExact, lang, lift };
  });
  const isMeant = plan.kind === 'words' && plan.meaning !== undefined;
  const vectors = isMeant ? readKeptVectors(answer.hits.hits.map(({ _source }) => _source)) : undefined;
  const fitting = hits.filter(({ tier }) => tier !== 'close').length;
  const counts = readCounts(answer, plan);
  return { hits, total: answer.hits.total.value, fitting, ...(vectors && { vectors }), ...counts };
}

/** @param selected documents that a tenant has, and nobody changed */
function writeBody(plan: ExternalPlan, selected: readonly Query[]): Body {
  switch (plan.kind) {
    case 'words':
      return writeWordsBody(plan, selected);
    case 'browse':
      return writeBrowseBody(plan.query, selected);
    case 'alike':
      return writeAlikeBody(plan, selected);
    case 'list':
      return writeListBody(plan.request, selected);
  }
}

function nothingFound(plan: ExternalPlan): ExternalResult {
  return { hits: [], total: 0, fitting: 0, ...readCounts({}, plan) };
}

type AskDeps = Omit<FindDeps, 'remember'>;

async function ask({ client, index }: AskDeps, body: SearchBody, { offset, limit }: Page): Promise<Answer> {
  return client.ask<Answer>({
    ...{ method: 'POST', path: `/${index}/_search` },
    body: { ...body, from: offset, size: limit, track_total_hits: true },
  });
}

/** Goes through what comes before the page, in the same state of the index from its beginning to its end. */
async function walk(
  { client, index, maxWindow }: AskDeps,
  body: SearchBody,
  { offset, limit }: Page,
): Promise<Answer> {
  const { pit_id: id } = await client.ask<{ pit_id: string }>({
    ...{ method: 'POST', path: `/${index}/_search/point_in_time`, query: { keep_alive: KEEP_ALIVE } },
  });
  try {
    let after: readonly unknown[] | undefined;
    for (let done = 0; ; ) {
      const size = Math.min(maxWindow, offset - done);
      const isPage = size === 0;
      const { aggs: _aggs, ...search } = body;
      const answer = await client.ask<Answer>({
        ...{ method: 'POST', path: '/_search' },
        body: {
          ...(isPage ? body : search),
          ...{ pit: { id, keep_alive: KEEP_ALIVE }, size: isPage ? limit : size },
          ...{ track_total_hits: true, _source: isPage },
          ...(after !== undefined && { search_after: after }),
        },
      });
      const { hits } = answer.hits;
      if (isPage) return answer;
      if (hits.length < size) {
        // The page is behind the last one, and speaks of the same search.
        const whole = await ask({ client, index, maxWindow }, body, { offset: 0, limit: 1 });
        return { ...whole, hits: { ...whole.hits, hits: [] } };
      }
      done += hits.length;
      after = hits.at(-1)?.sort;
    }
  } finally {
    // It would end on its own, a minute later.
    await client
      .ask({ method: 'DELETE', path: '/_search/point_in_time', body: { pit_id: [id] } })
      .catch(() => undefined);
  }
}

/** As our own engine ranks. */
function rankReader(plan: ExternalPlan): (hit: Hit) => number {
  if (plan.kind === 'list') {
    const sign = plan.request.sort === 'shortest' ? -1 : 1;
    return ({ sort: [value] }) =>
      typeof value === 'number' && Math.abs(value) < UNKNOWN
        ? sign * Math.fround(value)
        : Number.NEGATIVE_INFINITY;
  }
  const isByScore = plan.kind === 'alike' || (plan.kind === 'words' && plan.query.sort === 'popularity');
  return ({ sort: [value] }) => Number(value) / (isByScore ? RANK_SCALE : 1);
}

/** What stands for a missing value. */
const UNKNOWN = 1e30;

function readTier({ _score }: Hit, { kind }: ExternalPlan): HitTier {
  if (kind !== 'words') return 'fitting';
  const rank = Number(_score) / RANK_SCALE;
  return rank < BELOW.fitting ? 'close' : rank < BELOW.spoken ? 'other-language' : 'fitting';
}

function readCounts({ aggregations }: Pick<Answer, 'aggregations'>, plan: ExternalPlan) {
  if (plan.kind !== 'words' && plan.kind !== 'browse') return {};
  if (plan.query.details !== true) return {};
  const buckets = (name: string) => aggregations?.[name]?.values.buckets ?? [];
  const facets = valueFields.map((field) => {
    return [field, new Map(buckets(field).map(({ key, doc_count }) => [key, doc_count]))] as const;
  });
  const topics = new Map(
    buckets('topics').map(({ key, doc_count, preferred }): [string, TopicCount] => [
      key,
      { all: doc_count, preferred: preferred?.doc_count ?? doc_count },
    ]),
  );
  return {
    facets: Object.fromEntries(facets) as unknown as Facets,
    ...(plan.kind === 'browse' && { topics }),
  };
}
