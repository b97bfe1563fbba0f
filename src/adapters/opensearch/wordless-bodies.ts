import type { ObjectListRequest } from '#engine/objects/object-view';
import type { ExternalPlan } from '#engine/objects/search/external-plan';
import type { ObjectQuery } from '#engine/objects/types';
import { toKeptId } from '../local/versions/external-document.ts';
import {
  addFacets,
  type Body,
  BY_LENGTH,
  BY_TIE,
  byScript,
  EXACT,
  RANK_SCALE,
  sortBy,
  splitFilters,
} from './body-parts.ts';
import { all, everyOf, MOST_VALUES, type Query, terms, writeFilters } from './filters.ts';
import { scoreTerm } from './words.ts';

export function writeBrowseBody(query: ObjectQuery, selected: readonly Query[]): Body {
  const { details = false, prefer, sort } = query;
  // All filters exclude here.
  const filters = writeFilters(query.filters).map((filter) => ({ ...filter, strict: true }));
  const { before, aside } = splitFilters(filters, details);
  const topics = query.filters.topic?.values ?? [];
  const isFirst = prefer === undefined ? all : terms('lang', [prefer]);
  const found = {
    bool: { filter: [...before, ...selected, { bool: { must: [all], filter: [all], _name: EXACT } }] },
  };
  const facets = addFacets(aside, details);
  const kept = aside.length === 0 ? all : everyOf(aside.map(({ meets }) => meets));
  const counted = {
    topics: {
      filter: kept,
      aggs: {
        values: {
          terms: { field: 'topics', size: MOST_VALUES },
          aggs: { preferred: { filter: isFirst } },
        },
      },
    },
  };
  const factors = [
    ...(prefer === undefined ? [] : [{ filter: isFirst, weight: 2.02 }]),
    ...(topics.length === 0
      ? []
      : [{ filter: everyOf(topics.map((id) => terms('about', [id]))), weight: 1.01 }]),
  ];
  const ranked = {
    function_score: {
      query: { constant_score: { filter: found } },
      functions: [
        { weight: RANK_SCALE, filter: all },
        ...factors.map(({ filter, weight }) => ({ filter, weight: weight * RANK_SCALE })),
      ],
      score_mode: 'sum',
      boost_mode: 'replace',
    },
  };
  return {
    query: ranked,
    ...facets,
    ...(details && { aggs: { ...facets.aggs, ...counted } }),
    sort: sortBy(
      byScript(sort === 'shortest' ? browseScripts.shortest : browseScripts.popularity, {
        spoken: prefer === undefined ? 0 : 2.02,
      }),
    ),
  };
}

const browseScripts = {
  popularity: `
  double known = doc['popularity'].size() == 0 ? 0.2 : doc['popularity'].value;
  return known < 0 ? known : known + _score / params.scale - 1.0;`,
  shortest: `
  boolean close = false; boolean other = params.spoken > 0 ? _score / params.scale < 2.5 : true;${BY_LENGTH} return rank;`,
};

export function writeAlikeBody(
  { id, terms: words, topics }: Extract<ExternalPlan, { kind: 'alike' }>,
  selected: readonly Query[],
): Body {
  const most = words.toSorted(([, a], [, b]) => b - a).slice(0, MOST_ASPECTS);
  const scored = [
    ...most.map(([term, worth]) => scoreTerm(term, worth * RANK_SCALE)),
    ...topics.map(([topic, own, wider]) => ({
      dis_max: {
        queries: [
          { constant_score: { filter: terms('about', [topic]), boost: own * RANK_SCALE } },
          { constant_score: { filter: terms('topics', [topic]), boost: wider * RANK_SCALE } },
        ],
      },
    })),
  ];
  return {
    query: {
      bool: {
        should: scored,
        minimum_should_match: 1,
        must_not: [{ ids: { values: [toKeptId(id)] } }],
        filter: selected,
      },
    },
    sort: sortBy({ _score: 'desc' }),
  };
}

/** A query has room for about a thousand. */
const MOST_ASPECTS = 500;

export function writeListBody({ filters, sort }: ObjectListRequest, selected: readonly Query[]): Body {
  const meets = writeFilters(filters).map((filter) => filter.meets);
  const field = sort === 'popularity' ? 'popularity' : 'minutes';
  const order = sort === 'shortest' ? 'asc' : 'desc';
  return {
    query: { bool: { filter: [...meets, ...selected] } },
    sort: [{ [field]: { order, missing: '_last' } }, BY_TIE],
  };
}
