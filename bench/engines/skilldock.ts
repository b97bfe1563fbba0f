import { createObjectIndex } from '../../src/engine/objects/object-index.ts';
import { createObjectView } from '../../src/engine/objects/object-view.ts';
import type { ObjectQuery } from '../../src/engine/objects/types.ts';
import { createVectorRows } from '../../src/engine/vectors/vector-rows.ts';
import { kinds } from '../corpus/queries.ts';
import { createRandom } from '../corpus/random.ts';
import { type BenchEngine, HITS } from './engine.ts';

interface Variants {
  /** With facet counts, as the host asks for them. */
  withDetails(): BenchEngine;
  /** With vectors drawn at random: what they say costs nothing, to go through them does. */
  withMeaning(): BenchEngine;
}

export function createSkilldock(): BenchEngine & Variants {
  const index = createObjectIndex();
  const engine = (name: string, more: () => Partial<ObjectQuery>): BenchEngine => ({
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
        ...more(),
      });
      return hits.map((hit) => hit.id);
    },
    indexBytes: () => index.stats().bytes,
    close: () => undefined,
  });
  return {
    ...engine('skilldock', () => ({ details: false })),
    withDetails: () => engine('skilldock with facets', () => ({ details: true })),
    withMeaning() {
      const draw = drawVectors();
      const rows = createVectorRows(DIMENSIONS);
      const limit = index.stats().documents;
      const { ids } = createObjectView(index.select([])).list({
        filters: {},
        sort: 'popularity',
        offset: 0,
        limit,
      });
      const rowOf = new Map(ids.map((id) => [id, rows.push(draw())]));
      const vectors = { rows, rowOf: (id: string) => rowOf.get(id) ?? -1 };
      const vector = draw();
      return engine('skilldock with meaning', () => ({ meaning: { vectors, vector, langs: null } }));
    },
  };
}

const DIMENSIONS = 384;

function drawVectors(): () => Float32Array {
  const random = createRandom(1);
  return () => {
    const drawn = Array.from({ length: DIMENSIONS }, () => random() - 0.5);
    const length = Math.hypot(...drawn);
    return Float32Array.from(drawn, (value) => value / length);
  };
}
