import type { WindowContent } from './read-text.ts';
import { wordMarks } from './word-scanner.ts';

/** The words of a text that speak for a label, as they stand in one clause. */
export interface Evidence {
  /** Places in the content of the window, both inclusive. */
  readonly first: number;
  readonly last: number;
  /** The distinct terms of the label that are there. */
  readonly found: readonly number[];
  /** The distinct terms of the label. */
  readonly termCount: number;
  /** Their share of its weight. */
  readonly share: number;
  /** Words between them that are not of the label; function words do not count. */
  readonly between: number;
  /** Commas between them. */
  readonly commas: number;
  /** They come in the order in which the label has them. */
  readonly isInOrder: boolean;
}

/** Of a label that is not there as a whole, so much of its weight must be. */
export const LEAST_SHARE = 0.8;
/** Words that may stand between those of a label, in its order and in the other. */
const MOST_BETWEEN = 2;
const MOST_BETWEEN_SWAPPED = 1;
/** What a comma between the words of a label costs, in words. */
const COMMA_COST = 2;

/** Where most of a label stands together: in one clause, and there as closely as it can.
 *  @param marks by word of the text
 *  @param weights by term
 *  @return null where no clause has any of it */
export function findEvidence(
  label: readonly number[],
  { content, marks, weights }: { content: WindowContent; marks: Uint8Array; weights: Float32Array },
): Evidence | null {
  let best: Evidence | null = null;
  let bestWorth = 0;
  const all = sumOf(weights, label);
  const { terms, places } = content;
  let from = findAny(label, terms, 0);
  while (from < terms.length) {
    const to = findClauseEnd(places, marks, from);
    const found = label.filter((term) => isAmong(terms, term, from, to));
    const share = sumOf(weights, found) / all;
    const placement = findClosest(found, { content, marks, from, to, label });
    const cost = costOf(placement);
    const worth = share - cost / 1000;
    if (worth > bestWorth) {
      // Spelt out: spreading into a longer object takes longer than all the rest.
      const { first, last, between, commas, isInOrder } = placement;
      best = { first, last, found, termCount: label.length, share, between, commas, isInOrder };
      bestWorth = worth;
    }
    // Nothing is better than all of it side by side.
    if (cost === 0 && found.length === label.length) break;
    from = findAny(label, terms, to);
  }
  return best;
}

/** Whether the words stand together as a language allows: only English also says `planning of routes` for `route planning`. */
export function isTogether(
  { commas, found, termCount, share, between, isInOrder }: Evidence,
  isEnglish: boolean,
): boolean {
  if (commas > 0) return false;
  if (found.length < termCount) return found.length > 1 && share >= LEAST_SHARE && between === 0 && isInOrder;
  return isInOrder ? between <= MOST_BETWEEN : isEnglish && between <= MOST_BETWEEN_SWAPPED;
}

/** @return where a term of the label stands, from a place on; the end where none does */
function findAny(label: readonly number[], terms: readonly number[], from: number): number {
  let at = from;
  while (at < terms.length && !label.includes(terms[at]!)) at++;
  return at;
}

/** @return the first place after the clause */
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
  /** Where the first term of the label stands. */
  readonly from: number;
  readonly to: number;
  readonly label: readonly number[];
}

/** The shortest stretch of a clause that has all of these terms of a label. */
function findClosest(found: readonly number[], clause: Clause): Placement {
  const { from, to, content } = clause;
  if (found.length === 1) return { first: from, last: from, between: 0, commas: 0, isInOrder: true };
  const latest = found.map(() => -1);
  let best: Placement | null = null;
  for (let at = from; at < to; at++) {
    const which = found.indexOf(content.terms[at]!);
    if (which < 0) continue;
    latest[which] = at;
    if (latest.includes(-1)) continue;
    const placement = describe(latest, clause);
    if (best === null || costOf(placement) < costOf(best)) best = placement;
    if (costOf(best) === 0) break;
  }
  return best!;
}

/** @param at places of the terms, in the order of the label */
function describe(at: readonly number[], { content, marks, label }: Clause): Placement {
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

function costOf({ between, commas, isInOrder }: Placement): number {
  return between + COMMA_COST * commas + (isInOrder ? 0 : 1);
}

function isAmong(terms: readonly number[], term: number, from: number, to: number): boolean {
  const at = terms.indexOf(term, from);
  return at >= 0 && at < to;
}

function sumOf(weights: Float32Array, label: readonly number[]): number {
  return label.reduce((sum, term) => sum + weights[term]!, 0);
}
