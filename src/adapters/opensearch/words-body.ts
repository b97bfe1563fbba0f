import type { ExternalPlan } from '#engine/objects/search/external-plan';
import { tierFactors } from '#engine/objects/weights';
import {
  addFacets,
  BELOW,
  type Body,
  BY_LENGTH,
  byScript,
  EXACT,
  RANK_SCALE,
  sortBy,
  splitFilters,
} from './body-parts.ts';
import { all, not, type Query, terms, type WrittenFilter, writeFactors, writeFilters } from './filters.ts';
import { writeWords } from './words.ts';

type WordsPlan = Extract<ExternalPlan, { kind: 'words' }>;

const worths = { popularity: 'half-covered', shortest: 'covered', random: 'one' } as const;

export function writeWordsBody(plan: WordsPlan, selected: readonly Query[]): Body {
  const { query, seed } = plan;
  const { details = false, sort } = query;
  const filters = writeFilters(query.filters);
  const { before, aside } = splitFilters(filters, details);
  const { shown, exact } = writeWords(plan, { worth: worths[sort], filters: [...before, ...selected] });
  const named = { bool: { filter: [exact, ...filters.map(({ meets }) => meets)], _name: EXACT } };
  return {
    query: {
      bool: {
        must: [rankWords(shown, plan, filters)],
        // Nobody scores a filter, so what is optional in it costs nothing until single hits are asked about.
        filter: [{ bool: { must: [all], should: [named] } }],
      },
    },
    ...addFacets(aside, details),
    sort: sortBy(sort === 'popularity' ? { _score: 'desc' } : byScript(scripts[sort], { seed })),
  };
}

/** What a document is worth by its words, times all else that makes a rank of it. */
function rankWords(
  query: Query,
  { query: { sort }, lang }: WordsPlan,
  filters: readonly WrittenFilter[],
): Query {
  return {
    function_score: {
      query,
      functions: [
        { weight: RANK_SCALE },
        ...writeFactors(filters),
        ...(lang === null
          ? []
          : [{ filter: not(terms('lang', [lang])), weight: tierFactors['other-language'] }]),
        ...(sort === 'random' ? [{ filter: { term: { isDead: true } }, weight: DEAD_LIFT }] : []),
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
  boolean close = s < ${BELOW.fitting}; boolean other = s < (close ? ${BELOW.close} : ${BELOW.spoken});
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
