import type { Topic } from '#domain/catalog';
import type { LearningObject } from '#domain/learning-object';
import { hashObjectAddress } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import { AppError } from '#errors';
import type { Browsing } from '#services/searching/browsing';
import type { TenantLearning } from '#services/searching/tenant-learning';
import { type Condition, type Filter, fitsFilter, parseFilter } from './filter.ts';
import { listResourceTypes, type Resource, readResourceValues, resourceFields, toResource } from './resource.ts';

export interface SearchDeps {
  learningOf(tenantId: string): Pick<TenantLearning, 'ask'>;
  browsingOf(tenantId: string): Pick<Browsing, 'browse'>;
  hasLti(tenantId: string): Promise<boolean>;
  readonly publicUrl: string;
}

interface ResourceRequest {
  readonly filter: Filter;
  readonly fields: readonly string[] | null;
  readonly sort: string | null;
  readonly isDescending: boolean;
  readonly limit: number;
  readonly offset: number;
}

const MAX_LIMIT = 100;
const MAX_OFFSET = 100_000;
/** Number of the best resources to filter and sort here; the engine does not index all fields. */
const CANDIDATES = 2_000;
const MAX_ALTERNATIVES = 20;

/** Errors: PARAMETERS_INVALID. */
export function readResourceRequest(query: URLSearchParams): ResourceRequest {
  const fields = readFieldNames(query.get('fields'), 'fields');
  const [sort = null] = readFieldNames(query.get('sort'), 'sort') ?? [];
  const orderBy = query.get('orderBy') ?? 'asc';
  if (orderBy !== 'asc' && orderBy !== 'desc') throw refuse('orderBy', 'must be asc or desc');
  const filter = parseFilter(query.get('filter') ?? '');
  for (const { field } of filter.flat())
    if (field !== 'search') refuseUnknownField(field.split('.')[0] ?? '', 'filter');
  return {
    filter,
    fields,
    sort,
    isDescending: orderBy === 'desc',
    limit: readNumber(query, 'limit', { min: 1, max: MAX_LIMIT, fallback: MAX_LIMIT }),
    offset: readNumber(query, 'offset', { min: 0, max: MAX_OFFSET, fallback: 0 }),
  };
}

function readFieldNames(text: string | null, path: string): readonly string[] | null {
  if (text === null || text.trim() === '') return null;
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) refuseUnknownField(name, path);
  return names;
}

function refuseUnknownField(name: string, path: string): void {
  if (!resourceFields.includes(name)) throw refuse(path, `names ${name}, which is not a field`);
}

function readNumber(
  query: URLSearchParams,
  name: string,
  { min, max, fallback }: Readonly<Record<'min' | 'max' | 'fallback', number>>,
): number {
  const text = query.get(name) ?? '';
  if (text === '') return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min)) throw refuse(name, `must be a whole number from ${min} on`);
  return Math.min(value, max);
}

const refuse = (path: string, problem: string) =>
  new AppError('PARAMETERS_INVALID', `The parameter ${path} ${problem}.`, { problems: [{ path, problem }] });

/** Conditions that must all hold, and the topics of those on subjects. */
interface Alternative {
  readonly topics: readonly string[];
  readonly conditions: readonly Condition[];
}

/** Searches resources. The engine applies conditions on words, subjects, types and languages; the
 *  others are applied here, to its best results. */
export async function searchResources(
  deps: SearchDeps,
  tenantId: string,
  request: ResourceRequest,
  signal: AbortSignal,
) {
  const { filter, fields, sort, limit, offset } = request;
  const alternatives = await listSearchAlternatives(deps, tenantId, filter);
  const asksFor = (field: string) => filter.flat().some((condition) => condition.field === field);
  const isOneQuery = alternatives.length === 1 && !(asksFor('search') && asksFor('subject'));
  const isPaged = isOneQuery && sort === null && offset % limit === 0 && filter.flat().every(isSearchedByEngine);
  const page = isPaged ? { page: offset / limit, max: limit } : { page: 0, max: CANDIDATES };
  const host = { publicUrl: deps.publicUrl, hasLti: await deps.hasLti(tenantId) };
  const fitting = new Map<string, Resource>();
  let total = 0;
  for (const { topics, conditions } of alternatives) {
    const required = conditions.filter(isSearchedByEngine);
    const otherConditions = conditions.filter((condition) => !isSearchedByEngine(condition));
    const answer = await searchTopics(deps, { tenantId, topics, required, page, signal });
    total = answer.total;
    for (const object of answer.objects) {
      const resource = toResource(object, hashObjectAddress(object.url), host);
      if (fitsFilter([otherConditions], (field) => readResourceValues(resource, field)))
        fitting.set(resource.id, resource);
    }
  }
  const ordered = sort === null ? [...fitting.values()] : sortResources([...fitting.values()], request);
  return {
    resources: (isPaged ? ordered : ordered.slice(offset, offset + limit)).map((each) => selectFields(each, fields)),
    total: isPaged ? total : ordered.length,
  };
}

