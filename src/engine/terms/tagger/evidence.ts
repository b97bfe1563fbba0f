import type { WindowContent } from './read-text.ts';
import { wordMarks } from './word-scanner.ts';

/** The words of a label in a clause. */
export interface Evidence {
  /** The range of the words, as places in the content of the window, both inclusive. */
  readonly first: number;
  readonly last: number;
  /** The terms of the label that the clause has. */
  readonly matched: readonly number[];
  /** The number of terms of the label. */
  readonly termCount: number;
  /** The share of the label's weight that the clause has. */
  readonly share: number;
  /** Missing terms are the first, which names an action, or weigh less than each matched one. */
  readonly lacksOnlyMinor: boolean;
  /** The number of other words in the range; function words do not count. */
  readonly between: number;
  readonly commas: number;
  readonly isInOrder: boolean;
}

/** The minimum share of the weight of a label that a text must have. */
export const MIN_SHARE = 0.8;
/** The most words between those of a label, in its order and in another order. */
const MAX_BETWEEN = 2;
const MAX_BETWEEN_SWAPPED = 1;
/** A comma between the words of a label counts like this many words. */
const COMMA_COST = 2;

/** Finds the clause that has most of a label, and the closest group of its words there.
 *  @param label distinct terms @param marks by word of the text @param weights by term
 *  @returns null if no clause has any term */
export function findEvidence(
  label: readonly number[],
  { content, marks, weights }: { content: WindowContent; marks: Uint8Array; weights: Float32Array },
): Evidence | null {
  let best: Evidence | null = null;
  let bestWorth = 0;
  const labelWeight = sumWeights(weights, label);
  const { terms, places } = content;
  let from = findNextTerm(label, terms, 0);
  while (from < terms.length) {
    const to = findClauseEnd(places, marks, from);
    const matched = label.filter((term) => isAmong(terms, term, from, to));
    const share = sumWeights(weights, matched) / labelWeight;
    const placement = findClosestPlacement(matched, { content, marks, from, to, label });
    const cost = measureCost(placement);
    const worth = share - cost / 1000;
    if (worth > bestWorth) {
      // A spread would take longer than all the rest.
      const { first, last, between, commas, isInOrder } = placement;
      const lacksOnlyMinor = matched.length === label.length || lacksMinor(label, matched, weights);
      best = { first, last, matched, termCount: label.length, share, lacksOnlyMinor, between, commas, isInOrder };
      bestWorth = worth;
    }
    // Nothing is better than the whole label in a row.
    if (cost === 0 && matched.length === label.length) break;
    from = findNextTerm(label, terms, to);
  }
  return best;
}

function lacksMinor(label: readonly number[], matched: readonly number[], weights: Float32Array): boolean {
  const lightest = Math.min(...matched.map((term) => weights[term]!));
  return label.every((term, i) => i === 0 || matched.includes(term) || weights[term]! < lightest);
}

/** Tells whether the words are close enough to mean the label. Only English also swaps them:
 *  `planning of routes` for `route planning`. */
export function isTogether(evidence: Evidence, isEnglish: boolean): boolean {
  const { commas, matched, termCount, share, lacksOnlyMinor, between, isInOrder } = evidence;
  if (commas > 0) return false;
  if (matched.length < termCount)
    return matched.length > 1 && share >= MIN_SHARE && lacksOnlyMinor && between === 0 && isInOrder;
  return isInOrder ? between <= MAX_BETWEEN : isEnglish && between <= MAX_BETWEEN_SWAPPED;
}

function findNextTerm(label: readonly number[], terms: readonly number[], from: number): number {
  let at = from;
  while (at < terms.length && !label.includes(terms[at]!)) at++;
  return at;
}

function findClauseEnd(places: readonly number[], marks: Uint8Array, from: number): number {
  for (let at = from + 1; at < places.length; at++) {
    for (let place = places[at - 1]! + 1; place <= places[at]!; place++) {
      if ((marks[place]! & wordMarks.clause) !== 0) return at;
    }
  }
  return places.length;
}

type Placement = Pick<Evidence, 'first' | 'last' | 'between' | 'commas' | 'isInOrder'>;

interface Clause {
  readonly content: WindowContent;
  readonly marks: Uint8Array;
  /** Place of the first term of the label. */
  readonly from: number;
  readonly to: number;
  readonly label: readonly number[];
}

function findClosestPlacement(matched: readonly number[], clause: Clause): Placement {
  const { from, to, content } = clause;
  if (matched.length === 1) return { first: from, last: from, between: 0, commas: 0, isInOrder: true };
  const latest = matched.map(() => -1);
  let best: Placement | null = null;
  for (let at = from; at < to; at++) {
    const index = matched.indexOf(content.terms[at]!);
    if (index < 0) continue;
    latest[index] = at;
    if (latest.includes(-1)) continue;
    const placement = describePlacement(latest, clause);
    if (best === null || measureCost(placement) < measureCost(best)) best = placement;
    if (measureCost(best) === 0) break;
  }
  return best!;
}

/** @param at the places of the terms, in the order of the label */
function describePlacement(at: readonly number[], { content, marks, label }: Clause): Placement {
  const first = Math.min(...at);
  const last = Math.max(...at);
  let commas = 0;
  for (let place = content.places[first]! + 1; place <= content.places[last]!; place++) {
    if ((marks[place]! & wordMarks.comma) !== 0) commas++;
  }
  let between = 0;
  for (let place = first; place <= last; place++) if (!label.includes(content.terms[place]!)) between++;
  const isInOrder = at.every((place, i) => i === 0 || at[i - 1]! < place);
  return { first, last, between, commas, isInOrder };
}

function measureCost({ between, commas, isInOrder }: Placement): number {
  return between + COMMA_COST * commas + (isInOrder ? 0 : 1);
}

function isAmong(terms: readonly number[], term: number, from: number, to: number): boolean {
  const at = terms.indexOf(term, from);
  return at >= 0 && at < to;
}

function sumWeights(weights: Float32Array, label: readonly number[]): number {
  return label.reduce((sum, term) => sum + weights[term]!, 0);
}
