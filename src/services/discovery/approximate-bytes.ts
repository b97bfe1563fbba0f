import type { SearchAnswer } from '../../ports/learning-service.ts';
import type { MergedSearch } from './merged-search.ts';

/** Of an object or a text, besides its letters. */
const BYTES_PER_VALUE = 64;
/** Of a provider's cursor, with the error it may hold. */
const BYTES_PER_CURSOR = 4_000;

/** About how much memory plain data takes: two bytes a letter, and something for each of its values. */
export function approximateBytes(value: unknown): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + 2 * value.length;
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
  return Object.values(value).reduce<number>((sum, each) => sum + approximateBytes(each), BYTES_PER_VALUE);
}

/** Of all that a search holds: what was shown, what is left to be shown, and what came and is not read yet. */
export function bytesOfSearch({ cursors }: Pick<MergedSearch, 'cursors'>): number {
  return cursors.reduce(
    (sum, { bytesKept, arrived }) =>
      sum + BYTES_PER_CURSOR + bytesKept + (arrived === null ? 0 : bytesOfAnswer(arrived.value)),
    0,
  );
}

function bytesOfAnswer({ content, highlights }: SearchAnswer): number {
  return approximateBytes(content) + approximateBytes(highlights);
}
