import { hash } from 'node:crypto';
import type { Quality } from '#domain/answer';
import type { LearningObjectHit } from './results.ts';

export interface RankedObject {
  readonly hit: LearningObjectHit & { readonly providerId: string };
  /** Normalized address of the object. */
  readonly address: string;
  /** Its place in the list of the provider, from 1, counting objects that filters refuse. */
  readonly rank: number;
}

export interface Candidate extends RankedObject {
  readonly score: number;
  /** IDs of the providers that list it. */
  readonly lists: ReadonlySet<string>;
}

export interface Merge {
  /** IDs of the providers in the order that breaks ties. */
  readonly order: readonly string[];
  /** The remaining objects by provider. */
  readonly piles: ReadonlyMap<string, Pile>;
  /** The remaining objects by address. */
  readonly left: Map<string, Candidate>;
  /** Addresses of the objects that were taken. */
  readonly taken: Set<string>;
  /** Number of remaining objects in each provider's list. */
  readonly countsLeft: Map<string, number>;
}

type Pile = { readonly candidates: Set<Candidate>; best: Candidate | null };

/** Limits how much the first ranks outweigh the next: the value of Cormack, Clarke & Büttcher. */
const K = 60;

/** A loose list counts half: its first object comes after sixty of an exact list, and among them
 *  where a second loose list has it. A list that claims to be empty counts for nothing. */
const weights: Readonly<Record<Quality, number>> = { A00: 1, B00: 0.5, C00: 0 };
/** Returns the score of an object at this rank of a list. */
export const scoreMergedRank = (rank: number, quality: Quality): number => weights[quality] / (K + rank);

/** Begins to merge lists of providers. Equal objects become one with the sum of their scores, which
 *  counts for the provider with the best rank. The same lists give the same order.
 *  @param seed breaks ties between providers, so that the same one is not always first
 *  Source: reciprocal rank fusion, Cormack, Clarke & Büttcher 2009, here weighted by quality. */
export function createMerge(providerIds: readonly string[], seed: string): Merge {
  const order = [...new Set(providerIds)]
    .map((id) => ({ id, digest: hash('sha256', JSON.stringify([seed, id])) }))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
    .map(({ id }) => id);
  const piles = new Map(order.map((id): [string, Pile] => [id, { candidates: new Set(), best: null }]));
  return { order, piles, left: new Map(), taken: new Set(), countsLeft: new Map() };
}

/** Adds the next part of a provider's list. @returns how many objects are new to all lists */
export function mergeObjects(merge: Merge, objects: readonly RankedObject[]): number {
  return objects.filter((object) => mergeObject(merge, object)).length;
}

function mergeObject(merge: Merge, object: RankedObject): boolean {
  const { hit, rank, address } = object;
  if (merge.taken.has(address)) return false;
  const existing = merge.left.get(address);
  const candidate = { ...object, score: scoreMergedRank(rank, hit.quality), lists: new Set([hit.providerId]) };
  if (existing === undefined) {
    putMergeCandidate(merge, candidate);
    return true;
  }
  removeMergeCandidate(merge, existing);
  putMergeCandidate(merge, mergeCandidates(existing, candidate));
  return false;
}

/** Returns the best remaining object of the providers for which `isAllowed` is true. */
export function findBestLeft(merge: Merge, isAllowed: (providerId: string) => boolean): Candidate | null {
  let best: Candidate | null = null;
  for (const [id, pile] of merge.piles) if (isAllowed(id)) best = pickBetter(merge, best, pile.best);
  return best;
}

export function takeMergeCandidate(merge: Merge, candidate: Candidate): void {
  removeMergeCandidate(merge, candidate);
  merge.taken.add(candidate.address);
}

/** Returns whether an object of this provider's list remains. */
export const isListLeft = ({ countsLeft }: Merge, providerId: string): boolean => (countsLeft.get(providerId) ?? 0) > 0;

function putMergeCandidate(merge: Merge, candidate: Candidate): void {
  merge.left.set(candidate.address, candidate);
  countListsToMerge(merge, candidate, 1);
  const pile = merge.piles.get(candidate.hit.providerId);
  pile?.candidates.add(candidate);
  if (pile) pile.best = pickBetter(merge, pile.best, candidate);
}

function removeMergeCandidate(merge: Merge, candidate: Candidate): void {
  merge.left.delete(candidate.address);
  countListsToMerge(merge, candidate, -1);
  const pile = merge.piles.get(candidate.hit.providerId);
  pile?.candidates.delete(candidate);
  if (pile?.best !== candidate) return;
  pile.best = null;
  for (const remaining of pile.candidates) pile.best = pickBetter(merge, pile.best, remaining);
}

function countListsToMerge({ countsLeft }: Merge, { lists }: Candidate, change: 1 | -1): void {
  for (const id of lists) countsLeft.set(id, (countsLeft.get(id) ?? 0) + change);
}

function pickBetter({ order }: Merge, a: Candidate | null, b: Candidate | null): Candidate | null {
  if (a === null || b === null) return a ?? b;
  const placeOf = ({ hit }: Candidate) => order.indexOf(hit.providerId);
  const difference = b.score - a.score || a.rank - b.rank || placeOf(a) - placeOf(b);
  return difference > 0 ? b : a;
}

/** A provider that has the same object twice counts once. */
function mergeCandidates(existing: Candidate, added: Candidate): Candidate {
  const better = added.rank < existing.rank ? added : existing;
  if (existing.lists.has(added.hit.providerId)) return { ...better, score: existing.score, lists: existing.lists };
  const lists = new Set([...existing.lists, ...added.lists]);
  return { ...better, score: existing.score + added.score, lists };
}
