import type { ExternalPlan, Way, WayGroup } from '#engine/objects/search/external-plan';
import * as weights from '#engine/objects/weights';
import { IMPACT_SCALE } from '../local/versions/external-document.ts';
import { anyOf, everyOf, nothing, type Query } from './filters.ts';

type WordsPlan = Extract<ExternalPlan, { kind: 'words' }>;

/** Queries for words, scored by the formula of the embedded engine (see its DESIGN.md). */
export interface WrittenWords {
  /** All documents of the answer, scored by `worth`; close ones come last. */
  readonly matching: Query;
  readonly exact: Query;
}

/** The score: relevance times the covered share, or times the mean of that and 1; or always 1. */
export type Worth = 'half-covered' | 'covered' | 'one';

const MAX_TERMS = 120;
/** More than the precision that stored impacts lose. */
const TOLERANCE = 1e-4;

/** Writes the queries for the words of a plan. @param filters all documents must meet them */
export function writeWords(
  plan: WordsPlan,
  { worth, filters }: { readonly worth: Worth; readonly filters: readonly Query[] },
): WrittenWords {
  const groups = limitWordTerms(plan.groups);
  const required = groups.filter(({ isRequired }) => isRequired);
  const exact = everyOf(required.map(({ ways }) => findAnyWordTerm(ways.filter(({ isExact }) => isExact))));
  if (plan.query.model !== 'strict') return { exact, matching: scoreWordEvidence(plan, { groups, worth, filters }) };
  // With one word, every document covers the whole query.
  const all = matchWordGroups(groups, filters);
  return { exact, matching: worth === 'one' ? { constant_score: { filter: all } } : all };
}

function matchWordGroups(groups: readonly WayGroup[], filters: readonly Query[]): Query {
  const scored = (isWanted: boolean) => groups.filter(({ isRequired }) => isRequired === isWanted).map(scoreGroup);
  return { bool: { must: scored(true), should: scored(false), filter: filters } };
}

const COVERAGE_STEPS = 1023;
/** A score below that of any document that is shown. */
const MIN_SCORE = 1e-37;
/** The least relevance, for one that was rounded to 0. */
const MIN_RELEVANCE = 1e-6;

/** One number has all the evidence for a document: its relevance, plus a unit larger than any
 *  relevance for each step of coverage, plus, for a document with a phrase, one unit more than all
 *  steps. An expression decodes the number. */
