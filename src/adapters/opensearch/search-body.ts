import { hashObjectAddress } from '#domain/learning-object';
import type { ObjectListRequest } from '#engine/objects/object-view';
import type { ExternalPlan } from '#engine/objects/search/external-plan';
import type { ObjectQuery } from '#engine/objects/types';
import { BELOW, SHUFFLE_STEPS, tierFactors } from '#engine/objects/weights';
import type { Query, WrittenFilter } from './filters.ts';
import {
  all,
  everyOf,
  isFilterByValue,
  MAX_VALUES,
  not,
  termsFilter,
  writeFactors,
  writeFilterFacets,
  writeFilters,
} from './filters.ts';
import { scoreTerm, writeWords } from './word-scores.ts';

export interface SearchBody {
  readonly query: Query;
  readonly post_filter?: Query;
  readonly aggs?: Readonly<Record<string, object>>;
  readonly sort: readonly object[];
}

/** The factor with which even the lowest rank is a normal 32-bit float, as scores are. */
export const RANK_SCALE = 2 ** 60;
/** The name of the query that only exact hits match. */
export const EXACT = 'exact';

/** Writes the body of a search. The same hits are found as by the embedded engine.
 *  @param selected filters for the documents that a tenant finds and that no overlay replaces */
export function writeSearchBody(plan: ExternalPlan, selected: readonly Query[]): SearchBody {
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

type WordsPlan = Extract<ExternalPlan, { kind: 'words' }>;
const worths = { popularity: 'half-covered', shortest: 'covered', newest: 'covered', random: 'one' } as const;

function writeWordsBody(plan: WordsPlan, selected: readonly Query[]): SearchBody {
  const { query, seed } = plan;
  const { sort } = query;
  const filters = writeFilters(query.filters);
  const { before, after } = splitFilters(filters, query);
  const { matching, exact } = writeWords(plan, { worth: worths[sort], filters: [...before, ...selected] });
  const named = { bool: { filter: [exact, ...filters.map(({ meets }) => meets)], _name: EXACT } };
  return {
    query: {
      bool: {
        must: [rankWords(matching, plan, filters)],
        // Filters are not scored, so this optional query is evaluated only for single hits.
        filter: [{ bool: { must: [all], should: [named] } }],
      },
    },
    ...addFacets(after, query),
    sort: sortByRank(sort === 'popularity' ? { _score: 'desc' } : sortByScript(wordScripts[sort], { seed })),
  };
}

function rankWords(query: Query, { query: { sort }, lang }: WordsPlan, filters: readonly WrittenFilter[]): Query {
  return {
    function_score: {
      query,
      functions: [
        { weight: RANK_SCALE },
        ...writeFactors(filters),
        ...(lang === null ? [] : [{ filter: not(termsFilter('lang', [lang])), weight: tierFactors['other-language'] }]),
        ...(sort === 'random' ? [{ filter: { term: { isDead: true } }, weight: DEAD_LIFT }] : []),
        ...(sort === 'popularity' ? [{ field_value_factor: { field: 'lift', missing: 1 } }] : []),
      ],
      score_mode: 'multiply',
      boost_mode: 'multiply',
    },
  };
}

/** The factor of the relevance of a dead object in a shuffle, as in the embedded engine. */
const DEAD_LIFT = 0.25;

/** Ranks a hit by its length or date, below all of a better tier: `close` and `other` (language)
 *  are the tier, and dead objects come last. 16777216 is 2^24. */
const rankByField = (field: string, value: string) => `
  double below = doc['${field}'].size() == 0 ? 16777216.0 : Math.min(16777216.0, Math.ceil(${value}));
  double rank = -below - 16777216.0 * ((other ? 2 : 0) + (close ? 4 : 0) + (doc['isDead'].value ? 8 : 0));`;
const RANK_BY_LENGTH = rankByField('minutes', "doc['minutes'].value");
const RANK_BY_DAY = rankByField('day', "16777216.0 - doc['day'].value");

const READ_TIER = `
  double s = _score / params.scale;
  boolean close = s < ${BELOW.fitting}; boolean other = s < (close ? ${BELOW.close} : ${BELOW.spoken});
  double left = s / ((close ? ${tierFactors.close} : 1.0) * (other ? ${tierFactors['other-language']} : 1.0));`;

/** Scripts for the ranks that `offerHit` of the embedded engine gives. */
const wordScripts = {
  shortest: `${READ_TIER}${RANK_BY_LENGTH} return rank + left / (left + 1.0);`,
  newest: `${READ_TIER}${RANK_BY_DAY} return rank + left / (left + 1.0);`,
  random: `${READ_TIER}
  int tier = close ? 0 : (other ? 1 : 2);
  double step = Math.floor(left * params.steps + 0.5) + tier * (params.steps + 1.0);
  int h = (int) (doc['hash'].value ^ (long) params.seed);
  h = (h ^ (h >>> 16)) * ${0x85ebca6b | 0}; h = (h ^ (h >>> 13)) * ${0xc2b2ae35 | 0}; h = h ^ (h >>> 16);
  return step * 4294967296.0 + (double) (h & 4294967295L);`,
};

/** The points for the preferred language, and for the topic itself instead of a narrower one. */
const PREFERRED = 2.02;
const ABOUT = 1.01;

function writeBrowseBody(query: ObjectQuery, selected: readonly Query[]): SearchBody {
  const { details = false, prefer, sort } = query;
  const filters = writeFilters(query.filters).map((filter) => ({ ...filter, strict: true }));
  const { before, after } = splitFilters(filters, query);
  const topics = query.filters.topic?.values ?? [];
  const isPreferred = prefer === undefined ? all : termsFilter('lang', [prefer]);
  const isAbout = everyOf(topics.map((id) => termsFilter('about', [id])));
  const named = { bool: { must: [all], filter: [all], _name: EXACT } };
  const facets = addFacets(after, query);
  const topicCounts = {
    filter: after.length === 0 ? all : everyOf(after.map(({ meets }) => meets)),
    aggs: { values: { terms: { field: 'topics', size: MAX_VALUES }, aggs: { preferred: { filter: isPreferred } } } },
  };
  const spoken = prefer === undefined ? 0 : PREFERRED;
  return {
    query: {
      function_score: {
        query: { constant_score: { filter: { bool: { filter: [...before, ...selected, named] } } } },
        functions: [
          { weight: RANK_SCALE, filter: all },
          ...(prefer === undefined ? [] : [{ filter: isPreferred, weight: PREFERRED * RANK_SCALE }]),
          ...(topics.length === 0 ? [] : [{ filter: isAbout, weight: ABOUT * RANK_SCALE }]),
        ],
        score_mode: 'sum',
        boost_mode: 'replace',
      },
    },
    ...facets,
    ...(details && { aggs: { ...facets.aggs, topics: topicCounts } }),
    sort: sortByRank(sortByScript(browseScripts[sort === 'random' ? 'popularity' : sort], { spoken })),
  };
}

const READ_LANGUAGE = 'boolean close = false; boolean other = params.spoken > 0 ? _score / params.scale < 2.5 : true;';

const browseScripts = {
  popularity: `
  double popularity = doc['popularity'].size() == 0 ? 0.2 : doc['popularity'].value;
  return popularity < 0 ? popularity : popularity + _score / params.scale - 1.0;`,
  shortest: `${READ_LANGUAGE}${RANK_BY_LENGTH} return rank;`,
  newest: `${READ_LANGUAGE}${RANK_BY_DAY} return rank;`,
};

/** Maximum number of terms: OpenSearch allows about 1,000 clauses in a query. */
const MAX_ALIKE_TERMS = 500;

function writeAlikeBody(plan: Extract<ExternalPlan, { kind: 'alike' }>, selected: readonly Query[]): SearchBody {
  const { id, terms: words, topics } = plan;
  const best = words.toSorted(([, a], [, b]) => b - a).slice(0, MAX_ALIKE_TERMS);
  const scored = [
    ...best.map(([term, worth]) => scoreTerm(term, worth * RANK_SCALE)),
    ...topics.map(([topic, weight, widerWeight]) => ({
      dis_max: {
        queries: [
          { constant_score: { filter: termsFilter('about', [topic]), boost: weight * RANK_SCALE } },
          { constant_score: { filter: termsFilter('topics', [topic]), boost: widerWeight * RANK_SCALE } },
        ],
      },
    })),
  ];
  return {
    query: {
      bool: {
        should: scored,
        minimum_should_match: 1,
        must_not: [{ ids: { values: [hashObjectAddress(id)] } }],
        filter: selected,
      },
    },
    sort: sortByRank({ _score: 'desc' }),
  };
}

function writeListBody({ filters, sort }: ObjectListRequest, selected: readonly Query[]): SearchBody {
  const meets = writeFilters(filters).map((filter) => filter.meets);
  const field = sort === 'popularity' ? 'popularity' : 'minutes';
  const order = sort === 'shortest' ? 'asc' : 'desc';
  return {
    query: { bool: { filter: [...meets, ...selected] } },
    sort: sortByRank({ [field]: { order, missing: '_last' } }),
  };
}

/** Splits strict filters into those that apply before and after facets are counted. */
function splitFilters(filters: readonly WrittenFilter[], { details = false }: ObjectQuery) {
  const isAfter = (filter: WrittenFilter) => details && filter.strict && isFilterByValue(filter);
  return {
    before: filters.filter((filter) => filter.strict && !isAfter(filter)).map(({ meets }) => meets),
    after: filters.filter(isAfter),
  };
}

function addFacets(after: readonly WrittenFilter[], { details = false }: ObjectQuery) {
  return {
    ...(after.length > 0 && { post_filter: everyOf(after.map(({ meets }) => meets)) }),
    ...(details && { aggs: writeFilterFacets(after) }),
  };
}

/** Breaks ties as the embedded engine does. */
const sortByRank = (rank: object) => [rank, { hash: 'asc' }];

function sortByScript(source: string, params: object): object {
  return {
    _script: {
      type: 'number',
      order: 'desc',
      script: { source, params: { scale: RANK_SCALE, steps: SHUFFLE_STEPS, ...params } },
    },
  };
}
