import { hash } from 'node:crypto';
import type { Quality } from '#domain/answer';
import type { LearningObjectHit } from './results.ts';

export interface RankedObject {
  readonly hit: LearningObjectHit & { readonly providerId: string };
  /** As `normalizeObjectAddress` gives it. */
  readonly address: string;
  /** Its place in that list, from 1, counting objects that filters refuse. */
  readonly rank: number;
}

export interface Candidate extends RankedObject {
  readonly score: number;
  /** Ids of the providers that list it. */
  readonly lists: ReadonlySet<string>;
}

export interface Merge {
  /** Ids of the providers in the order that breaks ties. */
  readonly order: readonly string[];
  /** The objects that are left, by provider. */
  readonly piles: ReadonlyMap<string, Pile>;
  /** The objects that are left, by address. */
  readonly left: Map<string, Candidate>;
  /** Addresses of those that were taken out. */
  readonly taken: Set<string>;
  /** How many objects of each provider's list are left. */
  readonly countsLeft: Map<string, number>;
}

type Pile = { readonly candidates: Set<Candidate>; best: Candidate | null };

/** Limits how much the first ranks outweigh the next: the value of Cormack, Clarke & Büttcher. */
const K = 60;

/** A loose list counts half: its first object comes after sixty of an exact list, and among them
 *  where a second loose list has it. A list that claims to be empty counts for nothing. */
const weights: Readonly<Record<Quality, number>> = { A00: 1, B00: 0.5, C00: 0 };
/** The score of an object at this rank of a list. */
export const scoreMergedRank = (rank: number, quality: Quality): number => weights[quality] / (K + rank);

/** Begins to merge lists of providers. Equal objects become one with the sum of their scores, which
 *  counts for the provider with the best rank. The same lists give the same order.
 *  @param seed decides ties between providers, so that it is not always the same first
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
  const one = { ...object, score: scoreMergedRank(rank, hit.quality), lists: new Set([hit.providerId]) };
  if (existing !== undefined) removeMergeCandidate(merge, existing);
  putMergeCandidate(merge, existing === undefined ? one : mergeCandidates(existing, one));
  return existing === undefined;
}

/** The best object that is left, of the providers for which `isAllowed` is true. */
export function findBestLeft(merge: Merge, isAllowed: (providerId: string) => boolean): Candidate | null {
  let best: Candidate | null = null;
  for (const [id, pile] of merge.piles) if (isAllowed(id)) best = pickBetter(merge, best, pile.best);
  return best;
}

export function takeMergeCandidate(merge: Merge, candidate: Candidate): void {
  removeMergeCandidate(merge, candidate);
  merge.taken.add(candidate.address);
}

/** Whether an object of this provider's list is left. */
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
  for (const other of pile.candidates) pile.best = pickBetter(merge, pile.best, other);
}

function countListsToMerge({ countsLeft }: Merge, { lists }: Candidate, change: 1 | -1): void {
  for (const id of lists) countsLeft.set(id, (countsLeft.get(id) ?? 0) + change);
}

function pickBetter({ order }: Merge, one: Candidate | null, other: Candidate | null): Candidate | null {
  if (one === null || other === null) return one ?? other;
  const place = ({ hit }: Candidate) => order.indexOf(hit.providerId);
  const difference = other.score - one.score || one.rank - other.rank || place(one) - place(other);
  return difference > 0 ? other : one;
}

/** A provider that has the same object twice counts once. */
function mergeCandidates(one: Candidate, other: Candidate): Candidate {
  const better = other.rank < one.rank ? other : one;
  if (one.lists.has(other.hit.providerId)) return { ...better, score: one.score, lists: one.lists };
  const lists = new Set([...one.lists, ...other.lists]);
  return { ...better, score: one.score + other.score, lists };
}
