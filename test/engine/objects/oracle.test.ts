import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createObjectIndex } from '../../../src/engine/objects/object-index.ts';
import type { ObjectAnswer, ObjectDocument, ObjectFilters, ObjectQuery } from '../../../src/engine/objects/types.ts';
import { BELOW } from '../../../src/engine/objects/weights.ts';
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

/** Words that are function words of no language, which would tell the language of the query. */
const context = fc.constantFrom('machine', 'python database', 'infirmier', 'analysis');
const findAll = (documents: readonly ObjectDocument[], query: ObjectQuery) => {
  const index = createObjectIndex();
  index.put(documents);
  return index.search({ ...query, offset: 0, limit: 25 });
};

test('an audience removes no hit of the topic, and makes none less fitting', () => {
  fc.assert(
    fc.property(distinctDocuments, queryArbitrary, context, (documents, { context: _, ...query }, audience) => {
      const tiers = (answer: ObjectAnswer) => new Map(answer.hits.map(({ id, tier }) => [id, tier]));
      const without = tiers(findAll(documents, query));
      const withAudience = tiers(findAll(documents, { ...query, context: audience }));
      for (const [id, tier] of without)
        expect([tier, 'fitting', 'other-language'], `${id}, ${tier} before`).toContain(withAudience.get(id));
    }),
    propertyRuns(200),
  );
});

test('a wish puts nothing that is only close above what fits', () => {
  fc.assert(
    fc.property(distinctDocuments, queryArbitrary, fc.constantFrom('video', 'book'), (documents, query, type) => {
      const { filters: _, ...topic } = { ...query, sort: 'popularity' as const };
      const wish: ObjectFilters = {
        type: { values: [type], strict: false, isWish: true },
        level: { max: 0, strict: false, isWish: true },
      };
      const fitting = (answer: ObjectAnswer) =>
        answer.hits.flatMap(({ id, score }) => (score < BELOW.fitting ? [] : [id])).sort();
      const wished = findAll(documents, { ...topic, filters: wish });
      expect(fitting(wished)).toEqual(fitting(findAll(documents, { ...topic, filters: {} })));
      const order = wished.hits.map(({ tier }) => Number(tier === 'close'));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }),
    propertyRuns(200),
  );
});
