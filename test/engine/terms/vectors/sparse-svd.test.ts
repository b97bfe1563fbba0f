import { expect, it } from 'vitest';
import { embedSparseColumns } from '../../../../src/engine/terms/vectors/sparse-svd.ts';

/** Rows of a dense matrix in CSR. */
function sparse(rows: readonly (readonly number[])[]) {
  const cells = rows.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [{ column, value }])));
  const start = new Uint32Array(rows.length + 1);
  for (const [i, row] of cells.entries()) start[i + 1] = start[i]! + row.length;
  return {
    start,
    columns: Uint32Array.from(cells.flat(), ({ column }) => column),
    values: Float32Array.from(cells.flat(), ({ value }) => value),
    columnCount: rows[0]!.length,
  };
}

const rows = [
  [1, 2, 0, 0],
  [2, 3, 0, 0],
  [0, 0, 1, 1],
  [0, 0, 2, 1],
  [1, 0, 0, 1],
];
const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, k) => sum + value * b[k]!, 0);

it('preserves lengths and angles of columns with all dimensions', () => {
  const dim = 4;
  const found = embedSparseColumns(sparse(rows), dim);
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 4; j++) {
      const own = [...found.subarray(i * dim, (i + 1) * dim)];
      const other = [...found.subarray(j * dim, (j + 1) * dim)];
      const wanted = product(
        rows.map((row) => row[i]!),
        rows.map((row) => row[j]!),
      );
      expect(product(own, other), `${i} ${j}`).toBeCloseTo(wanted, 2);
    }
  }
});

it('embeds a matrix of low rank, with the same numbers each time', () => {
  const found = embedSparseColumns(sparse([[1, 2, 0, 0]]), 8);
  expect(found).toHaveLength(32);
  expect(found.every(Number.isFinite)).toBe(true);
  expect(embedSparseColumns(sparse([[1, 2, 0, 0]]), 8)).toEqual(found);
});
