import { createHash } from 'node:crypto';
import { objectAddress } from '../../domain/object-address.ts';
import type { Quality } from '../../domain/quality.ts';
import type { FoundObject } from './results.ts';

/** An object in the list of a provider. */
export interface RankedObject {
  readonly found: FoundObject & { readonly providerId: string };
  /** Its place in that list, from 1, whatever of the list was filtered out. */
  readonly rank: number;
}

/** An object that is in the list of one provider or more. */
export interface Candidate extends RankedObject {
  readonly score: number;
  /** Ids of the providers in whose lists it is. */
  readonly lists: ReadonlySet<string>;
}

/** Several ranked lists as one. */
export interface Merge {
  /** Ids of the providers in the order that breaks ties. */
  readonly order: readonly string[];
  /** Adds what comes next in the list of a provider; gives how many of these objects no list had before. */
  add(objects: readonly RankedObject[]): number;
  /** The best object that is left, of the providers that may be. */
  findBest(mayBe: (providerId: string) => boolean): Candidate | null;
  /** Hands an object out. What is found of it from then on is ignored. */
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
export function scoreAt(rank: number, quality: Quality): number {
  return weights[quality] / (K + rank);
}

/** Merges the lists of these providers. Equal objects are one, with the sum of their scores; it stays the find of the
 *  provider that has it at the best rank. The same lists give the same order, and `seed` decides which of equally good
 *  providers comes first, so that it is not always the same one.
 *  Source: reciprocal rank fusion, Cormack, Clarke & Büttcher 2009, here weighted by quality. */
export function createMerge(providerIds: readonly string[], seed: string): Merge {
  const order = inFairOrder(providerIds, seed);
  const place = new Map(order.map((id, index) => [id, index]));
  const left = new Map<string, Candidate>();
  const taken = new Set<string>();

  function isBefore(one: Candidate, other: Candidate): boolean {
    if (one.score !== other.score) return one.score > other.score;
    if (one.rank !== other.rank) return one.rank < other.rank;
    return place.get(one.found.providerId)! < place.get(other.found.providerId)!;
  }

  function addOne({ found, rank }: RankedObject): boolean {
    const address = objectAddress(found.object.url);
    if (taken.has(address)) return false;
    const known = left.get(address);
    const one = { found, rank, score: scoreAt(rank, found.quality), lists: new Set([found.providerId]) };
    left.set(address, known === undefined ? one : unite(known, one));
    return known === undefined;
  }

  return {
    order,
    add: (objects) => objects.filter(addOne).length,
    findBest(mayBe) {
      let best: Candidate | null = null;
      for (const candidate of left.values())
        if (mayBe(candidate.found.providerId) && (best === null || isBefore(candidate, best)))
          best = candidate;
      return best;
    },
    take({ found }) {
      const address = objectAddress(found.object.url);
      left.delete(address);
      taken.add(address);
    },
    hasOf: (providerId) => [...left.values()].some(({ lists }) => lists.has(providerId)),
    countLeft: () => left.size,
  };
}

/** A provider that has the same object twice counts once. */
function unite(known: Candidate, other: Candidate): Candidate {
  const { found, rank } = other.rank < known.rank ? other : known;
  if (known.lists.has(other.found.providerId)) return { ...known, found, rank };
  return { found, rank, score: known.score + other.score, lists: new Set([...known.lists, ...other.lists]) };
}

function inFairOrder(providerIds: readonly string[], seed: string): string[] {
  const hashes = new Map(
    providerIds.map((id) => [
      id,
      createHash('sha256')
        .update(JSON.stringify([seed, id]))
        .digest('hex'),
    ]),
  );
  return [...hashes.keys()].sort((a, b) => (hashes.get(a)! < hashes.get(b)! ? -1 : 1));
}
