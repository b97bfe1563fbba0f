import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addSegmentPosting,
  beginSegmentPostings,
  endSegmentDocument,
  finishSegmentPostings,
} from '../../../../src/engine/objects/segment/build-segment.ts';
import { CHUNK, createPostingsWriter, type Postings } from '../../../../src/engine/objects/segment/postings.ts';
import { encodeSnapshot } from '../../../../src/engine/snapshot.ts';
import { propertyRuns } from '../../../helpers/draw.ts';

const terms = [0, 1, 2, 3, 4];
/** So many documents with the same terms, one after the other: lists reach over several chunks. */
const stretch = fc.record({
  documents: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: CHUNK - 9, max: CHUNK + 9 })),
  terms: fc.shuffledSubarray(terms),
  impact: fc.integer({ min: 1, max: 255 }),
});

/** To compare as many numbers one by one takes seconds. */
const toBytes = (postings: Postings) =>
  Buffer.from(encodeSnapshot('postings', 1, { meta: null, sections: { ...postings } }));

test('writes the same lists as list by list, over several chunks', () => {
  fc.assert(
    fc.property(
      fc.array(stretch, { maxLength: 3 }),
      fc.shuffledSubarray(terms, { minLength: terms.length }),
      (stretches, rankOfTerm) => {
        const collected = beginSegmentPostings();
        const lists = terms.map((): [doc: number, impact: number][] => []);
        let doc = 0;
        // Each term that there is has a document.
        for (const { documents, terms: own, impact } of [...stretches, { documents: 1, terms, impact: 1 }]) {
          for (const end = doc + documents; doc < end; doc++) {
            for (const term of own) {
              addSegmentPosting(collected, term, impact);
              lists[rankOfTerm[term] as number]?.push([doc, impact]);
            }
            endSegmentDocument(collected);
          }
        }
        const writer = createPostingsWriter();
        for (const list of lists) {
          for (const [of, impact] of list) writer.push(of, impact);
          writer.endList();
        }
        const postings = finishSegmentPostings(collected, Uint32Array.from(rankOfTerm));
        expect(toBytes(postings).equals(toBytes(writer.finish()))).toBe(true);
      },
    ),
    propertyRuns(20),
  );
});
