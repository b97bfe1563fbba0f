import { expect, test } from 'vitest';
import type {
  ExternalHit,
  ExternalObjects,
  ExternalResult,
  WordsPlan,
} from '../../../../src/engine/objects/search/external-plan.ts';
import { findHitsByMeaning } from '../../../../src/engine/objects/search/rank-by-meaning.ts';
import { tierFactors } from '../../../../src/engine/objects/weights.ts';
import { createVectorRows } from '../../../../src/engine/vectors/vector-rows.ts';
import { indexOf, makeQuery } from '../fixtures.ts';

const NEAR = Float32Array.of(0, 0, 1);
const FAR = Float32Array.of(1, 0, 0);

interface Known extends Partial<ExternalHit> {
  readonly id: string;
  readonly vector: Float32Array | null;
}

/** Another engine that has found these, the best first. */
function makeElsewhere(known: readonly Known[]) {
  const pages: string[] = [];
  const elsewhere: ExternalObjects = {
    words: indexOf().select([])[0]!,
    findTopics: async () => [],
    async find(_plan, { offset, limit }): Promise<ExternalResult> {
      pages.push(`${offset}+${limit}`);
      const own = known.slice(offset, offset + limit);
      const vectors = createVectorRows(3);
      for (const { vector } of own) vectors.push(vector);
      const hits = own.map(({ vector: _, ...hit }): ExternalHit => {
        return { rank: 1, tier: 'fitting', isExact: true, lang: 'en', provider: 'alpha', likeness: 0, lift: 1, ...hit };
      });
      const fitting = hits.filter(({ tier }) => tier !== 'close').length;
      return { hits, total: known.length, fitting, vectors: vectors.finish() };
    },
  };
  return { elsewhere, pages };
}

/** What is asked is like NEAR. */
function makePlan(changes: Partial<WordsPlan> = {}): WordsPlan {
  return {
    kind: 'words',
    query: makeQuery({}),
    groups: [],
    phrases: [],
    lang: 'en',
    seed: 0,
    meaning: { vector: NEAR, usual: 0, langs: ['en', 'fr'], worth: 0.5 },
    ...changes,
  };
}

async function find(known: readonly Known[], plan: WordsPlan, page = { offset: 0, limit: 10 }) {
  const { elsewhere, pages } = makeElsewhere(known);
  const { hits, ...counts } = await findHitsByMeaning(elsewhere, plan, page);
  return { pages, ...counts, hits: hits.map(({ id, tier }) => `${id}: ${tier}`) };
}

const close = { tier: 'close', rank: 0.5 * tierFactors.close } as const;
const foreign = { tier: 'other-language', lang: 'fr', rank: tierFactors['other-language'] } as const;

test('the first hits come in the order of words and meaning; what is near fits, and what is far is not even close', async () => {
  const known: Known[] = [
    { id: 'words', rank: 1.2, vector: FAR },
    { id: 'unknown', rank: 1.1, vector: null },
    { id: 'both', vector: NEAR },
    { id: 'popular', lift: 1.25, vector: NEAR },
    { ...foreign, id: 'french', vector: NEAR },
    { ...close, id: 'near', vector: NEAR },
    { ...close, id: 'far', vector: FAR },
    { ...close, id: 'german', lang: 'de', rank: close.rank * foreign.rank, vector: NEAR },
  ];
  const found = await find(known, makePlan());
  expect(found.hits).toEqual([
    ...['popular: fitting', 'both: fitting', 'words: fitting', 'unknown: fitting', 'near: fitting'],
    ...['french: other-language', 'german: close'],
  ]);
  expect([found.total, found.fitting]).toEqual([7, 6]);
});

test('where words alone decide, nothing is asked for but the page', async () => {
  const known: Known[] = [
    { id: 'far', vector: FAR },
    { id: 'near', vector: NEAR },
  ];
  const { meaning: _, ...plan } = makePlan();
  const page = { offset: 0, limit: 2 };
  expect(await find(known, plan, page)).toMatchObject({
    pages: ['0+2'],
    hits: ['far: fitting', 'near: fitting'],
  });
});

test('pages together are the whole, each hit once, in one order', async () => {
  const known = Array.from({ length: 260 }, (_, i): Known => {
    return { id: `own-${i}`, rank: 1 - i / 1_000, vector: i % 7 === 0 ? NEAR : FAR };
  });
  const whole = await find(known, makePlan(), { offset: 0, limit: 260 });
  const pages = await Promise.all(
    [0, 60, 120, 180, 240].map((offset) => find(known, makePlan(), { offset, limit: 60 })),
  );
  expect(pages.flatMap(({ hits }) => hits)).toEqual(whole.hits);
  expect(new Set(whole.hits).size).toBe(260);
  expect(pages.at(-1)!.pages).toEqual(['240+60']);
});
