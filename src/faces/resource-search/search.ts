import type { Topic } from '#domain/catalog';
import type { LearningObject } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { AppError } from '#errors';
import { toHarvestIdentifier } from '#services/catalogue/harvest';
import type { Browsing } from '#services/searching/browsing';
import type { TenantLearning } from '#services/searching/tenant-learning';
import { type Condition, type Filter, fitsFilter, parseFilter } from './filter.ts';
import { listTypesOf, type Resource, readResourceValues, resourceFields, toResource } from './resource.ts';

export interface SearchDeps {
  learningOf(tenantId: string): Pick<TenantLearning, 'ask'>;
  browsingOf(tenantId: string): Pick<Browsing, 'browse'>;
  hasLti(tenantId: string): Promise<boolean>;
  readonly publicUrl: string;
}

export interface ResourceRequest {
  readonly filter: Filter;
  readonly fields: readonly string[] | null;
  readonly sort: string | null;
  readonly isDescending: boolean;
  readonly limit: number;
  readonly offset: number;
}

const MAX_LIMIT = 100;
const MAX_OFFSET = 100_000;
/** The best resources, filtered and sorted here: the engine does not index every field. */
const CANDIDATES = 2_000;

export function readResourceRequest(query: URLSearchParams): ResourceRequest {
  const fields = readNames(query.get('fields'), 'fields');
  const [sort = null] = readNames(query.get('sort'), 'sort') ?? [];
  const orderBy = query.get('orderBy') ?? 'asc';
  if (orderBy !== 'asc' && orderBy !== 'desc') throw refuse('orderBy', 'must be asc or desc');
  const filter = parseFilter(query.get('filter') ?? '');
  for (const { field } of filter.flat()) if (field !== 'search') refuseUnknown(field.split('.')[0] ?? '', 'filter');
  return {
    filter,
    fields,
    sort,
    isDescending: orderBy === 'desc',
    limit: readNumber(query, 'limit', { min: 1, max: MAX_LIMIT, usual: MAX_LIMIT }),
    offset: readNumber(query, 'offset', { min: 0, max: MAX_OFFSET, usual: 0 }),
  };
}

function readNames(text: string | null, path: string): readonly string[] | null {
  if (text === null || text.trim() === '') return null;
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) refuseUnknown(name, path);
  return names;
}

function refuseUnknown(name: string, path: string): void {
  if (!(resourceFields as readonly string[]).includes(name)) throw refuse(path, `names ${name}, which is no field`);
}

function readNumber(
  query: URLSearchParams,
  name: string,
  { min, max, usual }: { readonly min: number; readonly max: number; readonly usual: number },
): number {
  const text = query.get(name) ?? '';
  if (text === '') return usual;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min)) throw refuse(name, `must be a whole number from ${min} on`);
  return Math.min(value, max);
}

const refuse = (path: string, problem: string) =>
  new AppError('PARAMETERS_INVALID', `The parameter ${path} ${problem}.`, { problems: [{ path, problem }] });

/** The engine looks for required words, subjects, types and languages; the rest is judged here. */
export async function searchResources(
  deps: SearchDeps,
  tenantId: string,
  request: ResourceRequest,
  signal: AbortSignal,
) {
  const { filter, fields, sort, limit, offset } = request;
  const required = filter.length === 1 ? (filter[0] ?? []) : [];
  const left = filter.length === 1 ? [required.filter((condition) => !isForEngine(condition))] : filter;
  const isPaged = sort === null && left.every((conditions) => conditions.length === 0) && offset % limit === 0;
  const page = isPaged ? { page: offset / limit, max: limit } : { page: 0, max: CANDIDATES };
  const [result, hasLti] = await Promise.all([ask(deps, { tenantId, required, page, signal }), deps.hasLti(tenantId)]);
  const host = { publicUrl: deps.publicUrl, hasLti };
  const resources = result.objects.map((object) => toResource(object, toHarvestIdentifier(object.url), host));
  const fitting = resources.filter((each) => fitsFilter(left, (field) => readResourceValues(each, field)));
  const ordered = sort === null ? fitting : sortResources(fitting, request);
  return {
    resources: (isPaged ? ordered : ordered.slice(offset, offset + limit)).map((each) => selectFields(each, fields)),
    total: isPaged ? result.total : ordered.length,
  };
}

