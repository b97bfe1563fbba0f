import type { ObjectListRequest } from '../../engine/objects/object-view.ts';
import type { PlanElsewhere } from '../../engine/objects/search/elsewhere.ts';
import type { ObjectQuery } from '../../engine/objects/types.ts';
import { SHUFFLE_STEPS, tierFactors } from '../../engine/objects/weights.ts';
import { toKeptId } from '../local/elsewhere/kept-document.ts';
import {
  all,
  everyOf,
  type Factor,
  isByValue,
  MOST_VALUES,
  not,
  type Query,
  terms,
  type WrittenFilter,
  writeFacets,
  writeFactors,
  writeFilters,
} from './filters.ts';
import { scoreTerm, type WrittenWords, writeWords } from './words.ts';

/** What is asked of the index, but for the page. */
export interface SearchBody {
  readonly query: Query;
  readonly post_filter?: Query;
  readonly aggs?: Readonly<Record<string, object>>;
  readonly sort: readonly object[];
  /** Scripts that sort read scores, and these are worked out only then. */
  readonly track_scores: boolean;
}

/** Ranks are sent as floats: so high that the lowest tier of the worst hit is one still. */
export const RANK_SCALE = 2 ** 60;
/** Names of what is asked of single hits. */
export const EXACT = 'exact';
export const CLOSE = 'close';
export const SPOKEN = 'spoken';

const BY_TIE = { hash: 'asc' };
const first = (rank: object) => [rank, BY_TIE];

/** @param selected documents that a tenant has, and nobody changed */
export function writeSearchBody(plan: PlanElsewhere, selected: readonly Query[]): SearchBody {
  return { ...writeBody(plan, selected), track_scores: plan.kind !== 'list' };
}

type Body = Omit<SearchBody, 'track_scores'>;

function writeBody(plan: PlanElsewhere, selected: readonly Query[]): Body {
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

/** Strict filters by value are set aside where facets are counted. */
function splitFilters(filters: readonly WrittenFilter[], hasFacets: boolean) {
  const isAside = (filter: WrittenFilter) => hasFacets && filter.strict && isByValue(filter);
  return {
    before: filters.filter((filter) => filter.strict && !isAside(filter)).map(({ meets }) => meets),
    aside: filters.filter(isAside),
  };
}

function addFacets(aside: readonly WrittenFilter[], details: boolean) {
  return {
    ...(aside.length > 0 && { post_filter: everyOf(aside.map(({ meets }) => meets)) }),
    ...(details && { aggs: writeFacets(aside) }),
  };
}

function writeWordsBody(plan: Extract<PlanElsewhere, { kind: 'words' }>, selected: readonly Query[]): Body {
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
    sort: first(sort === 'popularity' ? { _score: 'desc' } : byScript(scripts[sort], { seed })),
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

function byScript(source: string, params: object): object {
  return {
    _script: {
      type: 'number',
      order: 'desc',
      script: { source, params: { scale: RANK_SCALE, steps: SHUFFLE_STEPS, ...params } },
    },
  };
}

/** How far a rank is below one that fits in the first language: tiers are so far apart that none reaches the next. */
const READ_TIER = `
  double s = _score / params.scale;
  boolean close = s < ${2 ** -70}; boolean other = close ? s < ${2 ** -110} : s < ${2 ** -30};
  double left = s / ((close ? ${tierFactors.close} : 1.0) * (other ? ${tierFactors['other-language']} : 1.0));`;

const BY_LENGTH = `
  double length = doc['minutes'].size() == 0 ? 16777216.0 : Math.min(16777216.0, Math.ceil(doc['minutes'].value));
  double rank = -length - 16777216.0 * ((other ? 2 : 0) + (close ? 4 : 0) + (doc['isDead'].value ? 8 : 0));`;

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

function writeBrowseBody(query: ObjectQuery, selected: readonly Query[]): Body {
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
    sort: first(
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

function writeAlikeBody(
  { id, terms: words, topics }: Extract<PlanElsewhere, { kind: 'alike' }>,
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
    sort: first({ _score: 'desc' }),
  };
}

/** A query has room for about a thousand. */
const MOST_ASPECTS = 500;

function writeListBody({ filters, sort }: ObjectListRequest, selected: readonly Query[]): Body {
  const meets = writeFilters(filters).map((filter) => filter.meets);
  const field = sort === 'popularity' ? 'popularity' : 'minutes';
  const order = sort === 'shortest' ? 'asc' : 'desc';
  return {
    query: { bool: { filter: [...meets, ...selected] } },
    sort: [{ [field]: { order, missing: '_last' } }, BY_TIE],
  };
}
