import { expect, test } from 'vitest';
import type { CatalogPart } from '../../../../src/domain/catalog.ts';
import { nothingRead, readSourceInBatches } from '../../../../src/services/catalogue/imports/read-source.ts';
import { sourceOf } from './import-samples.ts';

const { signal } = new AbortController();
const part: CatalogPart = { kind: 'provider', key: 'a', part: '', body: { id: 'a' } };

test('large parts come in smaller batches', async () => {
  const large = Array.from({ length: 30 }, (_, n) => ({
    ...part,
    key: `${n}`,
    body: { id: 'a'.repeat(250_000) },
  }));
  const batches: number[] = [];
  await readSourceInBatches(sourceOf(large), {
    from: nothingRead,
    signal,
    batchSize: 1_000,
    onBatch: async ({ parts }) => {
      batches.push(parts.length);
      return 0;
    },
  });
  expect(Math.max(...batches)).toBe(4);
  expect(batches.reduce((sum, parts) => sum + parts)).toBe(30);
});

test('an item may have any number of parts, and leave the position where it was', async () => {
  const source = {
    ...sourceOf([]),
    async *read() {
      yield {
        position: 'one',
        done: 1,
        rows: 1,
        parts: Array<CatalogPart>(200_000).fill(part),
        rejected: [],
      };
      yield { position: null, done: 0, rows: 0, parts: [part], rejected: [] };
    },
  };
  const batches: (string | null)[] = [];
  let parts = 0;
  const soFar = await readSourceInBatches(source, {
    from: nothingRead,
    signal,
    batchSize: 1,
    onBatch: async (batch, { position }) => {
      parts += batch.parts.length;
      batches.push(position);
      return 0;
    },
  });
  expect({ parts, batches, soFar }).toMatchObject({
    parts: 200_001,
    batches: ['one', 'one', 'one'],
    soFar: { position: 'one', done: 1, counts: { rows: 1 } },
  });
});
