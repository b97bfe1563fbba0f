import type { ExternalPlan, Way, WayGroup } from '#engine/objects/search/external-plan';
import {
  CONFIDENCE_FLOOR,
  FITTING_COVERAGE,
  FITTING_EVIDENCE,
  FITTING_PHRASE,
  LEAST_EVIDENCE,
  tierFactors,
} from '#engine/objects/weights';
import { IMPACT_SCALE } from '../local/versions/external-document.ts';
import { anyOf, everyOf, nothing, type Query } from './filters.ts';

type WordsPlan = Extract<ExternalPlan, { kind: 'words' }>;

/** What the words of a query ask of documents, by the formula of our own engine (its DESIGN.md). */
export interface WrittenWords {
  /** Documents that are shown, scored by what `worth` says; what is only close has so little left that it comes last. */
  readonly shown: Query;
  /** Those that have every word exactly. */
  readonly exact: Query;
}

/** What a document that is shown is worth: its relevance, by all or half of what it covers, or 1. */
export type Worth = 'half-covered' | 'covered' | 'one';

/** A query has room for about a thousand terms. */
const MOST_TERMS = 120;
/** What is lost of impacts where they are kept is less. */
const TOLERANCE = 1e-4;

/** @param filters that no document is shown without */
export function writeWords(
  plan: WordsPlan,
  { worth, filters }: { readonly worth: Worth; readonly filters: readonly Query[] },
): WrittenWords {
  const groups = limitTerms(plan.groups);
  const required = groups.filter(({ isRequired }) => isRequired);
  const exact = everyOf(required.map(({ ways }) => findAny(ways.filter(({ isExact }) => isExact))));
  if (plan.query.model !== 'strict') return { exact, shown: judge(plan, { groups, worth, filters }) };
  // All is covered.
  const found = findAll(groups, filters);
  return { exact, shown: worth === 'one' ? { constant_score: { filter: found } } : found };
}

/** Documents with all words that are required, scored by their relevance. */
function findAll(groups: readonly WayGroup[], filters: readonly Query[]): Query {
  const scored = (isWanted: boolean) =>
    groups.filter(({ isRequired }) => isRequired === isWanted).map(scoreGroup);
  return { bool: { must: scored(true), should: scored(false), filter: filters } };
}

/** Of what is covered, in whole steps. */
const COVERAGE_STEPS = 1023;
/** Above nothing, and below the worth of any document. */
const LEAST_WORTH = 1e-37;
/** Of a relevance that was rounded away. */
const LEAST_RELEVANCE = 1e-6;

interface Asked {
  readonly groups: readonly WayGroup[];
  readonly worth: Worth;
  readonly filters: readonly Query[];
}

/** All that speaks for a document is added up to one number, so that each word is looked up once: its relevance, and in units that
 *  no relevance reaches the steps that it covers, and one more than all of them where it says a phrase. */