/** Splits a condition of several subjects into alternatives: the engine requires all topics. */
async function listSearchAlternatives(
  deps: SearchDeps,
  tenantId: string,
  filter: Filter,
): Promise<readonly Alternative[]> {
  const isSubject = (condition: Condition) => condition.field === 'subject' && isSearchedByEngine(condition);
  const topics = filter.flat().some(isSubject) ? await listResourceTopics(deps, tenantId) : [];
  const findTopics = ({ values }: Condition) => {
    const names = values.map((value) => value.toLowerCase());
    return topics.filter(({ labels }) => Object.values(labels).some((label) => names.includes(label.toLowerCase())));
  };
  const alternatives = (filter.length === 0 ? [[]] : filter).flatMap((conditions) => {
    let topicLists: (readonly string[])[] = [[]];
    for (const matches of conditions.filter(isSubject).map(findTopics))
      topicLists = topicLists.flatMap((list) => matches.map(({ id }) => [...list, id])).slice(0, MAX_ALTERNATIVES + 1);
    return topicLists.map((list) => ({ topics: list, conditions }));
  });
  if (alternatives.length > MAX_ALTERNATIVES) throw refuse('filter', `has more than ${MAX_ALTERNATIVES} alternatives`);
  return alternatives;
}

function isSearchedByEngine({ field, predicate, values }: Condition): boolean {
  if (field === 'search') return predicate === '~';
  if (predicate !== '=' || values.includes('NULL')) return false;
  return field === 'subject' || field === 'learningResourceType' || (field === 'language' && values.length === 1);
}

interface TopicSearch extends Pick<Alternative, 'topics'> {
  readonly tenantId: string;
  readonly required: readonly Condition[];
  readonly page: { readonly page: number; readonly max: number };
  readonly signal: AbortSignal;
}

async function searchTopics(deps: SearchDeps, { tenantId, topics, required, page, signal }: TopicSearch) {
  const valuesOf = (field: string) => required.filter((each) => each.field === field).map(({ values }) => values);
  const words = valuesOf('search').flat().join(' ').trim().slice(0, 300);
  const nothing = { objects: [] as readonly LearningObject[], total: 0 };
  const typeLists = valuesOf('learningResourceType').map(listResourceTypes);
  const types = (typeLists[0] ?? []).filter((type) => typeLists.every((list) => list.includes(type)));
  if (typeLists.length > 0 && types.length === 0) return nothing;
  const languages = [...new Set(valuesOf('language').flatMap(([tag = '']) => tag.slice(0, 2).toLowerCase()))];
  if (languages.length > 1) return nothing;
  const query: LearningObjectQuery = {
    ...emptyQuery,
    keywords: words,
    types,
    ...page,
    ...(languages[0] !== undefined && { lang: languages[0] }),
  };
  // The engine browses subjects or searches words. Objects with both are in both answers.
  const hits = words === '' ? null : await deps.learningOf(tenantId).ask('searchMany', query, { signal });
  if (hits !== null && topics.length === 0) return { objects: hits.content, total: hits.totalItems };
  const result = await deps.browsingOf(tenantId).browse({ query, topics }, { signal });
  const objects = (result?.items ?? []).map(({ object }) => object);
  if (hits === null) return { objects, total: result?.totalItems ?? 0 };
  const urls = new Set(objects.map(({ url }) => url));
  return { objects: hits.content.filter(({ url }) => urls.has(url)), total: 0 };
}

const emptyQuery: LearningObjectQuery = {
  keywords: '',
  providers: [],
  types: [],
  blooms: [],
  sort: 'popularity',
  match: 'strict',
  model: 'extended',
  max: 1,
  page: 0,
  important: new Set(),
};

async function listResourceTopics({ browsingOf }: SearchDeps, tenantId: string): Promise<readonly Topic[]> {
  return (await browsingOf(tenantId).browse({ query: emptyQuery, topics: [] }))?.topics ?? [];
}

/** Sorts by a field. Resources without a value come last. */
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

function selectFields(resource: Resource, fields: readonly string[] | null): object {
  if (fields === null) return resource;
  return Object.fromEntries(Object.entries(resource).filter(([name]) => fields.includes(name)));
}

const ROOT = 1;

/** Puts a 1 before the code of a field, as codes may begin with a 0. */
const toSubjectIdentifier = (code: string) => Number(`1${code}`);

export async function listResourceSubjects(deps: SearchDeps, tenantId: string) {
  const topics = await listResourceTopics(deps, tenantId);
  const fields = topics.filter(({ kind, id }) => kind === 'field' && /^\d+$/.test(id));
  const subjects = fields.map(({ id, labels, within: [parent = ''] }) => ({
    identifier: toSubjectIdentifier(id),
    name: labels.en ?? Object.values(labels)[0] ?? id,
    parent: fields.some((field) => field.id === parent) ? toSubjectIdentifier(parent) : ROOT,
  }));
  return [{ identifier: ROOT, name: 'All subjects', parent: 0 }, ...subjects];
}
