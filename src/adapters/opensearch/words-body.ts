import type { PlanElsewhere } from '../../engine/objects/search/elsewhere.ts';
import { tierFactors } from '../../engine/objects/weights.ts';
import {
  addFacets,
  type Body,
  BY_LENGTH,
  byScript,
  CLOSE,
  EXACT,
  RANK_SCALE,
  SPOKEN,
  sortBy,
  splitFilters,
} from './body-parts.ts';
import { all, everyOf, type Factor, not, type Query, terms, writeFactors, writeFilters } from './filters.ts';
import { type WrittenWords, writeWords } from './words.ts';

export function writeWordsBody(
  plan: Extract<PlanElsewhere, { kind: 'words' }>,
  selected: readonly Query[],
): Body {
  const { query, seed } = plan;
  const { details = false, sort } = query;
  const words = writeWords(plan);
  const filters = writeFilters(query.filters);
  const { before, aside } = splitFilters(filters, details);
  const named = [
    everyNamed([words.exact, ...filters.map(({ meets }) => meets)], EXACT),
    ...(words.fitting === undefined ? [] : [everyNamed([not(words.fitting)], CLOSE)]),
    ...(plan.lang === null ? [] : [everyNamed([terms('lang', [plan.lang])], SPOKEN)]),
  ];
  return {
    query: {
      bool: {
        must: [sort === 'random' ? all : words.relevance].map((base) => rankWords(base, plan, words)),
        // Nobody scores a filter, so what is optional in it costs nothing until single hits are asked about.
        filter: [...words.shown, ...before, ...selected, { bool: { must: [all], should: named } }],
        ...(sort === 'random' && { minimum_should_match: 0 }),
      },
    },
    ...addFacets(aside, details),
    sort: sortBy(sort === 'popularity' ? { _score: 'desc' } : byScript(scripts[sort], { seed })),
  };
}

function everyNamed(queries: readonly Query[], name: string): Query {
  return { bool: { filter: queries, _name: name } };
}

/** Relevance, times all that makes a rank of it. */
function rankWords(
  base: Query,
  { query: { filters, sort }, lang }: Extract<PlanElsewhere, { kind: 'words' }>,
  { coverage, fitting, relevance }: WrittenWords,
): Query {
  const least = sort === 'popularity' ? 0.5 : 0;
  const covered: readonly object[] = [
    ...(least > 0 ? [{ weight: least }] : []),
    ...coverage.map(({ filter, weight }) => ({ filter, weight: weight * (1 - least) })),
  ];
  const scored =
    sort === 'random'
      ? everyOf([relevance])
      : { function_score: { query: base, functions: covered, score_mode: 'sum', boost_mode: 'multiply' } };
  const factors: readonly Factor[] = [
    ...writeFactors(writeFilters(filters)),
    ...(fitting === undefined ? [] : [{ filter: not(fitting), weight: tierFactors.close }]),
    ...(lang === null ? [] : [{ filter: not(terms('lang', [lang])), weight: tierFactors['other-language'] }]),
    ...(sort === 'random' ? [{ filter: { term: { isDead: true } }, weight: DEAD_LIFT }] : []),
  ];
  return {
    function_score: {
      query: sort === 'random' ? { constant_score: { filter: scored } } : scored,
      functions: [
        { weight: RANK_SCALE },
        ...factors,
        ...(sort === 'popularity' ? [{ field_value_factor: { field: 'lift', missing: 1 } }] : []),
      ],
      score_mode: 'multiply',
      boost_mode: 'multiply',
    },
  };
}

/** Of a dead document's relevance, in a shuffle as elsewhere. */
const DEAD_LIFT = 0.25;

/** How far a rank is below one that fits in the first language: tiers are so far apart that none reaches the next. */
const READ_TIER = `
  double s = _score / params.scale;
  boolean close = s < ${2 ** -70}; boolean other = close ? s < ${2 ** -110} : s < ${2 ** -30};
  double left = s / ((close ? ${tierFactors.close} : 1.0) * (other ? ${tierFactors['other-language']} : 1.0));`;

/** As `offerHit` of our own engine. */
const scripts = {
  shortest: `${READ_TIER}${BY_LENGTH} return rank + left / (left + 1.0);`,
  random: `${READ_TIER}
  int tier = close ? 0 : (other ? 1 : 2);
  double step = Math.floor(left * params.steps + 0.5) + tier * (params.steps + 1.0);
  int h = (int) (doc['hash'].value ^ (long) params.seed);
  h = (h ^ (h >>> 16)) * ${0x85ebca6b | 0}; h = (h ^ (h >>> 13)) * ${0xc2b2ae35 | 0}; h = h ^ (h >>> 16);
  return step * 4294967296.0 + (double) (h & 4294967295L);`,
};
