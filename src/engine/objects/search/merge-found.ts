import { hashString } from '#engine/hash';
import { type Facets, type TopicCount, valueFields } from '../types.ts';

interface Ranked {
  readonly id: string;
  readonly rank: number;
}

type Topics = ReadonlyMap<string, TopicCount> | undefined;

/** Hits of two engines as one list, in the order of one. */
export function mergeHits<T extends Ranked>(here: readonly T[], there: readonly T[]): T[] {
  if (here.length === 0) return [...there];
  const keyed = [...here, ...there].map((hit) => ({ hit, tie: hashString(hit.id) }));
  return keyed.sort((a, b) => b.hit.rank - a.hit.rank || a.tie - b.tie).map(({ hit }) => hit);
}

export function mergeFacets(here: Facets | undefined, there: Facets): Facets {
  if (here === undefined) return there;
  const merged = valueFields.map((field) => {
    const counts = new Map(there[field]);
    for (const [value, count] of here[field]) counts.set(value, (counts.get(value) ?? 0) + count);
    return [field, counts] as const;
  });
  return Object.fromEntries(merged) as unknown as Facets;
}

export function mergeTopics(here: Topics, there: Topics) {
  if (there === undefined) return undefined;
  const counts = new Map(there);
  for (const [id, { all, preferred }] of here ?? []) {
    const known = counts.get(id) ?? { all: 0, preferred: 0 };
    counts.set(id, { all: known.all + all, preferred: known.preferred + preferred });
  }
  return counts;
}