function isForEngine({ field, predicate, values }: Condition): boolean {
  if (field === 'search') return predicate === '~';
  if (predicate !== '=' || values.includes('NULL')) return false;
  return field === 'subject' || field === 'learningResourceType' || (field === 'language' && values.length === 1);
}

async function ask(
  deps: SearchDeps,
  asked: { tenantId: string; required: readonly Condition[]; page: { page: number; max: number }; signal: AbortSignal },
) {
  const { tenantId, required, page, signal } = asked;
  const valuesOf = (field: string) =>
    required.filter((each) => each.field === field && isForEngine(each)).map(({ values }) => values);
  const words = valuesOf('search').flat().join(' ').trim().slice(0, 300);
  const nothing = { objects: [] as readonly LearningObject[], total: 0 };
  const typeLists = valuesOf('learningResourceType').map(listTypesOf);
  const [first = [], ...others] = typeLists;
  const types = first.filter((type) => others.every((list) => list.includes(type)));
  if (typeLists.length > 0 && types.length === 0) return nothing;
  const languages = [...new Set(valuesOf('language').flatMap(([tag = '']) => tag.slice(0, 2).toLowerCase()))];
  if (languages.length > 1) return nothing;
  const topics = await findTopics(deps, tenantId, valuesOf('subject'));
  if (topics === null) return nothing;
  const query: LearningObjectQuery = {
    ...{ keywords: words, providers: [], blooms: [], types, sort: 'popularity', match: 'strict', model: 'extended' },
    ...page,
    ...(languages[0] !== undefined && { lang: languages[0] }),
    important: new Set(),
  };
  // The engine browses a subject, or looks for words.
  if (words !== '' && topics.length === 0) {
    const { content, totalItems } = await deps.learningOf(tenantId).ask('searchMany', query, { signal });
    return { objects: content, total: totalItems };
  }
  const result = await deps.browsingOf(tenantId).browse({ query, topics }, { signal });
  const objects = (result?.items ?? []).map(({ object }) => object);
  return { objects, total: result?.totalItems ?? 0 };
}

/** Ids of the topics that the subjects name; null where one is no subject. */
async function findTopics(deps: SearchDeps, tenantId: string, names: readonly (readonly string[])[]) {
  if (names.length === 0) return [];
  const topics = await listTopics(deps, tenantId);
  const ids = names.map(
    ([name = '']) =>
      topics.find(({ labels }) => Object.values(labels).some((label) => label.toLowerCase() === name.toLowerCase()))
        ?.id,
  );
  return ids.some((id) => id === undefined) ? null : ids.flatMap((id) => id ?? []);
}

async function listTopics({ browsingOf }: SearchDeps, tenantId: string): Promise<readonly Topic[]> {
  const query: LearningObjectQuery = {
    ...{ keywords: '', providers: [], types: [], blooms: [], sort: 'popularity', match: 'strict', model: 'extended' },
    ...{ max: 1, page: 0, important: new Set() },
  };
  return (await browsingOf(tenantId).browse({ query, topics: [] }))?.topics ?? [];
}

/** Missing values come last. */
function sortResources(resources: readonly Resource[], { sort, isDescending }: ResourceRequest): readonly Resource[] {
  const sign = isDescending ? -1 : 1;
  const keyed = resources.map((resource) => ({ resource, key: readResourceValues(resource, sort ?? '')[0] }));
  return keyed
    .sort(({ key: a }, { key: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return sign * a.localeCompare(b, 'en', { numeric: true });
    })
    .map(({ resource }) => resource);
}

function selectFields(resource: Resource, fields: readonly string[] | null): Partial<Resource> {
  if (fields === null) return resource;
  return Object.fromEntries(Object.entries(resource).filter(([name]) => fields.includes(name)));
}

const ROOT = 1;

/** The number of a field: its code after a 1, as codes may begin with a 0. */
const numberOf = (code: string) => Number(`1${code}`);

export async function listSubjects(deps: SearchDeps, tenantId: string) {
  const topics = await listTopics(deps, tenantId);
  const fields = topics.filter(({ kind, id }) => kind === 'field' && /^\d+$/.test(id));
  const isField = (id: string | undefined) => fields.some((field) => field.id === id);
  const subjects = fields.map(({ id, labels, within: [parent = ''] }) => ({
    identifier: numberOf(id),
    name: labels.en ?? Object.values(labels)[0] ?? id,
    parent: isField(parent) ? numberOf(parent) : ROOT,
  }));
  return [{ identifier: ROOT, name: 'All subjects', parent: 0 }, ...subjects];
}