function judge({ phrases, query: { isLoose = false } }: WordsPlan, { groups, worth, filters }: Asked): Query {
  const required = groups.filter(({ isRequired }) => isRequired);
  const full = sum(required.map(({ idf }) => idf));
  const scores = (share: number) => share * full * (1 - TOLERANCE);
  const isSingle = required.length === 1;
  const hasPhrases = phrases.length > 0;
  const script = (params: Readonly<Record<string, number>>) => ({
    lang: 'expression',
    source: writeJudgement({ isSingle, hasPhrases, isLoose, worth }),
    params: { enough: scores(FITTING_EVIDENCE), ...params },
  });
  const least = scores(LEAST_EVIDENCE);
  if (isSingle) {
    const params = isLoose ? {} : { least };
    return {
      script_score: { query: findAll(groups, filters), script: script(params), min_score: LEAST_WORTH },
    };
  }
  const unit = 2 ** Math.ceil(Math.log2(1.01 * sum(groups.map(({ ways }) => worthMost(ways)))));
  const stepsOf = (own: readonly WayGroup[]) =>
    Math.max(1, Math.round((COVERAGE_STEPS * sum(own.map(({ idf }) => idf))) / full));
  const words = groups.map((group, g) => {
    const isAlone = group.isRequired && !phrases.some((members) => members.includes(g));
    return { query: scoreGroup(group), steps: isAlone ? stepsOf([group]) : 0 };
  });
  // Words of a phrase count together only.
  const said = phrases.map((members) => {
    const own = groups.filter((_, g) => members.includes(g));
    return { filter: everyOf(own.map(({ ways }) => findAny(ways))), steps: stepsOf(own) };
  });
  const total = sum([...words, ...said].map(({ steps }) => steps));
  const evidence = [
    ...words.map(({ query, steps }) => (steps === 0 ? query : addSteps(query, unit * steps))),
    ...said.map(({ filter, steps }) => ({ constant_score: { filter, boost: unit * steps } })),
    ...(hasPhrases
      ? [{ constant_score: { filter: anyOf(said.map(({ filter }) => filter)), boost: unit * (total + 1) } }]
      : []),
  ];
  return {
    script_score: {
      query: { bool: { should: evidence, minimum_should_match: 1, filter: filters } },
      script: script({ unit, total, ...(hasPhrases && { least, phrase: scores(FITTING_PHRASE) }) }),
      min_score: LEAST_WORTH,
    },
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const worthMost = (ways: readonly Way[]) => Math.max(0, ...ways.map(({ worth }) => worth));
const scoreGroup = ({ ways }: WayGroup) => scoreBest(ways.map(scoreWay));

function addSteps(query: Query, boost: number): Query {
  return { bool: { must: [query], should: [{ match_all: { boost } }] } };
}

interface Judgement {
  /** One word alone: who has it covers all. */
  readonly isSingle: boolean;
  readonly hasPhrases: boolean;
  readonly isLoose: boolean;
  readonly worth: Worth;
}

/** The worth of a document by its evidence; 0 where it is not shown. Of few different texts: nodes compile each only once. */
function writeJudgement({ isSingle, hasPhrases, isLoose, worth }: Judgement): string {
  const units = 'floor(_score / unit)';
  const relevance = isSingle ? '_score' : `max(${LEAST_RELEVANCE}, _score - unit * ${units})`;
  const steps = hasPhrases ? `(${units} > total ? ${units} - total - 1 : ${units})` : units;
  const covered = isSingle ? '1' : `(${steps} / total)`;
  const isEnough = `(${relevance} >= enough)`;
  // Half of what the words that a document has would say in a title, and no less than a mention.
  const isSaid = `(${units} > total && ${relevance} >= least && ${relevance} >= phrase * ${covered})`;
  const or = hasPhrases ? ` || ${isSaid}` : '';
  const isShown = isSingle
    ? `(${relevance} >= least)`
    : `(${covered} >= ${CONFIDENCE_FLOOR - 0.5 / COVERAGE_STEPS}${isLoose ? '' : ` && (${covered} >= 1 || ${isEnough}${or})`})`;
  const fits = isSingle
    ? isEnough
    : `(${covered} >= ${FITTING_COVERAGE - 0.5 / COVERAGE_STEPS} && ${isEnough}${or})`;
  const value = {
    'half-covered': `${relevance} * (0.5 + 0.5 * ${covered})`,
    covered: `${relevance} * ${covered}`,
    one: '1',
  }[worth];
  const left = `(${fits} ? 1 : ${tierFactors.close}) * ${value}`;
  return isSingle && isLoose ? left : `${isShown} ? ${left} : 0`;
}

function scoreBest(ways: readonly Query[]): Query {
  if (ways.length < 2) return ways[0] ?? nothing;
  return { dis_max: { queries: ways } };
}

/** Of several words all, worth the mean of the best of each. */
function scoreWay({ words, worth }: Way): Query {
  const scored = words.map((named) => scoreBest(named.map((term) => scoreTerm(term, worth / words.length))));
  return scored.length === 1 ? (scored[0] ?? nothing) : { bool: { must: scored } };
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

/** Documents that have any of the ways. */
function findAny(ways: readonly Way[]): Query {
  const found = ways.map(({ words }) => everyOf(words.map((named) => anyOf(named.map(findTerm)))));
  return found.length === 0 ? nothing : anyOf(found);
}

/** Documents that have it. */
export function findTerm(term: string): Query {
  return scoreTerm(term, 1);
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
