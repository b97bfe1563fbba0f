import type { LearningObjectQuery, QueryFilter } from './learning-object-query.ts';
import type { SearchDefaults } from './tenant.ts';

/** The first page of a search as a tenant's people begin it. The language yields where nothing is left, as `match` says;
 *  chosen providers and "free only" never do: whoever chose them does not want the others. */
export function queryUnderDefaults(
  keywords: string,
  { providers, lang, model, match, itemsPerPage, freeOnly }: SearchDefaults,
): LearningObjectQuery {
  const important: QueryFilter[] = [];
  if (providers.length > 0) important.push('provider');
  if (freeOnly) important.push('free');
  return {
    keywords,
    ...(lang !== null && { lang }),
    providers,
    types: [],
    blooms: [],
    sort: 'popularity',
    match,
    model,
    max: itemsPerPage,
    page: 0,
    ...(freeOnly && { free: true }),
    important: new Set(important),
  };
}
