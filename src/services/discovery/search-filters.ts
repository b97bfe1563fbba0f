import type { LearningObject } from '../../domain/learning-object.ts';
import type { LearningObjectQuery, QueryFilter } from '../../domain/learning-object-query.ts';
import { activeFilters } from './query-filters.ts';

/** The most that the specification gives in one page. */
export const PAGE_SIZE = 20;

/** Any language cannot be asked for, and a call for each would be too many: the specification's default, loosely, as most
 *  is in it and an object in another language may still be found. */
const USUAL_LANGUAGE = 'en';

/** What one provider is asked for a search, in terms of the specification. It is strict about the provider, or one that
 *  finds nothing would give what others are asked for as well. A strict search in any language is strict about everything
 *  else, one by one, as `match` would be about the language too. */
export function toProviderQuery(
  query: LearningObjectQuery,
  providerId: string,
  page: number,
): LearningObjectQuery {
  const isLoose = query.lang === undefined;
  const isStrictByFilter = isLoose && query.match === 'strict';
  const given = isStrictByFilter ? activeFilters(query) : query.important;
  const important = new Set<QueryFilter>([...given, 'provider']);
  for (const filter of ['type', 'bloom'] as const) important.delete(filter);
  if (isLoose) important.delete('lang');
  return {
    ...query,
    providers: [providerId],
    types: [],
    blooms: [],
    lang: query.lang ?? USUAL_LANGUAGE,
    match: isStrictByFilter ? 'best-effort' : query.match,
    max: PAGE_SIZE,
    page,
    important,
  };
}

/** Whether an object has one of the wanted types and one of the wanted objectives. One that does not say passes where
 *  filters are applied loosely. */
export function fitsOwnFilters({ type, bloom }: LearningObject, query: LearningObjectQuery): boolean {
  const isStrict = (filter: QueryFilter) => query.match === 'strict' || query.important.has(filter);
  return overlaps(type, query.types, isStrict('type')) && overlaps(bloom, query.blooms, isStrict('bloom'));
}

function overlaps(has: readonly string[], wanted: readonly string[], isStrict: boolean): boolean {
  if (wanted.length === 0) return true;
  if (has.length === 0) return !isStrict;
  const names = new Set(wanted.map((name) => name.toLowerCase()));
  return has.some((name) => names.has(name.toLowerCase()));
}