function scoreWordEvidence(
  { phrases, query: { looseFrom } }: WordsPlan,
  { groups, worth, filters }: Readonly<{ groups: readonly WayGroup[]; worth: Worth; filters: readonly Query[] }>,
): Query {
  const required = groups.filter(({ isRequired }) => isRequired);
  const full = sum(required.map(({ idf }) => idf));
  const scores = (share: number) => share * full * (1 - TOLERANCE);
  const isSingle = required.length === 1;
  const isLoose = looseFrom !== undefined;
  const hasPhrases = phrases.length > 0;
  const script = (params: Readonly<Record<string, number>>) => ({
    lang: 'expression',
    source: writeScript({ isSingle, hasPhrases, isLoose, worth }),
    params: { enough: scores(weights.FITTING_EVIDENCE), ...params },
  });
  const loose = scores(looseFrom ?? weights.MIN_EVIDENCE);
  if (isSingle)
    return {
      script_score: { query: matchWordGroups(groups, filters), script: script({ loose }), min_score: MIN_SCORE },
    };
  const unit = 2 ** Math.ceil(Math.log2(1.01 * sum(groups.map(({ ways }) => findHighestWorth(ways)))));
  const countSteps = (members: readonly WayGroup[]) =>
    Math.max(1, Math.round((COVERAGE_STEPS * sum(members.map(({ idf }) => idf))) / full));
  const words = groups.map((group, g) => {
    const isAlone = group.isRequired && !phrases.some((members) => members.includes(g));
    return { query: scoreGroup(group), steps: isAlone ? countSteps([group]) : 0 };
  });
  // The words of a phrase count for coverage only together.
  const phraseFilters = phrases.map((members) => {
    const phraseGroups = groups.filter((_, g) => members.includes(g));
    return { filter: everyOf(phraseGroups.map(({ ways }) => findAnyWordTerm(ways))), steps: countSteps(phraseGroups) };
  });
  const total = sum([...words, ...phraseFilters].map(({ steps }) => steps));
  const scoreFilter = (filter: Query, steps: number): Query => ({ constant_score: { filter, boost: unit * steps } });
  const addSteps = (query: Query, steps: number): Query =>
    steps === 0 ? query : { bool: { must: [query], should: [{ match_all: { boost: unit * steps } }] } };
  const anyPhrase = anyOf(phraseFilters.map(({ filter }) => filter));
  const evidence = [
    ...words.map(({ query, steps }) => addSteps(query, steps)),
    ...phraseFilters.map(({ filter, steps }) => scoreFilter(filter, steps)),
    ...(hasPhrases ? [scoreFilter(anyPhrase, total + 1)] : []),
  ];
  return {
    script_score: {
      query: { bool: { should: evidence, minimum_should_match: 1, filter: filters } },
      script: script({
        unit,
        total,
        ...(isLoose && { loose }),
        ...(hasPhrases && { least: scores(weights.MIN_EVIDENCE), phrase: scores(weights.FITTING_PHRASE) }),
      }),
      min_score: MIN_SCORE,
    },
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const findHighestWorth = (ways: readonly Way[]) => Math.max(0, ...ways.map(({ worth }) => worth));
const scoreGroup = ({ ways }: WayGroup) => scoreBest(ways.map(scoreWay));

interface ScriptOptions {
  /** The query has only one word: a document with it covers the whole query. */
  readonly isSingle: boolean;
  readonly hasPhrases: boolean;
  readonly isLoose: boolean;
  readonly worth: Worth;
}

/** Writes the script that decodes the number into a score, 0 for a document that is not shown.
 *  There are few different texts, as nodes compile each once. */
function writeScript({ isSingle, hasPhrases, isLoose, worth }: ScriptOptions): string {
  const units = 'floor(_score / unit)';
  const relevance = isSingle ? '_score' : `max(${MIN_RELEVANCE}, _score - unit * ${units})`;
  const steps = hasPhrases ? `(${units} > total ? ${units} - total - 1 : ${units})` : units;
  const covered = isSingle ? '1' : `(${steps} / total)`;
  const isEnough = `(${relevance} >= enough)`;
  // A phrase counts from half of its worth in a title, and no less than a mention.
  const hasPhrase = `(${units} > total && ${relevance} >= least && ${relevance} >= phrase * ${covered})`;
  const or = hasPhrases ? ` || ${hasPhrase}` : '';
  const isClose = isLoose ? `${relevance} >= loose` : `(${covered} >= 1 || ${isEnough}${or})`;
  const isShown = isSingle
    ? `(${relevance} >= loose)`
    : `(${covered} >= ${weights.CONFIDENCE_FLOOR - 0.5 / COVERAGE_STEPS} && ${isClose})`;
  const fits = isSingle
    ? isEnough
    : `(${covered} >= ${weights.FITTING_COVERAGE - 0.5 / COVERAGE_STEPS} && ${isEnough}${or})`;
  const value = {
    'half-covered': `${relevance} * (0.5 + 0.5 * ${covered})`,
    covered: `${relevance} * ${covered}`,
    one: '1',
  }[worth];
  const left = `(${fits} ? 1 : ${weights.tierFactors.close}) * ${value}`;
  return `${isShown} ? ${left} : 0`;
}

function scoreBest(ways: readonly Query[]): Query {
  if (ways.length < 2) return ways[0] ?? nothing;
  return { dis_max: { queries: ways } };
}

/** Scores the documents with all words of a way by the word with the least impact. */
function scoreWay({ words, worth }: Way): Query {
  const scoreWord = (terms: readonly string[], maxScore: number) =>
    scoreBest(terms.map((term) => scoreTerm(term, maxScore)));
  if (words.length < 2) return scoreWord(words[0] ?? [], worth);
  const impacts = words.map((terms) => scoreWord(terms, MAX_IMPACT));
  return runScript(impacts.reduceRight(scoreLeast), '_score * worth', { worth: worth / MAX_IMPACT });
}

const MAX_IMPACT = 255;
const BASE = 2 * (MAX_IMPACT + 1);

/** Scores by the lower of two impacts, as digits of one number: queries cannot compare scores. */
function scoreLeast(lowDigit: Query, highDigit: Query): Query {
  const digits = { bool: { must: [runScript(highDigit, `floor(_score + 0.5) * ${BASE}`), lowDigit] } };
  const high = `floor(_score / ${BASE})`;
  return runScript(digits, `min(${high}, floor(_score - ${BASE} * ${high} + 0.5))`);
}

function runScript(query: Query, source: string, params: Readonly<Record<string, number>> = {}): Query {
  return { script_score: { query, script: { lang: 'expression', source, params } } };
}

/** Scores documents with a term. @param worth the score of a document that has only this term */
export function scoreTerm(term: string, worth: number): Query {
  return {
    rank_feature: {
      field: `impacts.${term}`,
      boost: Math.fround(worth / IMPACT_SCALE),
      log: { scaling_factor: 1 },
    },
  };
}

function findAnyWordTerm(ways: readonly Way[]): Query {
  const queries = ways.map(({ words }) => everyOf(words.map((terms) => anyOf(terms.map(findWordTerm)))));
  return queries.length === 0 ? nothing : anyOf(queries);
}

export const findWordTerm = (term: string): Query => scoreTerm(term, 1);

/** Limits the terms to the best ways of each group, exact ones first. */
function limitWordTerms(groups: readonly WayGroup[]): readonly WayGroup[] {
  const countTerms = ({ words }: Way) => sum(words.map(({ length }) => length));
  const total = sum(groups.flatMap(({ ways }) => ways).map(countTerms));
  if (total <= MAX_TERMS) return groups;
  const share = Math.floor(MAX_TERMS / groups.length);
  return groups.map(({ ways, ...group }) => {
    let remaining = share;
    const sorted = ways.toSorted((a, b) => Number(b.isExact) - Number(a.isExact) || b.worth - a.worth);
    return {
      ...group,
      ways: sorted.filter((way, i) => {
        remaining -= countTerms(way);
        return i === 0 || remaining >= 0;
      }),
    };
  });
}
