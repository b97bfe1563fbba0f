import type { ToolInput, ToolOutput } from '#contract/index';
import { createLearningObjectQuery, type LearningObjectQuery } from '#domain/learning-object-query';
import { toForeignText } from '#domain/text';
import { toAnswerView, writeAnswerNotices } from '#faces/search-view/answer-view';
import type { TenantRecord } from '#ports/store/store';
import { listSkillSpellings } from '#services/searching/discovery/skills';
import { type Tool, type ToolContext, toShortToolObjects, writeToolResults } from './tool.ts';

/** Stands for all programs of a tenant, which count as one person in the statistics of searches. */
const PROGRAMS = 'mcp';
const LISTS_TIMEOUT_MS = 300;
const MAX_WORDS_LENGTH = 120;
const MAX_NOTICE_LENGTH = 300;

export const searchLearning: Tool<'search_learning'> = async (context, input) => {
  const { deps, tenant, person, t, locale, signal } = context;
  const query = toQuery(input, tenant, locale);
  const discovery = deps.discoveryOf(tenant.id);
  const result = await discovery.searchLearningObjects(query, { signal });
  if (query.page === 0)
    deps.insight.noteSearch({
      tenantId: tenant.id,
      words: query.keywords,
      person: person?.person ?? PROGRAMS,
      result,
      isWatched: false,
    });
  const items = writeToolResults(result.items, result.requestId);
  const [{ providers }, waysOut] = await Promise.all([
    // The list has the names of missing providers.
    result.missing.length === 0 ? { providers: [] } : discovery.lists({ signal, timeoutMs: LISTS_TIMEOUT_MS }),
    result.items.length === 0 && query.page === 0 ? readToolWaysOut(context, query) : {},
  ]);
  const typed = toForeignText(query.keywords, MAX_WORDS_LENGTH);
  const view = toAnswerView(result, { typed, providers }, { t, locale });
  // The notices of `view` lack the wishes, which pages show by themselves.
  const answerNotices = writeAnswerNotices(result, providers, { t, locale }).map((notice) =>
    toForeignText(notice, MAX_NOTICE_LENGTH),
  );
  const notices = [...(view.quality === null ? [] : [view.quality]), ...answerNotices];
  const data: ToolOutput<'search_learning'> = {
    total: result.totalItems,
    is_total_exact: result.isTotalExact,
    page: result.page,
    has_more: result.hasMore,
    request_id: result.requestId,
    quality: result.quality,
    items,
    ...(notices.length > 0 && { notices }),
    ...waysOut,
  };
  const summary = result.totalItems === 0 ? t('assistantTools.nothing', { words: typed }) : view.count;
  return { data, summary: [summary, ...notices].join(' '), short: toShortToolObjects };
};

/** Makes a query of the input and the tenant's defaults; chosen providers and prices are strict. */
function toQuery(input: ToolInput<'search_learning'>, { defaults }: TenantRecord, locale: string): LearningObjectQuery {
  const { keywords, provider, type, bloom, ...filters } = input;
  const base = createLearningObjectQuery(keywords, defaults, locale);
  const important = new Set(base.important);
  if (provider !== undefined && provider.length > 0) important.add('provider');
  if (filters.free !== undefined) important.add('free');
  return {
    ...base,
    ...filters,
    ...(provider !== undefined && { providers: provider }),
    ...(type !== undefined && { types: type }),
    ...(bloom !== undefined && { blooms: bloom }),
    important,
  };
}

async function readToolWaysOut({ deps, tenant, signal }: ToolContext, query: LearningObjectQuery) {
  const { didYouMean, filters } = await deps.discoveryOf(tenant.id).findWaysOut(query, { signal });
  return {
    ...(didYouMean.length > 0 && {
      other_words: didYouMean.map(({ keywords }) => toForeignText(keywords, MAX_WORDS_LENGTH)),
    }),
    ...(filters.length > 0 && { drop_filters: filters.map(({ filter }) => filter) }),
  };
}

const MAX_LABEL_LENGTH = 120;
const MAX_EVIDENCE_LENGTH = 120;
const MAX_CORRECTIONS = 5;

export const findSkillsTool: Tool<'find_skills'> = async (context, { keywords, lang, max }) => {
  const { deps, tenant, locale, t, signal } = context;
  const result = await deps
    .discoveryOf(tenant.id)
    .findSkills({ keywords, prefer: locale, max, ...(lang !== undefined && { lang }) }, { signal });
  const skills = result.groups.flatMap(({ terms }) => terms).sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const corrections = listSkillSpellings(result.suggestions, keywords).slice(0, MAX_CORRECTIONS);
  const summary = t(skills.length > 0 ? 'assistantTools.skills' : 'assistantTools.noSkills', {
    count: skills.length,
    words: toForeignText(keywords, MAX_LABEL_LENGTH),
  });
  const data = {
    lang: result.lang,
    skills: skills.map(({ label, source, score, concept }) => ({
      label: toForeignText(label, MAX_LABEL_LENGTH),
      taxonomy: toForeignText(source, MAX_LABEL_LENGTH),
      ...(concept !== undefined && { uri: concept }),
      ...(score !== undefined && { score: Math.round(score * 1_000) / 1_000 }),
    })),
    ...(corrections.length > 0 && {
      did_you_mean: corrections.map(({ label }) => toForeignText(label, MAX_LABEL_LENGTH)),
    }),
    ...(skills.length === 0 && { notices: [summary] }),
  };
  return {
    data,
    summary,
    short: (answer) => answer.skills.map(({ label, taxonomy, uri }) => ({ label, taxonomy, uri })),
  };
};

export const tagTextTool: Tool<'tag_text'> = async (context, { text, lang, max }) => {
  const { deps, tenant, t, signal } = context;
  const result = await deps.discoveryOf(tenant.id).tagText(text, lang, { signal, spans: true, max });
  const skills = result.tags.map((label, index) => {
    const span = result.spans?.[index];
    const concept = result.concepts?.[index];
    return {
      label: toForeignText(label, MAX_LABEL_LENGTH),
      ...(concept && { uri: concept.uri, taxonomy: toForeignText(concept.taxonomy, MAX_LABEL_LENGTH) }),
      ...(span && {
        evidence: { start: span[0], end: span[1], words: toForeignText(text.slice(...span), MAX_EVIDENCE_LENGTH) },
      }),
    };
  });
  const summary = t(skills.length > 0 ? 'assistantTools.tags' : 'assistantTools.noTags', { count: skills.length });
  const data: ToolOutput<'tag_text'> = {
    lang: result.lang,
    skills,
    ...(skills.length === 0 && { notices: [summary] }),
  };
  return {
    data,
    summary,
    short: (answer) => answer.skills.map(({ label, evidence }) => ({ label, words: evidence?.words })),
  };
};
