import type { ExternalHit, ExternalPlan, ExternalResult } from '#engine/objects/search/external-plan';
import { readHitTier } from '#engine/objects/search/offer-hit';
import { type Facets, type TopicCount, valueFields } from '#engine/objects/types';
import { BELOW } from '#engine/objects/weights';
import { readDocumentVectors } from '../local/versions/external-document.ts';
import type { OpenSearch } from './client.ts';
import type { DocumentSource } from './documents.ts';
import { createMalformedError, createPartialError } from './errors.ts';
import type { Query } from './filters.ts';
import { EXACT, RANK_SCALE, type SearchBody, writeSearchBody } from './search-body.ts';

export interface FindOptions {
  readonly client: OpenSearch;
  readonly index: string;
  /** The highest rank of one request, which a node sorts; later pages need several requests. */
  readonly maxWindow: number;
  onSource(source: DocumentSource): void;
}

type Page = { readonly offset: number; readonly limit: number };

interface SearchHit {
  readonly _score: number | null;
  readonly _source: DocumentSource;
  readonly sort: readonly unknown[];
  readonly matched_queries?: readonly string[];
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
  readonly preferred?: { readonly doc_count: number };
}

interface SearchResponse {
  readonly timed_out?: boolean;
  readonly _shards?: { readonly failed: number };
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly SearchHit[] };
  readonly aggregations?: Readonly<Record<string, { readonly values: { readonly buckets: readonly Bucket[] } }>>;
}

/** Finds a page of the hits that a plan of the engine describes. Errors: CATALOG_UNAVAILABLE.
 *  @param page with filters for the documents that a tenant finds and that no overlay replaces */
export async function findInIndex(
  options: FindOptions,
  plan: ExternalPlan,
  { selected, ...page }: Page & { readonly selected: readonly Query[] },
): Promise<ExternalResult> {
  if (plan.kind === 'words' && plan.groups.every(({ ways }) => ways.length === 0))
    return { hits: [], total: 0, fitting: 0, ...readCounts({}, plan) };
  const isInWindow = page.offset + page.limit <= options.maxWindow;
  // Scores, which sorting scripts need, are computed only on request.
  const body = { ...writeSearchBody(plan, selected), track_scores: plan.kind !== 'list' };
  const response = isInWindow
    ? await findPageInIndex(options, body, page)
    : await findLatePageInIndex(options, body, page);
  const documents = response.hits.hits;
  if (!documents.every(({ _source }) => _source?.record)) throw createMalformedError();
  const hits = documents.map((hit) => toExternalHit(hit, plan, options));
  const total = response.hits.total.value;
  const fittingOnPage = hits.filter(({ tier }) => tier !== 'close').length;
  const isLast = fittingOnPage < hits.length || page.offset + hits.length >= total;
  const countsAll = plan.kind === 'words' && plan.query.countsFitting === true && !isLast;
  const fitting = countsAll ? await countFittingInIndex(options, body) : fittingOnPage;
  const hasMeaning = plan.kind === 'words' && plan.meaning !== undefined;
  const vectors = hasMeaning ? readDocumentVectors(documents.map(({ _source }) => _source)) : undefined;
  return {
    hits,
    total,
    fitting,
    ...(vectors && { vectors }),
    ...readCounts(response, plan),
  };
}

/** Searches all shards, as nodes may answer for some only. Errors: CATALOG_UNAVAILABLE. */
async function findInAllShards(client: OpenSearch, path: string, body: object): Promise<SearchResponse> {
  const response = await client.ask<SearchResponse>({ method: 'POST', path, body });
  const { hits, timed_out, _shards } = response;
  if (!Array.isArray(hits?.hits)) throw createMalformedError();
  if (timed_out === true || (_shards?.failed ?? 0) > 0) throw createPartialError();
  return response;
}

type TrackedBody = SearchBody & { readonly track_scores: boolean };

async function findPageInIndex({ client, index }: FindOptions, body: TrackedBody, page: Page): Promise<SearchResponse> {
  const { offset, limit } = page;
  return findInAllShards(client, `/${index}/_search`, { ...body, from: offset, size: limit, track_total_hits: true });
}

async function countFittingInIndex({ client, index }: FindOptions, body: TrackedBody): Promise<number> {
  const { aggs: _aggs, sort: _sort, ...matching } = body;
  const counted = { ...matching, min_score: BELOW.fitting * RANK_SCALE, size: 0, track_total_hits: true };
  return (await findInAllShards(client, `/${index}/_search`, counted)).hits.total.value;
}

const KEEP_ALIVE = '1m';

/** Finds a page after reading all ranks before it, in one state of the index. */
async function findLatePageInIndex(options: FindOptions, body: TrackedBody, page: Page): Promise<SearchResponse> {
  const { client, index, maxWindow } = options;
  const { pit_id: id } = await client.ask<{ pit_id: string }>({
    method: 'POST',
    path: `/${index}/_search/point_in_time`,
    query: { keep_alive: KEEP_ALIVE },
  });
  const search = (part: object, size: number, after: readonly unknown[] | undefined) =>
    findInAllShards(client, '/_search', {
      ...part,
      pit: { id, keep_alive: KEEP_ALIVE },
      size,
      track_total_hits: true,
      ...(after !== undefined && { search_after: after }),
    });
  const { aggs: _aggs, ...ranksOnly } = body;
  try {
    let last: readonly unknown[] | undefined;
    for (let done = 0; done < page.offset; ) {
      const size = Math.min(maxWindow, page.offset - done);
      const { hits } = (await search({ ...ranksOnly, _source: false }, size, last)).hits;
      if (hits.length < size) {
        // The page is after the last hit; total and facets are the same.
        const first = await findPageInIndex(options, body, { offset: 0, limit: 1 });
        return { ...first, hits: { ...first.hits, hits: [] } };
      }
      done += size;
      last = hits.at(-1)?.sort;
    }
    return await search({ ...body, _source: true }, page.limit, last);
  } finally {
    // Otherwise the point in time would stay open for a minute.
    await client
      .ask({ method: 'DELETE', path: '/_search/point_in_time', body: { pit_id: [id] } })
      .catch(() => undefined);
  }
}

function toExternalHit(hit: SearchHit, plan: ExternalPlan, { onSource }: FindOptions): ExternalHit {
  const { url, lang, provider, lift } = hit._source;
  onSource(hit._source);
  return {
    id: url,
    rank: readRank(hit, plan),
    tier: plan.kind === 'words' ? readHitTier(Number(hit._score) / RANK_SCALE, 'popularity') : 'fitting',
    isExact: hit.matched_queries?.includes(EXACT) ?? false,
    lang,
    provider,
    likeness: 0,
    lift,
  };
}

/** OpenSearch represents a missing value by a larger one. */
const MAX_SORT_VALUE = 1e30;

function readRank({ sort: [value] }: SearchHit, plan: ExternalPlan): number {
  if (plan.kind === 'list') {
    const hasValue = typeof value === 'number' && Math.abs(value) < MAX_SORT_VALUE;
    const sign = plan.request.sort === 'shortest' ? -1 : 1;
    return hasValue ? sign * Math.fround(value) : Number.NEGATIVE_INFINITY;
  }
  const isByScore = plan.kind === 'alike' || (plan.kind === 'words' && plan.query.sort === 'popularity');
  return Number(value) / (isByScore ? RANK_SCALE : 1);
}

function readCounts({ aggregations }: Pick<SearchResponse, 'aggregations'>, plan: ExternalPlan) {
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
  return { facets: Object.fromEntries(facets) as unknown as Facets, ...(plan.kind === 'browse' && { topics }) };
}
