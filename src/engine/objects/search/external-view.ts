import { sumValues } from '#engine/arrays';
import { hashString } from '#engine/hash';
import { addCount } from '#engine/maps';
import { readString } from '#engine/string-table';
import { listRankedObjects, type ObjectSearch } from '../object-view.ts';
import { createQueryInterpreter } from '../query/interpret-query.ts';
import type { Source } from '../query/term-sources.ts';
import { findSegmentTopics, type LiveSegment, type Segment, TOPIC_MARK } from '../segment/segment.ts';
import type { Facets, ObjectAnswer, ObjectHit, ObjectQuery, TopicCount } from '../types.ts';
import { valueFields } from '../types.ts';
import { alikeWeights, SCORE_STEPS } from '../weights.ts';
import { createAccumulator } from './accumulator.ts';
import { scoreAlike, weighAlikeAspects } from './alike.ts';
import { listRankedHits, toObjectAnswer } from './answer.ts';
import { ARRANGED, arrangeFirstHits, arrangeFurtherHits, statedFacts } from './arrange-hits.ts';
import { browseSegments } from './browse.ts';
import type { ExternalObjects, ExternalPlan, RankedHit, RankedResult, Way, WayGroup } from './external-plan.ts';
import { prepareMeaning, type QueryMeaning } from './meaning.ts';
import { findHitsByMeaning } from './rank-by-meaning.ts';
import { prepareSearch, type SearchTools, searchParts } from './search.ts';
import { type Job, type Part, weighJobSource } from './search-job.ts';

/** Searches documents in another engine and a few local ones that replace some of them, as one
 *  index:
 *  1. The query is interpreted over the words of both, and searched in the local documents.
 *  2. The resulting plan tells the other engine what to find, and how to rank it.
 *  3. The hits of both are merged by their ranks, which are comparable. */
export function createExternalView(external: ExternalObjects, segments: readonly LiveSegment[]): ObjectSearch {
  const local = segments.filter(({ liveCount }) => liveCount > 0);
  const interpretedSegments = [external.words, ...local];
  const interpret = createQueryInterpreter(interpretedSegments);
  const tools = { accumulator: createAccumulator(LOCAL_BLOCK), interpret };
  return {
    async search(request) {
      const query = await addExternalTopics(external, local, request);
      const { plan, corrections, terms, ...localResult } = searchLocal(interpretedSegments, query, tools);
      const { offset, limit } = query;
      const isArranged = plan.kind === 'words' && query.sort === 'popularity';
      const firstLimit = isArranged ? Math.max(ARRANGED, limit) : limit;
      const [best, later] = await Promise.all([
        findExternalPage(external, plan, { localResult, offset: 0, limit: firstLimit }),
        offset + limit <= firstLimit ? null : findExternalPage(external, plan, { localResult, offset, limit }),
      ]);
      const page = later ?? { ...best, hits: best.hits.slice(offset, offset + limit) };
      const arrangement = { filters: query.filters, facts: statedFacts };
      const first = isArranged ? arrangeFirstHits(best.hits.slice(0, ARRANGED), arrangement) : best.hits;
      const further = page.hits.slice(Math.max(0, first.length - offset));
      const arrangedFurther = isArranged ? arrangeFurtherHits(first, further) : further;
      const hits = [...first.slice(offset, offset + limit), ...arrangedFurther];
      return {
        hits: hits.map(({ id, rank, tier, lang, provider, likeness, isExact }): ObjectHit => {
          return { id, score: rank, tier, lang, provider, likeness, unmet: [], complete: isExact };
        }),
        total: page.total,
        fitting: best.fitting,
        exact: plan.kind !== 'alike' && first.length > 0 && first.slice(0, limit).every(({ isExact }) => isExact),
        ...(page.total > 0 && corrections !== undefined && corrections.size > 0 && { corrections }),
        ...(page.facets && { facets: page.facets, terms: terms ?? new Set() }),
        ...(page.topics && { topics: page.topics }),
      };
    },
    async list(request) {
      const { offset, limit } = request;
      const { hits, total } = listRankedObjects(local, request);
      const localHits = hits.map(({ score, ...document }): RankedHit => {
        return { ...document, rank: score, tier: 'fitting', isExact: true };
      });
      const localResult = { hits: localHits, total, fitting: total };
      const page = await findExternalPage(external, { kind: 'list', request }, { localResult, offset, limit });
      return { ids: page.hits.map(({ id }) => id), total: page.total };
    },
    prepare: () => prepareMeaning(local),
  };
}

/** Documents in a block of the accumulator: there are only a few local ones. */
const LOCAL_BLOCK = 1 << 10;

/** Adds the topics of the object to a query for similar objects. */
async function addExternalTopics(
  external: ExternalObjects,
  local: readonly LiveSegment[],
  query: ObjectQuery,
): Promise<ObjectQuery> {
  const { likeTo } = query;
  if (likeTo === undefined) return query;
  const { topics } = findSegmentTopics(local, likeTo.id);
  return {
    ...query,
    likeTo: { topics: topics.length > 0 ? topics : await external.findTopics(likeTo.id), ...likeTo },
  };
}

interface LocalResult extends RankedResult, Pick<ObjectAnswer, 'corrections' | 'terms'> {
  readonly plan: ExternalPlan;
}

/** @param segments the first has the words of the other engine */
function searchLocal(segments: readonly LiveSegment[], query: ObjectQuery, tools: SearchTools): LocalResult {
  const { accumulator, interpret } = tools;
  const fromStart = { ...query, offset: 0, limit: Math.max(ARRANGED, query.offset + query.limit) };
  if (query.likeTo !== undefined) return findAlikeExternally(segments, fromStart);
  if (query.isBrowsing)
    return { ...toExternalResult(browseSegments(segments.slice(1), fromStart)), plan: { kind: 'browse', query } };
  const { job, parts, meaning, corrections } = prepareSearch(segments, fromStart, interpret?.(fromStart));
  searchParts(parts, job, accumulator);
  const result = toExternalResult(toObjectAnswer(parts, job, listRankedHits(parts, job)));
  return { ...result, corrections, plan: planExternalWords(parts[0]!, job, { query, meaning }) };
}

