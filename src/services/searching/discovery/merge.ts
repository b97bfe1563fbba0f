import { createHash } from 'node:crypto';
import type { Quality } from '#domain/answer';
import type { LearningObjectHit } from './results.ts';

/** An object in the list of a provider. */
export interface RankedObject {
  readonly found: LearningObjectHit & { readonly providerId: string };
  /** As `normalizeObjectAddress` gives it. */
  readonly address: string;
  /** Its place in that list, from 1, counting objects that filters refuse. */
  readonly rank: number;
}

/** An object from the lists of one or more providers. */
export interface Candidate extends RankedObject {
  readonly score: number;
  /** Ids of the providers that list it. */
  readonly lists: ReadonlySet<string>;
}

/** Several ranked lists as one. */
export type Merge = ReturnType<typeof createMerge>;

/** Limits how much the first ranks outweigh the next ones: the value of Cormack, Clarke &
 *  Büttcher. */
const K = 60;

/** A loose list counts half: its first object comes after the first sixty of an exact list, and
 *  among them where a second loose list has it as well. A list that claims to be empty counts for
 *  nothing. */
const weights: Readonly<Record<Quality, number>> = { A00: 1, B00: 0.5, C00: 0 };

/** The score of an object at this rank of a list. */
export function scoreMergedRank(rank: number, quality: Quality): number {
  return weights[quality] / (K + rank);
}

/** Merges the lists of these providers. Equal objects become one with the sum of their scores,
 *  which counts for the provider that has it at the best rank. The same lists give the same order.
 *  @param seed decides which of equally good providers comes first, so that it is not always the
 *  same
 *  Source: reciprocal rank fusion, Cormack, Clarke & Büttcher 2009, here weighted by quality. */
export function createMerge(providerIds: readonly string[], seed: string) {
  /** Ids of the providers in the order that breaks ties. */
  const order = orderBySeed(providerIds, seed);
  const place = new Map(order.map((id, index) => [id, index]));
  const placeOf = ({ found }: Candidate) => place.get(found.providerId) ?? order.length;
  const piles = new Map(order.map((id) => [id, createPile(isBefore)]));
  const left = new Map<string, Candidate>();
  const taken = new Set<string>();
  const countsLeft = new Map<string, number>();

  function isBefore(one: Candidate, other: Candidate): boolean {
    if (one.score !== other.score) return one.score > other.score;
    if (one.rank !== other.rank) return one.rank < other.rank;
    return placeOf(one) < placeOf(other);
  }

  const pileOf = ({ found }: Candidate) => piles.get(found.providerId);
  const countLists = ({ lists }: Candidate, change: 1 | -1) => {
    for (const id of lists) countsLeft.set(id, (countsLeft.get(id) ?? 0) + change);
  };

  function put(candidate: Candidate): void {
    left.set(candidate.address, candidate);
    pileOf(candidate)?.add(candidate);
    countLists(candidate, 1);
  }

  function remove(candidate: Candidate): void {
    left.delete(candidate.address);
    pileOf(candidate)?.remove(candidate);
    countLists(candidate, -1);
  }

  function addOne(object: RankedObject): boolean {
    const { found, rank, address } = object;
    if (taken.has(address)) return false;
    const existing = left.get(address);
    const one = {
      ...object,
      score: scoreMergedRank(rank, found.quality),
      lists: new Set([found.providerId]),
    };
    if (existing !== undefined) remove(existing);
    put(existing === undefined ? one : unite(existing, one));
    return existing === undefined;
  }

  return {
    order,
    /** Adds the next part of a provider's list.
     *  @returns how many of its objects are new to all lists */
    add: (objects: readonly RankedObject[]) => objects.filter(addOne).length,
    /** The best object that is left, of the providers for which `isAllowed` is true. */
    findBest(isAllowed: (providerId: string) => boolean): Candidate | null {
      let best: Candidate | null = null;
      for (const [id, pile] of piles) {
        const candidate = isAllowed(id) ? pile.findBest() : null;
        if (candidate !== null && (best === null || isBefore(candidate, best))) best = candidate;
      }
      return best;
    },
    /** Takes an object out. It is ignored where it comes again. */
    take(candidate: Candidate): void {
      remove(candidate);
      taken.add(candidate.address);
    },
    /** Whether an object of this provider's list is left. */
    hasOf: (providerId: string) => (countsLeft.get(providerId) ?? 0) > 0,
    /** How many objects are left. */
    countLeft: () => left.size,
  };
}

/** Remembers its best object, as taking one changes only one pile of many. */
function createPile(isBefore: (one: Candidate, other: Candidate) => boolean) {
  const candidates = new Set<Candidate>();
  let best: Candidate | null = null;
  const keepBetter = (candidate: Candidate) => {
    if (best === null || isBefore(candidate, best)) best = candidate;
  };
  return {
    add(candidate: Candidate): void {
      candidates.add(candidate);
      keepBetter(candidate);
    },
    remove(candidate: Candidate): void {
      candidates.delete(candidate);
      if (candidate !== best) return;
      best = null;
      for (const other of candidates) keepBetter(other);
    },
    findBest: () => best,
  };
}

/** A provider that has the same object twice counts once. */
function unite(one: Candidate, other: Candidate): Candidate {
  const better = other.rank < one.rank ? other : one;
  if (one.lists.has(other.found.providerId)) return { ...better, score: one.score, lists: one.lists };
  const lists = new Set([...one.lists, ...other.lists]);
  return { ...better, score: one.score + other.score, lists };
}

function orderBySeed(providerIds: readonly string[], seed: string): string[] {
  const hashOf = (id: string) =>
    createHash('sha256')
      .update(JSON.stringify([seed, id]))
      .digest('hex');
  return [...new Set(providerIds)]
    .map((id) => ({ id, hash: hashOf(id) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ id }) => id);
}
