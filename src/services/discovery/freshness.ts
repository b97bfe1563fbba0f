import type { AnswerSource } from '../../domain/answer.ts';

const ages = { fresh: 0, cached: 1, stale: 2 } as const;

/** The less fresh of two; the older one where they are equally fresh. */
export function leastFresh(one: AnswerSource, other: AnswerSource): AnswerSource {
  const difference = ages[one.freshness] - ages[other.freshness];
  if (difference !== 0) return difference > 0 ? one : other;
  return one.answeredAt <= other.answeredAt ? one : other;
}

/** The same for whoever asked at this time: what was fresh for somebody before is not for him. */
export function freshnessAt(source: AnswerSource, askedAt: Date): AnswerSource {
  const isOlder = source.freshness === 'fresh' && source.answeredAt < askedAt;
  return isOlder ? { ...source, freshness: 'cached' } : source;
}
