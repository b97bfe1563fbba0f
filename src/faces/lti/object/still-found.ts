import { type LearningObject, normalizeAddress } from '../../../domain/learning-object.ts';
import type { LearningObjectQuery } from '../../../domain/learning-object-query.ts';
import { isPassing } from '../../../errors.ts';
import type { SearchScope } from '../../../services/similar-objects.ts';

const MAX_KEYWORDS = 300;
const MAX_ITEMS = 20;

/** Whether a search at its provider for its title still gives the object. False is no proof that it is gone, but a reason to
 *  look; null where nobody can tell now: its provider is not known, or not all of an answer came. */
export async function isStillFound(scope: SearchScope, object: LearningObject): Promise<boolean | null> {
  const { discovery, signal, onProblem } = scope;
  try {
    const { providers } = await discovery.lists({ signal });
    const provider = providers.find(({ name }) => name === object.provider);
    if (provider === undefined) return null;
    const query = queryFor(object, provider.id);
    const { items, missing } = await discovery.searchLearningObjects(query, { signal });
    const own = normalizeAddress(object.url);
    if (items.some((item) => normalizeAddress(item.object.url) === own)) return true;
    return missing.length === 0 ? false : null;
  } catch (error) {
    if (!signal.aborted && !isPassing(error)) onProblem(error);
    return null;
  }
}

function queryFor({ title, lang }: LearningObject, providerId: string): LearningObjectQuery {
  return {
    keywords: title.slice(0, MAX_KEYWORDS),
    ...(lang !== undefined && { lang }),
    providers: [providerId],
    types: [],
    blooms: [],
    sort: 'popularity',
    match: 'best-effort',
    model: 'extended',
    max: MAX_ITEMS,
    page: 0,
    important: new Set(['provider']),
  };
}
