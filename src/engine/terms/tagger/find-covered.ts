import type { OpenTerms } from '../concept-view.ts';
import { NONE } from '../term-data.ts';
import type { RecordMatcher } from './label-records.ts';
import { findShareInWindow, isLabelInRow, recordFields, viewLabelRecordFloats } from './label-records.ts';
import type { GatheredPairs, PairGatherer } from './pair-table.ts';
import { createPairGatherer, gatherPairs, MAX_STEP, toPairStrengthStep } from './pair-table.ts';
import { MAX_WINDOW_WORDS, type WindowContent } from './read-text.ts';
import type { AddHit, LabelHit } from './tag-collector.ts';
import { weighTagWord } from './tag-weights.ts';

/** The strength below which a label is useless by now. */
export type Floor = () => number;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const noFloor: Floor = () => 0;

interface Search {
  readonly terms: OpenTerms;
  readonly pairs: PairGatherer;
  readonly matcher: RecordMatcher;
  readonly isWordInWindow: Uint8Array;
  /** The distinct terms of the window; only the first `distinctCount` are valid. */
  readonly distinct: Uint32Array;
  distinctCount: number;
  /** Passed to `add` for each label; only valid during the call. */
  readonly hit: Writable<LabelHit>;
}

/** Finds the labels of whose idf mass a window has enough, in any order. The strength of a label is
 *  the share of its mass that the window has, cubed, times the mass; a label whose stems are in a
 *  row has the whole mass and a bonus. A label can be found more than once. */
export function createCoveredLabelFinder(terms: OpenTerms) {
  const { vocabulary, coverage, lexicon } = terms;
  const { records } = coverage;
  const search: Search = {
    terms,
    pairs: createPairGatherer(coverage.pairs),
    matcher: {
      records,
      floats: viewLabelRecordFloats(records),
      isInWindow: new Uint8Array(vocabulary.idf.length),
    },
    isWordInWindow: new Uint8Array(lexicon.words.length),
    distinct: new Uint32Array(MAX_WINDOW_WORDS),
    distinctCount: 0,
    hit: { label: 0, concept: 0, role: 0, strength: 0, factor: 1, whole: false, isOneWord: false },
  };
  return (content: WindowContent, add: AddHit, floor: Floor = noFloor): void => {
    enterWindow(search, content);
    const gathered = gatherPairs(search.pairs, search.distinct, search.distinctCount, stepBelow(floor()));
    let next = 0;
    for (let turn = 0; turn < search.distinctCount; turn++) {
      const min = floor();
      findByTerm(search, search.distinct[turn]!, { content, add, min });
      next = findByPairs(search, next, { turn, gathered, content, add, minStep: stepBelow(min) });
    }
    leaveWindow(search, content);
  };
}

function enterWindow(search: Search, { words, terms: sequence }: WindowContent): void {
  const { isWordInWindow, distinct } = search;
  const { isInWindow } = search.matcher;
  search.distinctCount = 0;
  for (let at = 0; at < sequence.length; at++) {
    const term = sequence[at]!;
    if (words[at] !== NONE) isWordInWindow[words[at]!] = 1;
    if (term === NONE || isInWindow[term] === 1) continue;
    isInWindow[term] = 1;
    distinct[search.distinctCount++] = term;
  }
}

function leaveWindow({ matcher, isWordInWindow, distinct, distinctCount }: Search, content: WindowContent) {
  for (let i = 0; i < distinctCount; i++) matcher.isInWindow[distinct[i]!] = 0;
  for (const word of content.words) if (word !== NONE) isWordInWindow[word] = 0;
}

/** Labels of the term, or of whose mass it is enough. @param min the least strength to find */
function findByTerm(
  search: Search,
  term: number,
  { content, add, min }: { content: WindowContent; add: AddHit; min: number },
): void {
  const { terms, matcher, hit } = search;
  const { vocabulary, coverage } = terms;
  const { records, singles } = coverage;
  const weight = vocabulary.idf[term]! / vocabulary.maxIdf[content.lang]!;
  for (let at = singles.start[term]!, end = singles.start[term + 1]!; at < end; at++) {
    const record = singles.records[at]!;
    const mass = matcher.floats[record + recordFields.mass]!;
    const whole = records[record + recordFields.termCount] === 1;
    const strength = weighTagWord({ share: whole ? 1 : weight / mass, mass, whole, phraseMass: mass });
    // The labels of a term are sorted by strength.
    if (strength < min) return;
    if (!isNamedByWord(search, records[record + recordFields.label]!, content.inCapitals)) continue;
    hit.strength = strength;
    hit.whole = whole;
    hit.isOneWord = true;
    addRecord(search, record, add);
  }
}

/** Labels under the pairs of a term with those before it. @param from the first pair of the term
 *  @param minStep the least strength to find, as a step @returns the first pair of the next term */
function findByPairs(
  search: Search,
  from: number,
  {
    turn,
    gathered,
    content,
    add,
    minStep,
  }: { turn: number; gathered: GatheredPairs; content: WindowContent; add: AddHit; minStep: number },
): number {
  const { matcher, hit } = search;
  let at = from;
  for (; at < gathered.count && gathered.turns[at] === turn; at++) {
    if (gathered.bounds[at]! <= minStep) continue;
    const record = gathered.records[at]!;
    const share = findShareInWindow(matcher, record);
    if (share === 0) continue;
    const mass = matcher.floats[record + recordFields.mass]!;
    const whole = share === 1 && isLabelInRow(matcher, content.terms, record);
    hit.strength = weighTagWord({ share, mass, whole, phraseMass: mass });
    hit.whole = whole;
    hit.isOneWord = false;
    addRecord(search, record, add);
  }
  return at;
}

function addRecord({ terms, hit }: Search, record: number, add: AddHit): void {
  const { records } = terms.coverage;
  hit.label = records[record + recordFields.label]!;
  hit.concept = records[record + recordFields.concept]!;
  hit.role = records[record + recordFields.role]!;
  add(hit);
}

const stepBelow = (strength: number): number => Math.min(MAX_STEP, toPairStrengthStep(strength));

/** Whether the only word that a window has of a label names it: it must be the word itself, not
 *  only its stem (`milk` is not milking), and an acronym must be in capitals. */
function isNamedByWord({ terms, isWordInWindow }: Search, label: number, inCapitals: ReadonlySet<string>): boolean {
  const { labels, lexicon } = terms;
  for (let at = labels.wordStart[label]!; at < labels.wordStart[label + 1]!; at++) {
    const word = labels.words[at]!;
    const isNamed = labels.isAcronym[at] === 1 ? inCapitals.has(lexicon.words[word]!) : isWordInWindow[word] === 1;
    if (isNamed) return true;
  }
  return false;
}
