import type { WindowContent } from './windows.ts';
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
  const all = label.reduce((sum, term) => sum + weights[term]!, 0);
  const { terms, places } = content;
  let from = 0;
  while (from < terms.length) {
    const to = findClauseEnd(places, marks, from);
    const found = label.filter((term) => isAmong(terms, term, from, to));
    if (found.length > 0) {
      const share = found.reduce((sum, term) => sum + weights[term]!, 0) / all;
      const evidence = { ...findClosest(found, { content, marks, from, to, label }), share };
      const worth = share - costOf(evidence) / 1000;
      if (worth > bestWorth) {
        best = evidence;
        bestWorth = worth;
      }
    }
    from = to;
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

/** @return the first place after the clause */
function findClauseEnd(places: readonly number[], marks: Uint8Array, from: number): number {
  for (let at = from + 1; at < places.length; at++) {
    for (let place = places[at - 1]! + 1; place <= places[at]!; place++) {
      if ((marks[place]! & wordMarks.clause) !== 0) return at;
    }
  }
  return places.length;
}

type Placement = Omit<Evidence, 'share'>;

interface Clause {
  readonly content: WindowContent;
  readonly marks: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly label: readonly number[];
}

/** The shortest stretch of a clause that has all of these terms of a label. */
function findClosest(found: readonly number[], clause: Clause): Placement {
  const { terms } = clause.content;
  const last = new Map<number, number>();
  let best: Placement | null = null;
  for (let at = clause.from; at < clause.to; at++) {
    const term = terms[at]!;
    if (!found.includes(term)) continue;
    last.set(term, at);
    if (last.size < found.length) continue;
    const evidence = describe(last, clause, found);
    if (best === null || costOf(evidence) < costOf(best)) best = evidence;
  }
  return best!;
}

function describe(
  placeOf: ReadonlyMap<number, number>,
  { content, marks, label }: Clause,
  found: readonly number[],
): Placement {
  const at = [...placeOf.values()];
  const [first, last] = [Math.min(...at), Math.max(...at)];
  let commas = 0;
  for (let place = content.places[first]! + 1; place <= content.places[last]!; place++) {
    if ((marks[place]! & wordMarks.comma) !== 0) commas++;
  }
  let between = 0;
  for (let place = first; place <= last; place++) if (!label.includes(content.terms[place]!)) between++;
  const isInOrder = found.every((term, i) => i === 0 || placeOf.get(found[i - 1]!)! < placeOf.get(term)!);
  return { first, last, found, termCount: label.length, between, commas, isInOrder };
}

function costOf({ between, commas, isInOrder }: Placement): number {
  return between + COMMA_COST * commas + (isInOrder ? 0 : 1);
}

function isAmong(terms: readonly number[], term: number, from: number, to: number): boolean {
  const at = terms.indexOf(term, from);
  return at >= 0 && at < to;
}
