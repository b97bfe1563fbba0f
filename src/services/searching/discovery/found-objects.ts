import type { Answered, AnswerSource } from '#domain/answer';
import type { SearchAnswer } from '#ports/learning-service';
import type { FoundObject } from './results.ts';

/** The objects of an answer, each with how it was found. */
export function toFoundObjects<P extends string | null>(
  { value, source }: Answered<SearchAnswer>,
  providerId: P,
): (FoundObject & { readonly providerId: P })[] {
  const { requestId, requestIds, quality, highlights, tiers } = value;
  return value.content.map((object, index) => {
    const highlight = highlights?.[index];
    const tier = tiers?.[index] ?? 'fitting';
    return {
      object,
      requestId: requestIds?.[index] ?? requestId,
      quality,
      providerId,
      source,
      ...(tier !== 'fitting' && { tier }),
      ...(highlight && { highlight }),
    };
  });
}

/** No catalogue has more learning objects; a provider that claims more is not counting. */
const MAX_TOTAL = 1_000_000_000;

/** The total that a service claims, limited to what can be true. */
export function limitFoundTotal(totalItems: number): { totalItems: number; isTotalExact: boolean } {
  return { totalItems: Math.min(totalItems, MAX_TOTAL), isTotalExact: totalItems <= MAX_TOTAL };
}

const ages = { fresh: 0, cached: 1, stale: 2 } as const;

/** The less fresh of two; the older one where they are equally fresh. */
export function pickOlderFoundSource(one: AnswerSource, other: AnswerSource): AnswerSource {
  const difference = ages[one.freshness] - ages[other.freshness];
  if (difference !== 0) return difference > 0 ? one : other;
  return one.answeredAt <= other.answeredAt ? one : other;
}

/** The same source for a later asker: what was fresh for somebody before is cached for them. */
export function toCachedSource(source: AnswerSource, askedAt: Date): AnswerSource {
  const isOlder = source.freshness === 'fresh' && source.answeredAt < askedAt;
  return isOlder ? { ...source, freshness: 'cached' } : source;
}

/** For an object or a text, besides its letters. */
const BYTES_PER_VALUE = 64;
/** For a provider's cursor, with the error it may hold. */
const BYTES_PER_CURSOR = 4_000;

/** Roughly how much memory plain data takes: two bytes a letter, and a fixed amount for each value. */
export function estimateBytesOfObjects(value: unknown): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + 2 * value.length;
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
  return Object.values(value).reduce<number>(
    (sum, each) => sum + estimateBytesOfObjects(each),
    BYTES_PER_VALUE,
  );
}

interface HeldByCursor {
  readonly bytesKept: number;
  readonly arrived: Answered<SearchAnswer> | null;
}

/** The memory of all that a search holds: what was shown, what is left to show, and pages that arrived and are not read yet. */
export function estimateSearchBytes(cursors: readonly HeldByCursor[]): number {
  return cursors.reduce(
    (sum, { bytesKept, arrived }) =>
      sum + BYTES_PER_CURSOR + bytesKept + (arrived === null ? 0 : estimateBytesOfAnswer(arrived.value)),
    0,
  );
}

function estimateBytesOfAnswer({ content, highlights }: SearchAnswer): number {
  return estimateBytesOfObjects(content) + estimateBytesOfObjects(highlights);
}
