import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createObjectIndex } from '../../../src/engine/objects/object-index.ts';
import { propertyRuns } from '../../helpers/draw.ts';
import { documentArbitrary, queryArbitrary } from './arbitraries.ts';
import { naiveSearch } from './naive-search.ts';

const distinctDocuments = fc.uniqueArray(documentArbitrary(fc.string({ minLength: 1, maxLength: 3 })), {
  selector: ({ id }) => id,
  maxLength: 25,
});

test('gives the same hits, order, scores and counts as a plain scan', () => {
  fc.assert(
    fc.property(distinctDocuments, fc.array(queryArbitrary, { minLength: 1, maxLength: 4 }), (documents, queries) => {
      const index = createObjectIndex();
      index.put(documents);
      for (const query of queries) {
        const { terms: _, ...answer } = index.search(query);
        expect(answer).toEqual(naiveSearch(documents, query));
      }
    }),
    propertyRuns(400),
  );
});
