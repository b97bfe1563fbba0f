import { z } from 'zod';
import { AppError } from '../../errors.ts';

/** More than any model has. */
const MAX_DIMENSION = 16_384;

/** One problem for a whole vector: one for each of its numbers would fill a log. */
const vector = z.custom<readonly number[]>(
  (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= MAX_DIMENSION && value.every(Number.isFinite),
  `1 to ${MAX_DIMENSION} finite numbers`,
);

const embeddings = z.object({ data: z.array(z.object({ index: z.int(), embedding: vector })) });

/** The vectors of an answer, each made to have length 1, in the order of what was sent.
 *  Errors: RESPONSE_INVALID where there are not `count` of them, where their dimensions differ, or where one has length 0.
 *  Source: OpenAI, API reference, "Create embeddings". */
export function readEmbeddings(body: unknown, count: number): readonly Float32Array[] {
  const parsed = embeddings.safeParse(body);
  if (!parsed.success) {
    const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
    throw invalid(`has at ${path.join('.') || 'its top'} not what is expected (${message})`);
  }
  const { data } = parsed.data;
  if (data.length !== count) throw invalid(`has ${data.length} vectors for ${count} texts`);
  const sorted = data.toSorted((a, b) => a.index - b.index);
  if (sorted.some(({ index }, place) => index !== place))
    throw invalid('does not say which vector is of which text');
  const [first] = sorted;
  if (sorted.some(({ embedding }) => embedding.length !== first?.embedding.length))
    throw invalid('has vectors of several dimensions');
  return sorted.map(({ embedding }) => toUnitLength(embedding));
}

function toUnitLength(numbers: readonly number[]): Float32Array {
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  if (length === 0 || !Number.isFinite(length)) throw invalid(`has a vector of length ${length}`);
  return Float32Array.from(numbers, (number) => number / length);
}

function invalid(what: string): AppError {
  return new AppError(
    'RESPONSE_INVALID',
    `The answer of the embedding service ${what}. Check EMBEDDINGS_URL and EMBEDDINGS_MODEL.`,
    { data: { operation: 'embeddings' } },
  );
}
