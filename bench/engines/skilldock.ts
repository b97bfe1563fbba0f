import { openEncoder } from '../../src/adapters/meaning/static-encoder.ts';
import { createObjectIndex, loadObjectIndex, type ObjectIndex } from '../../src/engine/objects/object-index.ts';
import type { ObjectAnswer, ObjectQuery } from '../../src/engine/objects/types.ts';
import { DAYS, FIRST_DAY } from '../corpus/generate.ts';
import { type BenchQuery, kinds } from '../corpus/queries.ts';
import { createRandom } from '../corpus/random.ts';
import { timePass } from '../measure.ts';
import { required } from '../required.ts';
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
  const vectors = drawVectors();
  let added = 0;
  const asked = (name: string, more: () => Partial<ObjectQuery>): Asked => ({
    name,
    kinds,
    ask(queries) {
      const own = more();
      return timePass(queries, (query) => {
        const { hits, total } = askSkilldock(index, query, own);
        return { length: hits.length, total };
      });
    },
  });
  return {
    ...asked('skilldock', () => ({})),
    ways: [
      // As the host asks for a page that shows them.
      asked('skilldock with facets', () => ({ details: true })),
      // Each pair of filters keeps about a quarter.
      asked('with facets, filters', () => ({
        details: true,
        filters: { learningTime: { max: 310, strict: true }, free: { value: true, strict: true } },
      })),
      asked('with facets, filters of facts', () => ({
        details: true,
        filters: { marks: { values: ['mayAdapt'], strict: true }, day: { min: FIRST_DAY + DAYS / 2, strict: true } },
      })),
      {
        ...asked('skilldock with meaning', () => ({ meaning: openEncoder() })),
        most: 1_000_000,
      },
    ],
    add(batch) {
      index.put(batch.map((each) => ({ ...each, vector: required(vectors[added++ % DRAWN], 'vector') })));
    },
    finish: () => index.compact(),
    indexBytes: () => index.stats().bytes,
    index,
    close: () => undefined,
  };
}

const DIMENSIONS = 256;
const DRAWN = 1_000;

/** What vectors of documents say costs nothing, to go through them does: a few are enough. */
function drawVectors(): Float32Array[] {
  const random = createRandom(1);
  return Array.from({ length: DRAWN }, () => {
    const drawn = Array.from({ length: DIMENSIONS }, () => random() - 0.5);
    const length = Math.hypot(...drawn);
    return Float32Array.from(drawn, (value) => value / length);
  });
}
