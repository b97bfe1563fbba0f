import {
  createObjectIndex,
  loadObjectIndex,
  type ObjectIndex,
} from '../../src/engine/objects/object-index.ts';
import { createObjectView } from '../../src/engine/objects/object-view.ts';
import type { ObjectAnswer, ObjectMeaning, ObjectQuery } from '../../src/engine/objects/types.ts';
import { createVectorRows } from '../../src/engine/vectors/vector-rows.ts';
import { type BenchQuery, kinds } from '../corpus/queries.ts';
import { createRandom } from '../corpus/random.ts';
import { timePass } from '../measure.ts';
import { type Asked, type BenchEngine, HITS } from './engine.ts';

/** Ask as every engine is asked.
 *  @param more what is asked beside the words */
export function askSkilldock(
  index: ObjectIndex,
  { kind, keywords, type }: Pick<BenchQuery, 'kind' | 'keywords'> & Partial<BenchQuery>,
  more: Partial<ObjectQuery> = {},
): ObjectAnswer {
  return index.search({
    keywords,
    model: kind === 'all-terms' ? 'strict' : 'extended',
    filters: type === undefined ? {} : { type: { values: [type], strict: true } },
    sort: 'popularity',
    prefix: kind === 'prefix',
    offset: 0,
    limit: HITS,
    ...more,
  });
}

/** @param block a snapshot, instead of the documents */
export function createSkilldock(block?: Uint8Array): BenchEngine & { readonly index: ObjectIndex } {
  const index = block === undefined ? createObjectIndex() : loadObjectIndex(block).index;
  let meaning: ObjectMeaning | undefined;
  const asked = (name: string, more: () => Partial<ObjectQuery>): Asked => ({
    name,
    kinds,
    ask(queries) {
      const own = more();
      return timePass(queries, (query) => askSkilldock(index, query, own).hits);
    },
  });
  return {
    ...asked('skilldock', () => ({})),
    ways: [
      // As the host asks for a page that shows them.
      asked('skilldock with facets', () => ({ details: true })),
      {
        ...asked('skilldock with meaning', () => {
          meaning ??= drawMeaning(index);
          return { meaning };
        }),
        most: 1_000_000,
      },
    ],
    add: (batch) => index.put(batch),
    finish: () => index.compact(),
    indexBytes: () => index.stats().bytes,
    index,
    close: () => undefined,
  };
}

const DIMENSIONS = 384;

/** Vectors drawn at random: what they say costs nothing, to go through them does. */
function drawMeaning(index: ObjectIndex): ObjectMeaning {
  const random = createRandom(1);
  const draw = () => {
    const drawn = Array.from({ length: DIMENSIONS }, () => random() - 0.5);
    const length = Math.hypot(...drawn);
    return Float32Array.from(drawn, (value) => value / length);
  };
  const rows = createVectorRows(DIMENSIONS);
  const limit = index.stats().documents;
  const all = { filters: {}, sort: 'popularity', offset: 0, limit } as const;
  const { ids } = createObjectView(index.select([])).list(all);
  const rowOf = new Map(ids.map((id) => [id, rows.push(draw())]));
  return { vectors: { rows, rowOf: (id) => rowOf.get(id) ?? -1 }, vector: draw(), langs: null };
}
