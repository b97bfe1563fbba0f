import { type Bitset, createBitset, isOverlapping } from '../bitset.ts';
import { hashString } from '../hash.ts';
import type { Accumulator } from './accumulator.ts';
import { answerOf } from './answer.ts';
import { createCoverage, idfsOf } from './coverage.ts';
import { createFacetCounter } from './facets.ts';
import { compileFilters } from './filters.ts';
import { createTypoFinder } from './guess-words.ts';
import type { LiveSegment } from './merge-segments.ts';
import { findSources } from './posting-sources.ts';
import { findQueryLanguage } from './query-language.ts';
import { planQuery } from './query-plan.ts';
import type { Job, Part } from './search-job.ts';
import { searchPart } from './search-part.ts';
import { createTopK } from './top-k.ts';
import type { ObjectAnswer, ObjectQuery } from './types.ts';
import { createWrittenWords } from './written-words.ts';

/** Search several segments as one index.
 *  @param accumulator room to compute in
 *  Source: term-at-a-time scoring, Turtle & Flood 1995, with filters as bitsets before it and as factors after it. */
export function searchSegments(
  segments: readonly LiveSegment[],
  query: ObjectQuery,
  accumulator: Accumulator,
): ObjectAnswer {
  const findTypos = createTypoFinder(segments.map(({ segment }) => segment));
  const written = createWrittenWords(segments, findTypos);
  const plan = planQuery(query, query.langs ?? languagesOf(segments), written);
  const found = findSources(segments, plan, { model: query.model, findTypos });
  const documents = segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const isRequest = (g: number) => Number(plan.groups[g]!.isRequest);
  const order = [...found.keys()].sort(
    (a, b) => isRequest(a) - isRequest(b) || found[a]!.frequency - found[b]!.frequency,
  );
  const required = plan.groups.filter((group) => !group.isRequest).length;
  const idfs = idfsOf(
    order.map((g) => found[g]!.frequency),
    documents,
    required,
  );
  const job: Job = {
    query,
    truncated: plan.truncated,
    groups: order.map((g) => plan.groups[g]!),
    found: order.map((g) => found[g]!),
    idfs,
    required,
    coverageOf: createCoverage(idfs, required),
    lang: query.filters.lang === undefined ? findQueryLanguage(plan, found) : null,
    seed: hashString(query.seed ?? ''),
    facets: query.details ? createFacetCounter() : undefined,
    top: createTopK(query.offset + query.limit),
    total: 0,
  };
  const parts = partsOf(segments, job);
  for (const part of parts) {
    const isHopeless =
      query.model === 'strict' && part.sources.slice(0, required).some((own) => own.length === 0);
    if (!isHopeless) searchPart(part, job, accumulator);
  }
  const { corrections } = plan;
  return { ...answerOf(parts, job), ...(job.total > 0 && corrections.size > 0 && { corrections }) };
}

function partsOf(segments: readonly LiveSegment[], { found, query, lang }: Job): Part[] {
  let base = 0;
  return segments.map((live, p) => {
    const filters = compileFilters(live.segment, query.filters);
    const sources = found.map((group) => group.sources[p]!);
    const part = {
      live,
      filters,
      sources,
      base,
      ...(lang !== null && { inLanguage: inLanguage(live, lang) }),
    };
    base += live.segment.count;
    return part;
  });
}

/** Languages of the documents, without those whose documents were all removed. */
function languagesOf(segments: readonly LiveSegment[]): string[] {
  const langs = segments.flatMap(({ segment, live, liveCount }) => {
    const { values, sets } = segment.valueSets.lang;
    return liveCount === segment.count ? values : values.filter((_, v) => isOverlapping(sets[v]!, live));
  });
  return [...new Set(langs)];
}

function inLanguage({ segment }: LiveSegment, lang: string): Bitset {
  const { values, sets } = segment.valueSets.lang;
  return sets[values.indexOf(lang)] ?? createBitset(segment.count);
}
