import { createObjectIndex } from '../../src/engine/objects/object-index.ts';
import { kinds } from '../corpus/queries.ts';
import { type BenchEngine, HITS } from './engine.ts';

/** @param details with facet counts, as the host asks for them */
export function createSkilldock(): BenchEngine & { withDetails(): BenchEngine } {
  const index = createObjectIndex();
  const engine = (name: string, details: boolean): BenchEngine => ({
    name,
    kinds,
    add: (batch) => index.put(batch),
    finish: () => index.compact(),
    search({ kind, keywords, type }) {
      const { hits } = index.search({
        keywords,
        model: kind === 'all-terms' ? 'strict' : 'extended',
        filters: { type: { values: [type], strict: true } },
        sort: 'popularity',
        prefix: kind === 'prefix',
        offset: 0,
        limit: HITS,
        details,
      });
      return hits.map((hit) => hit.id);
    },
    indexBytes: () => index.stats().bytes,
    close: () => undefined,
  });
  return { ...engine('skilldock', false), withDetails: () => engine('skilldock with facets', true) };
}
