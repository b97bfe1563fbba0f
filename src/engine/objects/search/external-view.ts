import { hashString } from '#engine/hash';
import { readString } from '#engine/string-table';
import { type ObjectSearch, rankListed } from '../object-view.ts';
import type { Source } from '../query/term-sources.ts';
import { findDocumentTopics, type LiveSegment, type Segment, TOPIC_MARK } from '../segment/segment.ts';
import {
  type Facets,
  type ObjectAnswer,
  type ObjectHit,
  type ObjectQuery,
  type TopicCount,
  valueFields,
} from '../types.ts';
import { alikeWeights, SCORE_STEPS } from '../weights.ts';
import { createAccumulator } from './accumulator.ts';
import { scoreAlike, weighAspects } from './alike.ts';
import { toObjectAnswer } from './answer.ts';
import { browseSegments } from './browse.ts';
import type {
  ExternalObjects,
  ExternalPlan,
  RankedHit,
  RankedResult,
  Way,
  WayGroup,
} from './external-plan.ts';
import type { QueryMeaning } from './meaning.ts';
import { findMeant } from './rank-by-meaning.ts';
import { prepareSearch, searchParts } from './search.ts';
import { type Job, type Part, weighSource } from './search-job.ts';

/** What is found here, as if it were found elsewhere. */
interface Here extends RankedResult, Pick<ObjectAnswer, 'corrections' | 'terms'> {
  readonly plan: ExternalPlan;
}

/** Search documents that are kept elsewhere and a few that lie over them, as one index. */
export function createExternalView(elsewhere: ExternalObjects, beside: readonly LiveSegment[]): ObjectSearch {
  const filled = beside.filter(({ liveCount }) => liveCount > 0);
  const segments = [elsewhere.words, ...filled];
  const accumulator = createAccumulator(ROOM);

  function searchHere(query: ObjectQuery): Here {
    const whole = { ...query, offset: 0, limit: query.offset + query.limit };
    if (query.likeTo !== undefined) return findAlikeHere(segments, whole);
    if (query.isBrowsing)
      return { ...toFound(browseSegments(filled, whole)), plan: { kind: 'browse', query } };
    const { job, parts, meant, corrections } = prepareSearch(segments, whole);
    searchParts(parts, job, accumulator);
    const { terms, ...found } = toFound(toObjectAnswer(parts, job));
    return {
      ...found,
      ...(terms && { terms }),
      corrections,
      plan: planWords(parts[0]!, job, { query, meant }),
    };
  }

  async function addTopics(likeTo: NonNullable<ObjectQuery['likeTo']>): Promise<typeof likeTo> {
    const { topics } = findDocumentTopics(filled, likeTo.id);
    return { topics: topics.length > 0 ? topics : await elsewhere.findTopics(likeTo.id), ...likeTo };
  }

  return {
    async search(asked) {
      const { offset, limit, likeTo } = asked;
      const query = likeTo === undefined ? asked : { ...asked, likeTo: await addTopics(likeTo) };
      const { plan, corrections, terms, ...here } = searchHere(query);
      const [page, first] = await Promise.all([
        findBoth(elsewhere, plan, { here, offset, limit }),
        offset === 0 ? null : findBoth(elsewhere, plan, { here, offset: 0, limit }),
      ]);
      const hits = page.hits.map(toHit);
      const best = (first ?? page).hits;
      return {
        ...{ hits, total: page.total, fitting: (first ?? page).fitting },
        exact: plan.kind !== 'alike' && best.length > 0 && best.every(({ isExact }) => isExact),
        ...(page.total > 0 && corrections !== undefined && corrections.size > 0 && { corrections }),
        ...(page.facets && { facets: page.facets }),
        ...(page.topics && { topics: page.topics }),
        ...(page.facets && { terms: terms ?? new Set() }),
      };
    },
    async list(request) {
      const { offset, limit } = request;
      const { hits, total } = rankListed(filled, request);
      const here = { hits: hits.map(({ id, score }) => toFoundHit(id, score)), total, fitting: total };
      const plan = { kind: 'list', request } as const;
      const found = await findBoth(elsewhere, plan, { here, offset, limit });
      return { ids: found.hits.map(({ id }) => id), total: found.total };
    },
  };
}

/** Few documents lie over others. */
const ROOM = 1 << 10;

function toFoundHit(id: string, rank: number): RankedHit {
  return { id, rank, tier: 'fitting', isExact: true };
}

function toHit({ id, rank, tier, isExact }: RankedHit): ObjectHit {
  return { id, score: rank, tier, unmet: [], complete: isExact };
}

function toFound({ hits, total, fitting, facets, topics, terms }: ObjectAnswer): Omit<Here, 'plan'> {
  return {
    hits: hits.map(({ id, score, tier, unmet, complete }) => {
      return { id, rank: score, tier, isExact: complete && unmet.length === 0 };
    }),
    ...{ total, fitting },
    ...(facets && { facets }),
    ...(topics && { topics }),
    ...(terms && { terms }),
  };
}