function toExternalResult(answer: ObjectAnswer): Omit<LocalResult, 'plan'> {
  const { hits, total, fitting, facets, topics, terms } = answer;
  return {
    hits: hits.map(({ score, unmet, complete, ...hit }) => {
      return { ...hit, rank: score, isExact: complete && unmet.length === 0 };
    }),
    total,
    fitting,
    ...(facets && { facets }),
    ...(topics && { topics }),
    ...(terms && { terms }),
  };
}

interface PageRequest {
  readonly localResult: RankedResult;
  readonly offset: number;
  readonly limit: number;
}

/** Finds a page of both engines: external hits begin as many ranks earlier as there are local
 *  hits. */
async function findExternalPage(
  external: ExternalObjects,
  plan: ExternalPlan,
  { localResult, offset, limit }: PageRequest,
): Promise<RankedResult> {
  const skipped = Math.max(0, offset - localResult.hits.length);
  const page = { offset: skipped, limit: offset + limit - skipped };
  const result = await (plan.kind === 'words' ? findHitsByMeaning(external, plan, page) : external.find(plan, page));
  const merged = mergeExternalHits(localResult.hits, result.hits);
  const topics = mergeExternalTopics(localResult.topics, result.topics);
  return {
    hits: merged.slice(offset - skipped, offset - skipped + limit),
    total: localResult.total + result.total,
    fitting: localResult.fitting + result.fitting,
    ...(result.facets && { facets: mergeExternalFacets(localResult.facets, result.facets) }),
    ...(topics && { topics }),
  };
}

function planExternalWords(
  part: Part,
  job: Job,
  { query, meaning }: { readonly query: ObjectQuery; readonly meaning: QueryMeaning | undefined },
): ExternalPlan {
  const { segment } = part.live;
  const groups = job.idfs.map((idf, g): WayGroup => {
    const ways = part.sources[g]!.map((source) => toExternalWay(segment, source, idf));
    return { ways, idf, isRequired: g < job.required };
  });
  const worth = job.meaningScore / SCORE_UNIT;
  return {
    kind: 'words',
    query,
    groups,
    phrases: job.phrases.map((set) => [...groups.keys()].filter((g) => ((set >>> g) & 1) === 1)),
    lang: query.instruction ?? (query.filters.lang === undefined ? job.lang : null),
    seed: job.seed,
    ...(meaning && query.sort === 'popularity' && { meaning: { ...meaning, worth } }),
  };
}

/** The score of a match with the highest impact and an idf of 1. */
const SCORE_UNIT = 255 * SCORE_STEPS;

function toExternalWay(segment: Segment, source: Source, idf: number): Way {
  const nameOf = ({ firstChunk }: Source) => readString(segment.terms, firstChunk);
  return {
    worth: weighJobSource(idf, source.weight) / SCORE_STEPS,
    isExact: source.isExact,
    words: source.phrase?.map((lists) => lists.map(nameOf)) ?? [[nameOf(source)]],
  };
}

function findAlikeExternally(segments: readonly LiveSegment[], query: ObjectQuery): LocalResult {
  const [words, ...local] = segments;
  const likeTo = query.likeTo!;
  const aspects = weighAlikeAspects(segments, likeTo);
  const localAspects = aspects.map(({ worth, terms }) => ({ worth, terms: terms.slice(1) }));
  const most = sumValues(aspects.map(({ worth }) => worth));
  const externalTerms = aspects.flatMap(({ worth, terms }) =>
    terms[0]!.map(([term, share]) => {
      return [readString(words!.segment.terms, term), (worth * share) / most] as const;
    }),
  );
  return {
    ...toExternalResult(scoreAlike(local, localAspects, { likeTo, offset: 0, limit: query.limit })),
    plan: {
      kind: 'alike',
      id: likeTo.id,
      terms: externalTerms.filter(([term]) => !term.startsWith(TOPIC_MARK)),
      topics: externalTerms
        .filter(([term]) => term.startsWith(TOPIC_MARK))
        .map(([term, worth]) => [term.slice(TOPIC_MARK.length), worth, worth * alikeWeights.widerTopic]),
    },
  };
}

function mergeExternalHits(local: readonly RankedHit[], external: readonly RankedHit[]): RankedHit[] {
  if (local.length === 0) return [...external];
  const keyed = [...local, ...external].map((hit) => ({ hit, tie: hashString(hit.id) }));
  return keyed.sort((a, b) => b.hit.rank - a.hit.rank || a.tie - b.tie).map(({ hit }) => hit);
}

function mergeExternalFacets(local: Facets | undefined, external: Facets): Facets {
  if (local === undefined) return external;
  const merged = valueFields.map((field) => {
    const counts = new Map(external[field]);
    for (const [value, count] of local[field]) addCount(counts, value, count);
    return [field, counts] as const;
  });
  return Object.fromEntries(merged) as unknown as Facets;
}

type Topics = ReadonlyMap<string, TopicCount> | undefined;

function mergeExternalTopics(local: Topics, external: Topics): Topics {
  if (external === undefined) return undefined;
  const counts = new Map(external);
  for (const [id, { all, preferred }] of local ?? []) {
    const before = counts.get(id) ?? { all: 0, preferred: 0 };
    counts.set(id, { all: before.all + all, preferred: before.preferred + preferred });
  }
  return counts;
}
