/** CSR by row: the columns that are not zero, and their values. */
export interface SparseRows {
  readonly start: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
  readonly columnCount: number;
}

/** A few passes suffice, as the weakest dimensions hardly matter. */
const PASSES = 3;
/** Dimensions with a smaller square are only rounding errors. */
const MIN_SQUARE = 1e-9;

/** Embeds the columns of a matrix into the space of its `dim` strongest dimensions: V·S of the
 *  truncated singular value decomposition, up to a rotation, which does not change angles. Shape:
 *  `columnCount × dim`, row by row; equal on every host. Source: randomized subspace iteration,
 *  Halko, Martinsson & Tropp 2011, algorithm 4.4. */
export function embedSparseColumns(matrix: SparseRows, dim: number): Float32Array {
  let basis = makeStartBasis(matrix.columnCount * dim);
  let product = basis;
  for (let pass = 0; pass < PASSES; pass++) {
    basis = product;
    orthonormalize(basis, dim);
    product = multiplyTwice(matrix, basis, dim);
  }
  return multiplyInverse(product, decomposeCholesky(basis, product, dim), dim);
}

/** Makes numbers from -0.5 to 0.5. Source: the generator of Numerical Recipes. */
function makeStartBasis(length: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

/** Aᵀ·(A·basis), one row of A after the other, so that A·basis is never stored. */
function multiplyTwice({ start, columns, values }: SparseRows, basis: Float32Array, dim: number): Float32Array {
  const product = new Float32Array(basis.length);
  const row = new Float32Array(dim);
  for (let r = 0; r + 1 < start.length; r++) {
    row.fill(0);
    for (let at = start[r]!; at < start[r + 1]!; at++) {
      const from = columns[at]! * dim;
      const value = values[at]!;
      for (let k = 0; k < dim; k++) row[k]! += value * basis[from + k]!;
    }
    for (let at = start[r]!; at < start[r + 1]!; at++) {
      const from = columns[at]! * dim;
      const value = values[at]!;
      for (let k = 0; k < dim; k++) product[from + k]! += value * row[k]!;
    }
  }
  return product;
}

/** Gram–Schmidt, in place; a column of zeros stays. */
function orthonormalize(basis: Float32Array, dim: number): void {
  const rows = basis.length / dim;
  const overlap = new Float64Array(dim);
  for (let k = 0; k < dim; k++) {
    overlap.fill(0);
    for (let r = 0; r < rows; r++) {
      const value = basis[r * dim + k]!;
      for (let j = 0; j < k; j++) overlap[j]! += value * basis[r * dim + j]!;
    }
    let length = 0;
    for (let r = 0; r < rows; r++) {
      let value = basis[r * dim + k]!;
      for (let j = 0; j < k; j++) value -= overlap[j]! * basis[r * dim + j]!;
      basis[r * dim + k] = value;
      length += value * value;
    }
    const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
    for (let r = 0; r < rows; r++) basis[r * dim + k]! *= scale;
  }
}

/** The upper triangular R with RᵀR = basisᵀ·product, the square of A·basis. So the columns of
 *  A·basis·R⁻¹ are orthogonal. A dimension of zeros has a zero on the diagonal. */
function decomposeCholesky(basis: Float32Array, product: Float32Array, dim: number): Float64Array {
  const upper = new Float64Array(dim * dim);
  for (let at = 0; at < basis.length; at += dim) {
    for (let i = 0; i < dim; i++) {
      for (let j = i; j < dim; j++) upper[i * dim + j]! += basis[at + i]! * product[at + j]!;
    }
  }
  for (let i = 0; i < dim; i++) {
    for (let k = 0; k < i; k++) {
      for (let j = i; j < dim; j++) upper[i * dim + j]! -= upper[k * dim + i]! * upper[k * dim + j]!;
    }
    const square = upper[i * dim + i]!;
    const scale = square > MIN_SQUARE ? 1 / Math.sqrt(square) : 0;
    for (let j = i; j < dim; j++) upper[i * dim + j]! *= scale;
  }
  return upper;
}

/** product·R⁻¹, in place, row by row. */
function multiplyInverse(product: Float32Array, upper: Float64Array, dim: number): Float32Array {
  for (let at = 0; at < product.length; at += dim) {
    for (let j = 0; j < dim; j++) {
      let value = product[at + j]!;
      for (let k = 0; k < j; k++) value -= product[at + k]! * upper[k * dim + j]!;
      product[at + j] = upper[j * dim + j] === 0 ? 0 : value / upper[j * dim + j]!;
    }
  }
  return product;
}
