import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ARRANGED,
  type ArrangedHit,
  arrangeHits,
  statedFacts,
} from '../../../../src/engine/objects/search/arrange-hits.ts';
import type { ExternalObjects } from '../../../../src/engine/objects/search/external-plan.ts';
import { createExternalView } from '../../../../src/engine/objects/search/external-view.ts';
import type { HitTier, ObjectAnswer, ObjectHit, ObjectQuery } from '../../../../src/engine/objects/types.ts';
import { tierFactors } from '../../../../src/engine/objects/weights.ts';
import { propertyRuns } from '../../../helpers/draw.ts';
import { documentArbitrary, queryArbitrary } from '../arbitraries.ts';
import { indexOf, makeDocument, makeQuery } from '../fixtures.ts';

type StatedHit = ArrangedHit & Pick<ObjectHit, 'lang' | 'provider'>;
const unfiltered = { filters: {}, facts: statedFacts };

const hit = (tier: HitTier, relevance: number, changes: Partial<StatedHit> = {}): StatedHit => {
  const lang = tier === 'other-language' ? 'en' : 'fr';
  return { rank: relevance * tierFactors[tier], tier, lang, provider: `${tier}-${relevance}`, ...changes };
};
const arrange = (hits: readonly StatedHit[], filters: ObjectQuery['filters'] = {}) =>
  arrangeHits(hits, { filters, facts: statedFacts }).map(
    ({ tier, lang, rank }) => `${lang} ${rank / tierFactors[tier]} ${tier}`,
  );

test('what fits well in another language comes before what fits weakly, which is then only close', () => {
  const hits = [hit('fitting', 0.8), hit('fitting', 0.7), hit('other-language', 1), hit('close', 0.9)];
  const weak = `fr ${0.7 / tierFactors.close} close`;
  expect(arrange(hits)).toEqual(['fr 0.8 fitting', 'en 1 other-language', weak, 'fr 0.9 close']);
});

test('English comes before other foreign languages that fit as well', () => {
  const [german, english] = [hit('other-language', 1, { lang: 'de' }), hit('other-language', 0.8)];
  expect(arrange([german, english])).toEqual(['en 0.8 other-language', 'de 1 other-language']);
  const muchBetter = hit('other-language', 1.2, { lang: 'de' });
  expect(arrange([muchBetter, english])).toEqual(['de 1.2 other-language', 'en 0.8 other-language']);
});

test('what fits weakly stays where it is, if nothing in another language fits better', () => {
  const hits = [hit('fitting', 1), hit('fitting', 0.2), hit('close', 1)];
  expect(arrange(hits)).toEqual(['fr 1 fitting', 'fr 0.2 fitting', 'fr 1 close']);
  expect(arrange([...hits.slice(0, 2), hit('other-language', 0.2)])).toHaveLength(3);
});

test('after hits that are only close, no hit fits, however many come before', () => {
  const foreign = Array.from({ length: ARRANGED + 5 }, () => hit('other-language', 1));
  const tiers = arrangeHits([hit('fitting', 0.1), ...foreign], unfiltered).map(({ tier }) => tier);
  expect(tiers.slice(ARRANGED - 2)).toEqual(['other-language', ...Array.from({ length: 7 }, () => 'close')]);
});

test('a fourth result of one provider waits for results of others that are as good', () => {
  const many = [1, 0.99, 0.98, 0.97, 0.96].map((relevance) => hit('fitting', relevance, { provider: 'many' }));
  const few = [hit('fitting', 0.9, { provider: 'few' }), hit('fitting', 0.5, { provider: 'few' })];
  const order = (filters: ObjectQuery['filters']) =>
    arrangeHits([...many, ...few], { filters, facts: statedFacts }).map(({ rank }) => rank);
  expect(order({})).toEqual([1, 0.99, 0.98, 0.9, 0.97, 0.96, 0.5]);
  const filters = { provider: { values: ['many', 'few'], strict: true } };
  expect(order(filters)).toEqual([1, 0.99, 0.98, 0.97, 0.96, 0.9, 0.5]);
});

/** The hits of consecutive pages. */
async function turnPages(search: (page: { offset: number; limit: number }) => unknown, size: number, count: number) {
  const offsets = Array.from({ length: count }, (_, page) => page * size);
  const pages = await Promise.all(offsets.map((offset) => search({ offset, limit: size })));
  return pages.flatMap((page) => (page as ObjectAnswer).hits);
}

test('four pages of five are one page of twenty', async () => {
  const documents = fc.uniqueArray(documentArbitrary(fc.string({ minLength: 1, maxLength: 3 })), {
    selector: ({ id }) => id,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(documents, queryArbitrary, async (documents, query) => {
      const index = indexOf(...documents);
      const search = (page: object) => index.search({ ...query, ...page });
      expect(await turnPages(search, 5, 4)).toEqual(await turnPages(search, 20, 1));
    }),
    propertyRuns(200),
  );
});

const ranked = fc.record({
  relevance: fc.integer({ min: 1, max: 100 }),
  tier: fc.constantFrom('fitting', 'other-language', 'close'),
  lang: fc.constantFrom('en', 'de'),
  provider: fc.constantFrom('alpha', 'beta'),
});

test('pages of hits that another engine finds agree, too, and are arranged in the same way', async () => {
  const words = indexOf(makeDocument({ id: 'python', title: 'python' })).select([])[0]!;
  await fc.assert(
    fc.asyncProperty(fc.array(ranked, { maxLength: 80 }), fc.constantFrom(5, 7, 60), async (entries, size) => {
      const hits = entries
        .map(({ relevance, tier, lang, provider }, i) => {
          const rank = relevance * tierFactors[tier];
          return {
            id: `${i}`,
            rank,
            tier,
            lang: tier === 'fitting' ? 'fr' : lang,
            provider,
            likeness: 0,
            isExact: true,
            lift: 1,
          };
        })
        .sort((a, b) => b.rank - a.rank);
      const external: ExternalObjects = {
        words: { ...words, segment: { ...words.segment, isExternal: true } },
        findTopics: async () => [],
        find: async (_plan, { offset, limit }) => {
          return { hits: hits.slice(offset, offset + limit), total: hits.length, fitting: 0 };
        },
      };
      const view = createExternalView(external, []);
      const search = (page: object) => view.search(makeQuery({ keywords: 'python', ...page }));
      const inPages = await turnPages(search, size, Math.ceil(80 / size));
      const order = (all: readonly { id: string; tier: HitTier }[]) => all.map(({ id, tier }) => `${id} ${tier}`);
      expect(order(inPages)).toEqual(order(arrangeHits(hits, unfiltered)));
    }),
    propertyRuns(200),
  );
});
