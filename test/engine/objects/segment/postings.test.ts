import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBitset, setBit } from '../../../../src/engine/bitset.ts';
import { createAccumulator, createAccumulatorCursor } from '../../../../src/engine/objects/search/accumulator.ts';
import {
  CHUNK,
  countPostings,
  countPostingsIn,
  createPostingReader,
  createPostingsWriter,
  findPostingImpact,
  hasPostingIn,
  listPostingDocuments,
  makePostingList,
  openPostings,
} from '../../../../src/engine/objects/segment/postings.ts';
import { propertyRuns } from '../../../helpers/draw.ts';

const DOCUMENTS = 4 * CHUNK;
/** By document, its impact; near the borders of chunks, in dense stretches and far from each
 *  other. */
const list = fc
  .array(
    fc.record({
      first: fc.oneof(
        fc.nat(DOCUMENTS - 1),
        fc.integer({ min: 0, max: 15 }).map((n) => Math.floor((n * CHUNK) / 4)),
      ),
      length: fc.oneof(fc.constant(1), fc.nat(300)),
      step: fc.integer({ min: 1, max: 3 }),
      impact: fc.integer({ min: 1, max: 250 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((runs) => {
    const impacts = new Map<number, number>();
    for (const { first, length, step, impact } of runs) {
      for (let i = 0; i <= length; i++) {
        const doc = first + i * step;
        if (doc < DOCUMENTS) impacts.set(doc, impact + (i % 5));
      }
    }
    return [...impacts].sort(([a], [b]) => a - b);
  });

const setOf = (docs: readonly number[]) => {
  const set = createBitset(DOCUMENTS);
  for (const doc of docs) setBit(set, doc);
  return set;
};

test('reads back lists over any chunks', () => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 4 }), list, (lists, other) => {
      const writer = createPostingsWriter();
      for (const one of lists) {
        for (const [doc, impact] of one) writer.push(doc, impact);
        expect(writer.endList()).toBe(true);
      }
      expect(writer.endList()).toBe(false);
      const postings = writer.finish();
      const alone = makePostingList(
        Uint32Array.from(other, ([doc]) => doc),
        Uint8Array.from(other, ([, impact]) => impact),
      );
      for (const [l, one] of [...lists, other].entries()) {
        const opened = l < lists.length ? openPostings(postings, l) : alone;
        const impactOf = new Map(one);
        expect([...listPostingDocuments(opened)]).toEqual([...impactOf.keys()]);
        expect(countPostings(opened)).toBe(one.length);
        const read = createPostingReader(opened);
        for (const [doc] of other) {
          expect(read(doc)).toBe(impactOf.get(doc) ?? 0);
          expect(findPostingImpact(opened, doc)).toBe(impactOf.get(doc) ?? 0);
        }
        const shared = other.filter(([doc]) => impactOf.has(doc)).length;
        expect(countPostingsIn(opened, setOf(other.map(([doc]) => doc)))).toBe(shared);
        expect(hasPostingIn(opened, setOf(other.map(([doc]) => doc)))).toBe(shared > 0);
      }
    }),
    propertyRuns(60),
  );
});

test('scores like a plain scan, over the borders of chunks', () => {
  const groups = fc.array(fc.array(list, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
  const accumulators = [1 << 5, 1 << 14, CHUNK].map((block) => createAccumulator(block));
  fc.assert(
    fc.property(groups, list, fc.boolean(), (words, some, isStrict) => {
      const allowed = setOf(some.map(([doc]) => doc));
      const expected = scan(words, new Set(some.map(([doc]) => doc)), isStrict);
      for (const accumulator of accumulators) {
        const cursors = words.map((lists, g) =>
          lists.map((one, l) => {
            const [docs, impacts] = [one.map(([doc]) => doc), one.map(([, impact]) => impact)];
            return createAccumulatorCursor(
              makePostingList(Uint32Array.from(docs), Uint8Array.from(impacts)),
              10 + g + l,
            );
          }),
        );
        const found = new Map<number, number>();
        const next = () => Math.min(...cursors.flat().map((cursor) => cursor.next));
        const { block, scores } = accumulator;
        for (let doc = next(); doc < DOCUMENTS; doc = next()) {
          const start = Math.floor(doc / block) * block;
          accumulator.begin(start);
          for (const [g, own] of cursors.entries()) accumulator.addGroup(own, g === 0 || !isStrict ? allowed : 'all');
          const { list: places, count } = accumulator.matches;
          for (const place of places.subarray(0, count)) found.set(start + place, scores[place * 2]!);
        }
        expect([...found].sort(([a], [b]) => a - b)).toEqual(expected);
      }
    }),
    propertyRuns(20),
  );
});

/** Each document's sum of the best of each group; strictly, of those with all groups. */
function scan(
  words: readonly (readonly (readonly (readonly number[])[])[])[],
  allowed: ReadonlySet<number>,
  isStrict: boolean,
): [number, number][] {
  const best = words.map((lists, g) => {
    const own = new Map<number, number>();
    for (const [l, one] of lists.entries()) {
      for (const [doc, impact] of one as [number, number][])
        if (allowed.has(doc)) own.set(doc, Math.max(own.get(doc) ?? 0, impact * (10 + g + l)));
    }
    return own;
  });
  return [...new Set(best.flatMap((own) => [...own.keys()]))]
    .filter((doc) => !isStrict || best.every((own) => own.has(doc)))
    .sort((a, b) => a - b)
    .map((doc) => [doc, best.reduce((sum, own) => sum + (own.get(doc) ?? 0), 0)]);
}
