import { createObjectIndex, loadObjectIndex } from '../../src/engine/objects/object-index.ts';
import { kinds } from '../corpus/queries.ts';
import { timePass } from '../measure.ts';
import { type Asked, type BenchEngine, HITS } from './engine.ts';

/** @param block a snapshot, instead of the documents */
export function createSkilldock(block?: Uint8Array): BenchEngine & { save(): Uint8Array } {
  const index = block === undefined ? createObjectIndex() : loadObjectIndex(block).index;
  const asked = (name: string, details: boolean): Asked => ({
    name,
    kinds,
    ask: (queries) =>
      timePass(queries, ({ kind, keywords, type }) => {
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
        return hits;
      }),
  });
  return {
    ...asked('skilldock', false),
    // As the host asks for a page that shows them.
    ways: [asked('skilldock with facets', true)],
    add: (batch) => index.put(batch),
    finish: () => index.compact(),
    indexBytes: () => index.stats().bytes,
    save: () => index.save({}),
    close: () => undefined,
  };
}
