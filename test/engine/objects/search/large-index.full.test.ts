import { beforeAll, expect, test } from 'vitest';
import { createObjectIndex, type ObjectIndex } from '../../../../src/engine/objects/object-index.ts';
import { ENOUGH_FITTING, LARGE } from '../../../../src/engine/objects/weights.ts';
import { makeDocument, makeQuery } from '../fixtures.ts';

const NEAR = Float32Array.of(0, 0, 1);
const OTHER = Float32Array.of(0, 1, 0);
const BATCH = 20_000;

const few = 'quarrel';
const many = 'argument';

let index: ObjectIndex;

// More than LARGE documents take some seconds to index.
beforeAll(() => {
  index = createObjectIndex();
  const titleOf = (i: number) => (i < ENOUGH_FITTING ? many : i < 2 * ENOUGH_FITTING - 1 ? few : 'roses');
  for (let from = 0; from < LARGE; from += BATCH)
    index.put(
      Array.from({ length: BATCH }, (_, k) =>
        makeDocument({ id: `other-${from + k}`, title: titleOf(from + k), vector: OTHER }),
      ),
    );
  index.put([makeDocument({ id: 'near', title: 'settling a dispute', vector: NEAR })]);
});

function search(keywords: string) {
  const query = makeQuery({ keywords, limit: 50 });
  const answer = index.search({ ...query, meaning: { encode: () => NEAR, langs: ['en'] } });
  return {
    total: answer.total,
    close: answer.hits.filter(({ tier }) => tier === 'close').map(({ id }) => id),
  };
}

test('a large catalogue finds near documents where words find few fitting ones', () => {
  expect(search(few)).toEqual({ total: ENOUGH_FITTING, close: ['near'] });
  expect(search('zzzzzz')).toEqual({ total: 1, close: ['near'] });
});

test('a large catalogue reads no vectors where words find enough', () => {
  expect(search(many)).toEqual({ total: ENOUGH_FITTING, close: [] });
});
