import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFullBitset } from '../../../../src/engine/bitset.ts';
import { createAccumulator } from '../../../../src/engine/objects/search/accumulator.ts';
import { searchSegments } from '../../../../src/engine/objects/search/search.ts';
import { buildSegment } from '../../../../src/engine/objects/segment/build-segment.ts';
import type { ObjectDocument } from '../../../../src/engine/objects/types.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { documentArbitrary, queryArbitrary } from '../arbitraries.ts';
import { naiveSearch } from '../naive-search.ts';

/** As many as fill a few blocks of the smallest size; one word is in all of them, so that its list
 *  is searched for the candidates of the other, which is in few. */
const documents = fc.array(documentArbitrary(fc.constant('')), { minLength: 100, maxLength: 150 }).map((list) =>
  list.map((one, i): ObjectDocument => {
    const rare = i % 37 === 5 ? 'rarely' : '';
    return { ...one, id: `object-${i}`, title: `${one.title} everywhere ${rare}`, lang: 'xx' };
  }),
);

const query = fc
  .tuple(queryArbitrary, fc.constantFrom('', 'everywhere', 'rarely', 'everywhere rarely'))
  .map(([one, more]) => ({ ...one, keywords: `${more} ${one.keywords}` }));

test('finds the same documents as a plain scan over many blocks', () => {
  const accumulator = createAccumulator(32);
  fc.assert(
    fc.property(documents, fc.array(query, { minLength: 4, maxLength: 8 }), (all, queries) => {
      const segment = buildSegment(all);
      const live = { segment, live: createFullBitset(all.length), liveCount: all.length };
      for (const one of queries) {
        const { terms: _, ...answer } = searchSegments([live], one, { accumulator });
        expect(answer).toEqual(naiveSearch(all, one));
      }
    }),
    propertyRuns(15),
  );
});