interface Page {
  readonly here: RankedResult;
  readonly offset: number;
  readonly limit: number;
}

/** One page of both. What is elsewhere is asked for from so far before the page as documents of here may stand before it. */
async function findBoth(
  elsewhere: ExternalObjects,
  plan: ExternalPlan,
  { here, offset, limit }: Page,
): Promise<RankedResult> {
  const skipped = Math.max(0, offset - here.hits.length);
  const page = { offset: skipped, limit: offset + limit - skipped };
  const there = await (plan.kind === 'words' ? findMeant(elsewhere, plan, page) : elsewhere.find(plan, page));
  const merged = mergeHits(here.hits, there.hits);
  const topics = mergeTopics(here.topics, there.topics);
  return {
    hits: merged.slice(offset - skipped, offset - skipped + limit),
    total: here.total + there.total,
    fitting: here.fitting + there.fitting,
    ...(there.facets && { facets: mergeFacets(here.facets, there.facets) }),
    ...(topics && { topics }),
  };
}

/** @param part what is elsewhere */
function planWords(
  part: Part,
  job: Job,
  { query, meant }: { readonly query: ObjectQuery; readonly meant: QueryMeaning | undefined },
): ExternalPlan {
  const { segment } = part.live;
  const groups = job.idfs.map((idf, g): WayGroup => {
    const ways = part.sources[g]!.map((source) => toWay(segment, source, idf));
    return { ways, idf, isRequired: g < job.required };
  });
  return {
    ...{ kind: 'words', query, groups, seed: job.seed },
    phrases: job.phrases.map((set) => [...groups.keys()].filter((g) => ((set >>> g) & 1) === 1)),
    lang: query.filters.lang === undefined ? job.lang : null,
    ...(meant && query.sort === 'popularity' && { meaning: { ...meant, worth: job.meaningScore / STEPS } }),
  };
}

/** What one is worth in the steps of scores. */
const STEPS = 255 * SCORE_STEPS;

function toWay(segment: Segment, source: Source, idf: number): Way {
  const nameOf = ({ firstChunk }: Source) => readString(segment.terms, firstChunk);
  return {
    worth: weighSource(idf, source.weight) / SCORE_STEPS,
    isExact: source.isExact,
    words: source.phrase?.map((lists) => lists.map(nameOf)) ?? [[nameOf(source)]],
  };
}

function findAlikeHere(segments: readonly LiveSegment[], query: ObjectQuery): Here {
  const [words, ...beside] = segments;
  const likeTo = query.likeTo!;
  const aspects = weighAspects(segments, likeTo);
  const own = aspects.map(({ worth, terms }) => ({ worth, terms: terms.slice(1) }));
  const most = aspects.reduce((sum, { worth }) => sum + worth, 0);
  const there = aspects.flatMap(({ worth, terms }) =>
    terms[0]!.map(([term, share]) => {
      return [readString(words!.segment.terms, term), (worth * share) / most] as const;
    }),
  );
  return {
    ...toFound(scoreAlike(beside, own, { likeTo, offset: 0, limit: query.limit })),
    plan: {
      kind: 'alike',
      id: likeTo.id,
      terms: there.filter(([term]) => !term.startsWith(TOPIC_MARK)),
      topics: there
        .filter(([term]) => term.startsWith(TOPIC_MARK))
        .map(([term, worth]) => [term.slice(TOPIC_MARK.length), worth, worth * alikeWeights.widerTopic]),
    },
  };
}

interface Ranked {
  readonly id: string;
  readonly rank: number;
}

type Topics = ReadonlyMap<string, TopicCount> | undefined;

/** Hits of two engines as one list, in the order of one. */
function mergeHits<T extends Ranked>(here: readonly T[], there: readonly T[]): T[] {
  if (here.length === 0) return [...there];
  const keyed = [...here, ...there].map((hit) => ({ hit, tie: hashString(hit.id) }));
  return keyed.sort((a, b) => b.hit.rank - a.hit.rank || a.tie - b.tie).map(({ hit }) => hit);
}

function mergeFacets(here: Facets | undefined, there: Facets): Facets {
  if (here === undefined) return there;
  const merged = valueFields.map((field) => {
    const counts = new Map(there[field]);
    for (const [value, count] of here[field]) counts.set(value, (counts.get(value) ?? 0) + count);
    return [field, counts] as const;
  });
  return Object.fromEntries(merged) as unknown as Facets;
}

function mergeTopics(here: Topics, there: Topics) {
  if (there === undefined) return undefined;
  const counts = new Map(there);
  for (const [id, { all, preferred }] of here ?? []) {
    const known = counts.get(id) ?? { all: 0, preferred: 0 };
    counts.set(id, { all: known.all + all, preferred: known.preferred + preferred });
  }
  return counts;
}
