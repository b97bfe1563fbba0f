import type { PlanElsewhere, Way, WayGroup } from '../../engine/objects/search/elsewhere.ts';
import {
  CONFIDENCE_FLOOR,
  FITTING_COVERAGE,
  FITTING_EVIDENCE,
  FITTING_PHRASE,
  LEAST_EVIDENCE,
} from '../../engine/objects/weights.ts';
import { IMPACT_SCALE } from '../local/elsewhere/kept-document.ts';
import { anyOf, everyOf, type Factor, not, nothing, type Query, terms } from './filters.ts';

type WordsPlan = Extract<PlanElsewhere, { kind: 'words' }>;

/** What the words of a query ask of documents, by the formula of our own engine (its DESIGN.md). */
export interface WrittenWords {
  /** Scores by relevance: the sum over the groups, each found by its best way. */
  readonly relevance: Query;
  /** Documents that are shown. */
  readonly shown: readonly Query[];
  /** Those of them that fit; all where that is undefined. */
  readonly fitting: Query | undefined;
  /** Documents that have every word exactly. */
  readonly exact: Query;
  /** Add up to the coverage of a document. */
  readonly coverage: readonly Factor[];
}

/** A query has room for about a thousand terms, and its relevance is in it up to seven times. */
const MOST_TERMS = 120;
/** What is lost of impacts where they are kept is less. */
const TOLERANCE = 1e-4;

export function writeWords(plan: WordsPlan): WrittenWords {
  const groups = limitTerms(plan.groups);
  const required = groups.filter(({ isRequired }) => isRequired);
  const has = groups.map(({ ways }) => findAny(ways));
  const full = required.reduce((sum, { idf }) => sum + idf, 0);
  const isStrict = plan.query.model === 'strict';
  const relevance = writeRelevance(groups, isStrict);
  const coverage = weighCoverage(plan, { groups: required, has, full });
  const exact = everyOf(required.map(({ ways }) => findAny(ways.filter(({ isExact }) => isExact))));
  if (isStrict) return { relevance, shown: [], fitting: undefined, exact, coverage };
  const phrases = plan.phrases.map((members) => everyOf(members.map((g) => has[g] ?? nothing)));
  const covers = (share: number) => atLeast(sumOf(coverage), share);
  const scores = (share: number) => atLeast(relevance, share * full);
  const complete = everyOf(has.slice(0, required.length));
  const said =
    phrases.length === 0 ? [] : [everyOf([anyOf(phrases), saysPhrase({ relevance, coverage, full })])];
  const enough = scores(FITTING_EVIDENCE);
  const shown = plan.query.isLoose
    ? []
    : [
        anyOf([
          required.length > 1 ? complete : everyOf([complete, scores(LEAST_EVIDENCE)]),
          enough,
          ...said,
        ]),
      ];
  return {
    relevance,
    shown: [covers(CONFIDENCE_FLOOR), ...shown],
    fitting: anyOf([everyOf([covers(FITTING_COVERAGE), enough]), ...said]),
    exact,
    coverage,
  };
}

/** One that only asks for learning adds to the relevance, and need not be found. */
function writeRelevance(groups: readonly WayGroup[], isStrict: boolean): Query {
  const scored = groups.map(({ ways }) => scoreBest(ways.map(scoreWay)));
  const isNeeded = (g: number) => isStrict && groups[g]?.isRequired === true;
  const must = scored.filter((_, g) => isNeeded(g));
  const should = scored.filter((_, g) => !isNeeded(g));
  return { bool: { ...(must.length > 0 ? { must } : { minimum_should_match: 1 }), should } };
}

function scoreBest(ways: readonly Query[]): Query {
  if (ways.length < 2) return ways[0] ?? nothing;
  return { dis_max: { queries: ways } };
}

/** Of several words all, worth the mean of the best of each. */
function scoreWay({ words, worth }: Way): Query {
  const scored = words.map((named) => scoreBest(named.map((term) => scoreTerm(term, worth / words.length))));
  return { bool: { must: scored } };
}

/** @param worth of a document that is nothing else */
export function scoreTerm(term: string, worth: number): Query {
  return {
    rank_feature: {
      field: `impacts.${term}`,
      boost: Math.fround(worth / IMPACT_SCALE),
      log: { scaling_factor: 1 },
    },
  };
}

/** Documents that have any of the ways; terms that stand alone are one list. */
function findAny(ways: readonly Way[]): Query {
  const single = ways.flatMap(({ words }) => (words.length === 1 ? words.flat() : []));
  const phrases = ways.filter(({ words }) => words.length > 1);
  const queries = [
    ...(single.length === 0 ? [] : [terms('words', [...new Set(single)])]),
    ...phrases.map(({ words }) => everyOf(words.map((named) => terms('words', named)))),
  ];
  return queries.length === 0 ? nothing : anyOf(queries);
}

/** Words of a phrase count together only. */
function weighCoverage(
  { phrases }: WordsPlan,
  { groups, has, full }: { groups: readonly WayGroup[]; has: readonly Query[]; full: number },
): readonly Factor[] {
  const alone = [...groups.keys()].filter((g) => !phrases.some((members) => members.includes(g)));
  return [...alone.map((g) => [g]), ...phrases].map((members) => ({
    filter: everyOf(members.map((g) => has[g] ?? nothing)),
    weight: members.reduce((sum, g) => sum + (groups[g]?.idf ?? 0), 0) / full,
  }));
}

function sumOf(factors: readonly Factor[]): Query {
  const scored = factors.map(({ filter, weight }) => ({
    constant_score: { filter, boost: Math.fround(weight) },
  }));
  return { bool: { should: scored, minimum_should_match: 1 } };
}

function atLeast(query: Query, least: number): Query {
  return { function_score: { query, min_score: least * (1 - TOLERANCE) } };
}

/** Half of what the words that a document has would say in a title, and no less than a mention. What is lacking is added instead of
 *  what is there being taken off, as scores are never below zero. */
function saysPhrase({
  relevance,
  coverage,
  full,
}: {
  relevance: Query;
  coverage: readonly Factor[];
  full: number;
}): Query {
  const lacking = coverage.map(({ filter, weight }) => {
    return { constant_score: { filter: not(filter), boost: Math.fround(FITTING_PHRASE * weight * full) } };
  });
  const said = { bool: { must: [relevance], should: lacking } };
  return everyOf([atLeast(relevance, LEAST_EVIDENCE * full), atLeast(said, FITTING_PHRASE * full)]);
}

/** The ways of each group that say most, where there are too many; what is exact first. */
function limitTerms(groups: readonly WayGroup[]): readonly WayGroup[] {
  const countTerms = ({ words }: Way) => words.reduce((sum, named) => sum + named.length, 0);
  const total = groups.flatMap(({ ways }) => ways).reduce((sum, way) => sum + countTerms(way), 0);
  if (total <= MOST_TERMS) return groups;
  const share = Math.floor(MOST_TERMS / groups.length);
  return groups.map(({ ways, ...group }) => {
    let left = share;
    const sorted = ways.toSorted((a, b) => Number(b.isExact) - Number(a.isExact) || b.worth - a.worth);
    return {
      ...group,
      ways: sorted.filter((way, i) => {
        left -= countTerms(way);
        return i === 0 || left >= 0;
      }),
    };
  });
}
