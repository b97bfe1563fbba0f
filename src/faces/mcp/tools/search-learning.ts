import type { ToolInput, ToolOutput } from '#contract/index';
import { createLearningObjectQuery, type LearningObjectQuery } from '#domain/learning-object-query';
import { toForeignText } from '#domain/text';
import { readAnswerNotices, toAnswerView } from '#faces/search-view/answer-view';
import type { TenantRecord } from '#ports/store/store';
import type { SearchResult } from '#services/searching/discovery/results';
import { type Tool, type ToolContext, toShortObjects, writeFound } from './tool.ts';

/** All programs of a tenant count as one person where it is counted what people search for. */
const PROGRAMS = 'mcp';
const LISTS_MS = 300;
const MAX_WORDS = 120;
const MAX_NOTICE = 300;

export const searchLearning: Tool<'search_learning'> = async (context, input) => {
  const { deps, tenant, person, t, locale, signal } = context;
  const query = toQuery(input, tenant, locale);
  const discovery = deps.discoveryOf(tenant.id);
  const result = await discovery.searchLearningObjects(query, { signal });
  if (query.page === 0)
    deps.insight.noteSearch({
      ...{ tenantId: tenant.id, words: query.keywords, person: person?.person ?? PROGRAMS },
      ...{ found: result, isWatched: false },
    });
  const items = writeFound(result.items, result.requestId);
  const [providers, ways] = await Promise.all([
    listMissing(context, result),
    result.items.length === 0 && query.page === 0 ? readWaysOut(context, query) : {},
  ]);
  const typed = toForeignText(query.keywords, MAX_WORDS);
  const view = toAnswerView(result, { typed, providers }, { t, locale });
  // Its own leave the wishes out, which stand on a page to be taken away.
  const notices = readAnswerNotices(result, providers, { t, locale }).map((notice) =>
    toForeignText(notice, MAX_NOTICE),
  );
  const told = [...(view.quality === null ? [] : [view.quality]), ...notices];
  const data: ToolOutput<'search_learning'> = {
    ...{
      total: result.totalItems,
      is_total_exact: result.isTotalExact,
      page: result.page,
      has_more: result.hasMore,
    },
    ...{ request_id: result.requestId, quality: result.quality, items },
    ...(told.length > 0 && { notices: told }),
    ...ways,
  };
  const summary = result.totalItems === 0 ? t('assistantTools.nothing', { words: typed }) : view.count;
  return { data, summary: [summary, ...told].join(' '), short: toShortObjects };
};

/** As the tenant's people begin, with what was asked over it. What was chosen of providers and
 *  price never yields, as in every face. */
function toQuery(
  input: ToolInput<'search_learning'>,
  { defaults }: TenantRecord,
  locale: string,
): LearningObjectQuery {
  const { keywords, provider, type, bloom, ...asked } = input;
  const begun = createLearningObjectQuery(keywords, defaults, locale);
  const important = new Set(begun.important);
  if (provider !== undefined && provider.length > 0) important.add('provider');
  if (asked.free !== undefined) important.add('free');
  return {
    ...begun,
    ...asked,
    ...(provider !== undefined && { providers: provider }),
    ...(type !== undefined && { types: type }),
    ...(bloom !== undefined && { blooms: bloom }),
    important,
  };
}

/** Names of providers are only looked up where one is missing. */
async function listMissing({ deps, tenant, signal }: ToolContext, { missing }: SearchResult) {
  if (missing.length === 0) return [];
  return (await deps.discoveryOf(tenant.id).lists({ signal, timeoutMs: LISTS_MS })).providers;
}

async function readWaysOut({ deps, tenant, signal }: ToolContext, query: LearningObjectQuery) {
  const { didYouMean, filters } = await deps.discoveryOf(tenant.id).findWaysOut(query, { signal });
  return {
    ...(didYouMean.length > 0 && {
      other_words: didYouMean.map(({ keywords }) => toForeignText(keywords, MAX_WORDS)),
    }),
    ...(filters.length > 0 && { drop_filters: filters.map(({ filter }) => filter) }),
  };
}
