import { createHash } from 'node:crypto';
import type { Quality } from '#domain/answer';
import type { FoundObject } from './results.ts';

/** An object in the list of a provider. */
export interface RankedObject {
  readonly found: FoundObject & { readonly providerId: string };
  /** As `normalizeObjectAddress` gives it. */
  readonly address: string;
  /** Its place in that list, from 1, counting also what was filtered out. */
  readonly rank: number;
}

/** An object from the lists of one or more providers. */
export interface Candidate extends RankedObject {
  readonly score: number;
  /** Ids of the providers that list it. */
  readonly lists: ReadonlySet<string>;
}

/** Several ranked lists as one. */
export interface Merge {
  /** Ids of the providers in the order that breaks ties. */
  readonly order: readonly string[];
  /** Adds the next part of a provider's list; returns how many of its objects were new to all lists. */
  add(objects: readonly RankedObject[]): number;
  /** The best object that is left, of the providers that may be. */
  findBest(mayBe: (providerId: string) => boolean): Candidate | null;
  /** Hands an object out. Later finds of it are ignored. */
  take(candidate: Candidate): void;
  /** Whether an object of this provider's list is left. */
  hasOf(providerId: string): boolean;
  /** How many objects are left. */
  countLeft(): number;
}

/** Softens how much the first ranks outweigh the next ones: the value of Cormack, Clarke & Büttcher. */
const K = 60;

/** A loose list counts half: its first object comes after the first sixty of an exact list, and with them where a second
 *  loose list has it as well. A list that claims to have nothing counts for nothing. */
const weights: Readonly<Record<Quality, number>> = { A00: 1, B00: 0.5, C00: 0 };

/** What a list gives the object that it has at this rank. */
export function scoreMergedRank(rank: number, quality: Quality): number {
  return weights[quality] / (K + rank);
}

/** Merges the lists of these providers. Equal objects are one, with the sum of their scores; it stays the find of the
 *  provider that has it at the best rank. The same lists give the same order, and `seed` decides which of equally good
 *  providers comes first, so that it is not always the same one.
 *  Source: reciprocal rank fusion, Cormack, Clarke & Büttcher 2009, here weighted by quality. */
export function createMerge(providerIds: readonly string[], seed: string): Merge {
  const order = inFairOrder(providerIds, seed);
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
    const known = left.get(address);
    const one = {
      ...object,
      score: scoreMergedRank(rank, found.quality),
      lists: new Set([found.providerId]),
    };
    if (known !== undefined) remove(known);
    put(known === undefined ? one : unite(known, one));
    return known === undefined;
  }

  return {
    order,
    add: (objects) => objects.filter(addOne).length,
    findBest(mayBe) {
      let best: Candidate | null = null;
      for (const [id, pile] of piles) {
        const candidate = mayBe(id) ? pile.findBest() : null;
        if (candidate !== null && (best === null || isBefore(candidate, best))) best = candidate;
      }
      return best;
    },
    take(candidate) {
      remove(candidate);
      taken.add(candidate.address);
    },
    hasOf: (providerId) => (countsLeft.get(providerId) ?? 0) > 0,
    countLeft: () => left.size,
  };
}

/** The finds of one provider that are left. */
interface Pile {
  add(candidate: Candidate): void;
  remove(candidate: Candidate): void;
  findBest(): Candidate | null;
}

/** Each pile remembers its best object, as choosing one changes only one pile of many. */
function createPile(isBefore: (one: Candidate, other: Candidate) => boolean): Pile {
  const candidates = new Set<Candidate>();
  let best: Candidate | null = null;
  const keepBetter = (candidate: Candidate) => {
    if (best === null || isBefore(candidate, best)) best = candidate;
  };
  return {
    add(candidate) {
      candidates.add(candidate);
      keepBetter(candidate);
    },
    remove(candidate) {
      candidates.delete(candidate);
      if (candidate !== best) return;
      best = null;
      for (const other of candidates) keepBetter(other);
    },
    findBest: () => best,
  };
}

/** A provider that has the same object twice counts once. */
function unite(known: Candidate, other: Candidate): Candidate {
  const better = other.rank < known.rank ? other : known;
  if (known.lists.has(other.found.providerId)) return { ...better, score: known.score, lists: known.lists };
  const lists = new Set([...known.lists, ...other.lists]);
  return { ...better, score: known.score + other.score, lists };
}

function inFairOrder(providerIds: readonly string[], seed: string): string[] {
  const hashOf = (id: string) =>
    createHash('sha256')
      .update(JSON.stringify([seed, id]))
      .digest('hex');
  return [...new Set(providerIds)]
    .map((id) => ({ id, hash: hashOf(id) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ id }) => id);
}
